import type { Config } from '../features/index.ts'

/** The public address of the API without a trailing slash: a path in `baseURL` replaces `basePath` (contract 00 §1). */
export function apiURL(config: Config): string {
  const url = new URL(config.baseURL ?? `http://localhost:${config.server.port}`)
  const path = url.pathname === '/' ? config.basePath : url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path}`
}

/** The path below which the API is mounted. */
export const apiPath = (config: Config): string => new URL(apiURL(config)).pathname

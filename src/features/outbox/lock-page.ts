/** The page to which the lock link of a notice leads: a hosted one, or that of the application. */
import { hostedURL } from '../dashboard/index.ts'
import type { Config } from '../index.ts'

/** @returns null when notices have no lock link: it is turned off, or there is no page */
export function lockPageURL(config: Config, token: string): string | null {
  const { lockLink, lockPage } = config.notices
  const page = lockLink ? (lockPage ?? hostedURL(config, '/lock-account')) : null
  if (page === null) return null
  const url = new URL(page)
  url.searchParams.set('token', token)
  return url.href
}

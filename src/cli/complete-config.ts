/** Fills what a configuration leaves out from the environment, lets flags win, and remembers where each value is from. */
import { isAbsolute, resolve } from 'node:path'
import type { Environment } from './environment.ts'
import type { ConfigOverride } from './load-config.ts'
import { originOf, readEnvironment } from './secret-file.ts'

type Options = Readonly<Record<string, unknown>>

export interface CompletedInput {
  readonly input: Options
  /** Only of values that neither the file nor a default gives. */
  readonly origins: ReadonlyMap<string, string>
}

/** Options that the environment fills when the file leaves them out; of several names the first that is set counts. */
const gaps: readonly { readonly path: string; readonly names: readonly string[] }[] = [
  { path: 'database.url', names: ['DATABASE_URL'] },
  { path: 'secret', names: ['LATCHKEY_SECRET', 'BETTER_AUTH_SECRET', 'AUTH_SECRET'] },
  {
    path: 'baseURL',
    // Contract 00 §1: the names that applications of the reference have set already.
    names: [
      'LATCHKEY_BASE_URL',
      'BETTER_AUTH_URL',
      'NEXT_PUBLIC_BETTER_AUTH_URL',
      'PUBLIC_BETTER_AUTH_URL',
      'NUXT_PUBLIC_BETTER_AUTH_URL',
      'NUXT_PUBLIC_AUTH_URL',
      'BASE_URL',
    ],
  },
]
const environments: Readonly<Record<string, string>> = {
  production: 'production',
  development: 'development',
  test: 'development',
}
const trustedOriginsName = 'BETTER_AUTH_TRUSTED_ORIGINS'

/** @param directory what relative paths of databases and certificates are relative to */
export function completeConfig(
  file: Options,
  { env, directory, overrides }: { env: Environment; directory: string; overrides: readonly ConfigOverride[] },
): CompletedInput {
  const origins = new Map<string, string>()
  let input = file
  const fill = (path: string, value: unknown, origin: string): void => {
    input = withValue(input, path.split('.'), value)
    origins.set(path, origin)
  }
  for (const { path, names } of gaps) {
    const name = valueAt(input, path) === undefined ? names.find((each) => isSet(env, each)) : undefined
    if (name) fill(path, readEnvironment(env, name), originOf(env, name))
  }
  if (leavesMailOpen(input) && isSet(env, 'SMTP_URL'))
    fill('mail.smtp', readEnvironment(env, 'SMTP_URL'), originOf(env, 'SMTP_URL'))
  if (leavesRedisOpen(input) && isSet(env, 'REDIS_URL'))
    fill('redis.url', readEnvironment(env, 'REDIS_URL'), originOf(env, 'REDIS_URL'))
  const environment = environments[env.NODE_ENV ?? '']
  if (environment && input.environment === undefined) fill('environment', environment, 'environment NODE_ENV')
  if (env[trustedOriginsName]) {
    const given = input.trustedOrigins === undefined ? '' : 'file, '
    fill(
      'trustedOrigins',
      withOrigins(input.trustedOrigins, env[trustedOriginsName]),
      `${given}environment ${trustedOriginsName}`,
    )
  }
  for (const { path, value, origin } of overrides) fill(path, value, origin)
  return { input: anchorPaths(input, directory), origins }
}

// `BASE_URL=/` is what some bundlers set for their own purpose (contract 00 §1).
const isSet = (env: Environment, name: string): boolean =>
  Boolean(env[`${name}_FILE`]) || Boolean(env[name] && !(name === 'BASE_URL' && env[name] === '/'))

/** Redis may be given in three ways, and switched off. */
function leavesRedisOpen({ redis }: Options): boolean {
  if (redis === undefined || redis === true) return true
  return isOptions(redis) && redis.enabled !== false && ['url', 'cluster', 'sentinel'].every((way) => redis[way] === undefined)
}

/** Mail is switched on by its section, which names the sender; the environment only says through which server. */
const leavesMailOpen = ({ mail }: Options): boolean =>
  isOptions(mail) && mail.enabled !== false && mail.smtp === undefined && mail.send === undefined

type TrustedOrigins = (request: Request) => readonly string[] | Promise<readonly string[]>

function withOrigins(given: unknown, list: string): unknown {
  const added = list
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean)
  if (given === undefined) return added
  if (isTrustedOrigins(given)) return async (request: Request) => [...(await given(request)), ...added]
  // What is neither is left for the check to complain about.
  return Array.isArray(given) ? [...given, ...added] : given
}

const isTrustedOrigins = (value: unknown): value is TrustedOrigins => typeof value === 'function'

/** A command works alike from every folder. */
function anchorPaths(input: Options, directory: string): Options {
  let anchored = input
  for (const path of ['database.ca', 'redis.ca']) {
    const value = valueAt(anchored, path)
    if (typeof value === 'string' && !isAbsolute(value))
      anchored = withValue(anchored, path.split('.'), resolve(directory, value))
  }
  const url = valueAt(anchored, 'database.url')
  return typeof url === 'string' ? withValue(anchored, ['database', 'url'], anchorDatabase(url, directory)) : anchored
}

function anchorDatabase(url: string, directory: string): string {
  const [, path] = /^sqlite:(?:\/\/)?(.+)$/.exec(url) ?? []
  return path === undefined || path === ':memory:' ? url : `sqlite:${resolve(directory, path)}`
}

/** @param path as in `server.port` */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isOptions(at) && Object.hasOwn(at, name) ? at[name] : undefined), value)

const isOptions = (value: unknown): value is Options => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy: what the file exports may be frozen, and is not ours. A section that was merely switched on becomes an object. */
export function withValue(options: object, [name = '', ...rest]: readonly string[], value: unknown): Options {
  if (rest.length === 0) return { ...options, [name]: value }
  const section: unknown = Reflect.get(options, name)
  return { ...options, [name]: withValue(isOptions(section) ? section : {}, rest, value) }
}

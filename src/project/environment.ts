/**
 * Reads environment variables in either form, `NAME` or `NAME_FILE` with the path of a file that contains the value, and
 * completes a configuration with them and with the flags.
 */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isFilePath } from '../core/brand.ts'
import { builtInLocales, isLocaleName, localesIn } from '../core/own-locales.ts'
import { languages } from '../lib/locale.ts'
import { isObject, isRecord } from '../lib/objects.ts'
import { configFailure, type Failure } from './failure.ts'
import type { ConfigOverride } from './load-config.ts'

/** Environment variables as an object: `process.env` in the program, a plain one in tests. */
export type Environment = Record<string, string | undefined>

const maxBytes = 65_536

/**
 * @returns undefined if neither form is set; an empty variable counts as not set
 * @throws Failure SECRET_FILE_… if both are set, or the file is unreadable or readable by all users
 */
export function readEnvironment(env: Environment, name: string): string | undefined {
  const path = env[`${name}_FILE`]
  if (!path) return env[name] || undefined
  if (env[name]) throw fileError('SECRET_FILE_AMBIGUOUS', name, `and ${name} are both set`, 'Set only one of them.')
  return readSecretFile(name, path)
}

/** The form that is set, for `config show --origin`. */
export const originOf = (env: Environment, name: string): string => `environment ${env[`${name}_FILE`] ? `${name}_FILE` : name}`

function readSecretFile(name: string, path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw fileError('SECRET_FILE_MISSING', name, `is ${path}, which does not exist`, 'Check the path.')
  if (!stats.isFile() || stats.size > maxBytes) {
    const problem = `is ${path}, which is not a file of at most ${maxBytes} bytes`
    throw fileError('SECRET_FILE_FORM', name, problem, 'Set it to the file that contains the value.')
  }
  if ((stats.mode & 0o004) !== 0) {
    const hint = `Run chmod 600 ${path}. Mount secrets into a container with mode 0400, owned by the user of the daemon.`
    throw fileError('SECRET_FILE_EXPOSED', name, `is ${path}, which every user on this machine can read`, hint)
  }
  try {
    // Editors and `echo` end a file with a newline that is not part of the value.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw fileError('SECRET_FILE_UNREADABLE', name, `is ${path}, which cannot be read`, 'Check its owner and mode.', cause)
  }
}

const fileError = (code: string, name: string, problem: string, hint: string, cause?: unknown): Failure =>
  configFailure(code, `${name}_FILE ${problem}`, { hint, cause })

export type Options = Readonly<Record<string, unknown>>

export interface CompletedInput {
  readonly input: Options
  /** Only of values from flags and the environment. */
  readonly origins: Map<string, string>
}

interface Gap {
  readonly path: string
  readonly names: readonly string[]
  /** Default: when the option has no value. */
  readonly isOpen?: (file: Options) => boolean
}

/** Options that the environment sets when the file does not. The first name that is set wins. */
const gaps: readonly Gap[] = [
  { path: 'database.url', names: ['DATABASE_URL'] },
  { path: 'secret', names: ['LATCHKEY_SECRET', 'BETTER_AUTH_SECRET', 'AUTH_SECRET'] },
  {
    path: 'baseURL',
    // Contract 00 §1: applications of the reference have these names set already.
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
  // The section enables mail and names the sender. The environment only sets the server.
  {
    path: 'mail.smtp',
    names: ['SMTP_URL'],
    isOpen: ({ mail }) => isRecord(mail) && mail.enabled !== false && mail.smtp === undefined && mail.send === undefined,
  },
  { path: 'redis.url', names: ['REDIS_URL'], isOpen: leavesRedisOpen },
]
const environments: Readonly<Record<string, string>> = {
  production: 'production',
  development: 'development',
  test: 'development',
}
const trustedOriginsName = 'BETTER_AUTH_TRUSTED_ORIGINS'

interface CompletionSources {
  readonly env: Environment
  readonly directory: string
  readonly overrides: readonly ConfigOverride[]
  readonly addedOrigins?: readonly string[] | undefined
}

/**
 * Flags override the file, the environment fills missing options. Records the origin of these values.
 * @param directory the base of relative paths of databases, certificates and files of the brand
 */
export function completeConfig(
  file: Options,
  { env, directory, overrides, addedOrigins = [] }: CompletionSources,
): CompletedInput {
  const origins = new Map<string, string>()
  let input = file
  const fill = (path: string, value: unknown, origin: string): void => {
    input = withValue(input, path.split('.'), value)
    origins.set(path, origin)
  }
  for (const { path, names, isOpen = () => valueAt(file, path) === undefined } of gaps) {
    const name = isOpen(file) ? names.find((each) => isSet(env, each)) : undefined
    if (name) fill(path, readEnvironment(env, name), originOf(env, name))
  }
  const environment = environments[env.NODE_ENV ?? '']
  if (environment && input.environment === undefined) fill('environment', environment, 'environment NODE_ENV')
  if (env[trustedOriginsName]) {
    const given = input.trustedOrigins === undefined ? '' : 'file, '
    const value = withOrigins(input.trustedOrigins, listOf(env[trustedOriginsName]))
    fill('trustedOrigins', value, `${given}environment ${trustedOriginsName}`)
  }
  for (const { path, value, origin } of overrides) fill(path, value, origin)
  const locales = localesOfFiles(input, directory)
  if (locales) fill('dashboard.locales', locales, 'files of dashboard.texts')
  if (addedOrigins.length > 0) input = { ...input, trustedOrigins: withOrigins(input.trustedOrigins, addedOrigins) }
  return { input: anchorPaths(input, directory), origins }
}

/** The line by which `init` marks in `.env` a variable that it used and left to the environment. */
export const environmentNote = (name: string): string => `# ${name} is not stored here: it was set in the environment`

/**
 * @param path of an option that has no value
 * @param dotEnv text of `.env`
 * @returns which variable is not set; null for an option that no variable sets
 */
export function describeUnset(path: string, dotEnv: string): string | null {
  const [name] = gaps.find((gap) => gap.path === path)?.names ?? []
  if (name === undefined) return null
  const earlier = dotEnv.includes(environmentNote(name)) ? ' (it was in the environment when `latchkey init` ran)' : ''
  return `${name} is not set, neither in the environment nor in .env${earlier}.`
}

// Some bundlers set `BASE_URL=/` for their own purpose (contract 00 §1).
const isSet = (env: Environment, name: string): boolean =>
  Boolean(env[`${name}_FILE`]) || Boolean(env[name] && !(name === 'BASE_URL' && env[name] === '/'))

/** Redis has three ways to be configured, and can be disabled. */
function leavesRedisOpen({ redis }: Options): boolean {
  if (redis === undefined || redis === true) return true
  return isRecord(redis) && redis.enabled !== false && ['url', 'cluster', 'sentinel'].every((way) => redis[way] === undefined)
}

type TrustedOrigins = (request: Request) => readonly string[] | Promise<readonly string[]>

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean)

function withOrigins(given: unknown, added: readonly string[]): unknown {
  if (given === undefined) return [...added]
  if (isTrustedOrigins(given)) return async (request: Request) => [...(await given(request)), ...added]
  // The configuration check reports a value that is neither.
  return Array.isArray(given) ? [...given, ...added] : given
}

const isTrustedOrigins = (value: unknown): value is TrustedOrigins => typeof value === 'function'

/** The languages of Latchkey, and those of the operator's files. @returns null when the file names them, or when there are no others */
function localesOfFiles(input: Options, directory: string): string[] | null {
  const texts = valueAt(input, 'dashboard.texts')
  if (typeof texts !== 'string' || valueAt(input, 'dashboard.locales') !== undefined) return null
  const added = localesIn(resolve(directory, texts)).filter((locale) => isLocaleName(locale) && !builtInLocales.includes(locale))
  return added.length > 0 ? [...languages, ...added] : null
}

/** Makes relative paths absolute, so that a command works the same from every folder. */
function anchorPaths(input: Options, directory: string): Options {
  const anchors = {
    'database.ca': (path: string) => resolve(directory, path),
    'redis.ca': (path: string) => resolve(directory, path),
    'passkey.attestation.metadataFile': (path: string) => resolve(directory, path),
    'signUp.allowFile': (path: string) => resolve(directory, path),
    'signUp.blockFile': (path: string) => resolve(directory, path),
    'dashboard.texts': (path: string) => resolve(directory, path),
    'database.url': (url: string) => anchorDatabase(url, directory),
    ...Object.fromEntries(
      ['favicon', 'logo', 'logoDark', 'cover', 'font'].map((name) => [
        `dashboard.branding.${name}`,
        (value: string) => (isFilePath(value) ? resolve(directory, value) : value),
      ]),
    ),
  }
  const anchored = Object.entries(anchors).reduce((options, [path, anchor]) => {
    const value = valueAt(options, path)
    return typeof value === 'string' ? withValue(options, path.split('.'), anchor(value)) : options
  }, input)
  return anchorDocuments(anchored, directory)
}

function anchorDocuments(input: Options, directory: string): Options {
  const documents = valueAt(input, 'terms.documents')
  if (!Array.isArray(documents)) return input
  const anchor = (document: unknown) =>
    isRecord(document) && typeof document.file === 'string' ? { ...document, file: resolve(directory, document.file) } : document
  return withValue(input, ['terms', 'documents'], documents.map(anchor))
}

function anchorDatabase(url: string, directory: string): string {
  const path = databaseFile(url)
  return path === null ? url : `sqlite:${resolve(directory, path)}`
}

/** The path in a database address; null unless it names a file. */
export function databaseFile(url: string): string | null {
  const [, path] = /^sqlite:(?:\/\/)?(.+)$/.exec(url) ?? []
  return path === undefined || path === ':memory:' ? null : path
}

/** @param path as in `server.port` */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined), value)

/** Copies, because the exported object may be frozen. A section that is `true` becomes an object. */
export function withValue(options: object, [name = '', ...rest]: readonly string[], value: unknown): Options {
  const section: unknown = Reflect.get(options, name)
  const member = rest.length === 0 ? value : withValue(isObject(section) ? section : {}, rest, value)
  return Array.isArray(options) ? Object.assign([...options], { [name]: member }) : { ...options, [name]: member }
}

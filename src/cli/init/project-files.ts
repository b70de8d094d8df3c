/** Writes the files of `latchkey init`. */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { mergePermissions } from '../../core/table.ts'
import { featureList } from '../../features/index.ts'
import type { Environment } from '../../project/environment.ts'
import { exitCodes, Failure } from '../../project/failure.ts'

/** An empty URL is left to the environment; an empty Redis URL may also mean no Redis. */
export type InitAnswers = Readonly<Record<'appName' | 'baseURL' | 'databaseUrl' | 'redisUrl' | 'adminEmail', string>>

export interface WrittenFile {
  readonly path: string
  readonly outcome: 'created' | 'changed' | 'unchanged'
}

const configName = 'auth.config.ts'
const ignored = ['.env', '.latchkey/', 'latchkey.db*', 'node_modules/']

/** @throws Failure CONFIG_EXISTS before the command prompts or writes anything */
export function findExisting(directory: string, force: boolean): void {
  const found = [configName, join('config', configName)].find((name) => existsSync(join(directory, name)))
  if (found === undefined || (force && found === configName)) return
  const hint = found === configName ? 'Add --force to overwrite it. An existing .env is only extended.' : 'Move it first.'
  throw new Failure('CONFIG_EXISTS', `${found} already exists. Nothing was written`, { exitCode: exitCodes.refused, hint })
}

interface ProjectOptions {
  readonly directory: string
  readonly env: Environment
  readonly answers: InitAnswers
  readonly force: boolean
}

export function writeProject({ directory, env, answers, force }: ProjectOptions): WrittenFile[] {
  const migrations = mkdirSync(join(directory, 'migrations'), { recursive: true })
  return [
    writeConfig(join(directory, configName), answers, force),
    complete(directory, '.env', 0o600, (text) => missingVariables(text, variables(answers, env))),
    complete(directory, '.gitignore', null, missingIgnores),
    { path: 'migrations/', outcome: migrations === undefined ? 'unchanged' : 'created' },
  ]
}

function writeConfig(file: string, answers: InitAnswers, force: boolean): WrittenFile {
  const existed = existsSync(file)
  // `wx`: a concurrent run must not overwrite the file.
  writeFileSync(file, configText(answers), { flag: force ? 'w' : 'wx' })
  return { path: configName, outcome: existed ? 'changed' : 'created' }
}

type Variable = readonly [name: string, comment: string, value: string]

function variables({ baseURL, databaseUrl, redisUrl }: InitAnswers, env: Environment): Variable[] {
  const hasSecret = env.LATCHKEY_SECRET || env.LATCHKEY_SECRET_FILE
  const all: Variable[] = [
    [
      'LATCHKEY_SECRET',
      'Signs cookies and encrypts stored data. Keep it secret: it allows signing in as any user.',
      hasSecret ? '' : randomBytes(32).toString('base64url'),
    ],
    ['LATCHKEY_BASE_URL', 'The public URL of the service.', baseURL],
    ['DATABASE_URL', 'mysql://user:password@host:3306/name, or sqlite:./file.db', databaseUrl],
    ['REDIS_URL', 'redis://host:6379, or rediss:// for TLS', redisUrl],
  ]
  return all.filter(([, , value]) => value !== '')
}

/** Keeps existing variables: a new secret would sign out all users. */
function missingVariables(text: string, variables: readonly Variable[]): string[] {
  const known = parseEnv(text)
  const added = variables.filter(([name]) => known[name] === undefined && known[`${name}_FILE`] === undefined)
  return added.map(([name, comment, value]) => `# ${comment}\n${name}=${quote(value)}\n`)
}

/** Uses quotes that the value does not contain, because `.env` has no escapes. */
function quote(value: string): string {
  if (/^[\w@%+=:,./~?&-]*$/.test(value)) return value
  const mark = ["'", '"', '`'].find((each) => !value.includes(each))
  if (mark === undefined || /[\r\n]/.test(value)) {
    const message = 'A value with a line break or all three kinds of quotes cannot be written to .env'
    throw new Failure('USAGE', message, { exitCode: exitCodes.usage })
  }
  return `${mark}${value}${mark}`
}

function missingIgnores(text: string): string[] {
  const known = new Set(text.split('\n').map((line) => line.trim().replace(/\/$/, '')))
  return ignored.filter((line) => !known.has(line.replace(/\/$/, ''))).map((line) => `${line}\n`)
}

/** Adds to a file what it misses. @param mode also set on an existing file */
function complete(directory: string, path: string, mode: number | null, missing: (text: string) => string[]): WrittenFile {
  const file = join(directory, path)
  const existed = existsSync(file)
  const text = existed ? readFileSync(file, 'utf8') : ''
  const added = missing(text)
  if (added.length === 0) return { path, outcome: 'unchanged' }
  const separator = text === '' || text.endsWith('\n') ? '' : '\n'
  writeFileSync(file, text + separator + added.join(''), mode === null ? {} : { mode })
  // writeFileSync sets the mode of new files only.
  if (mode !== null) chmodSync(file, mode)
  return { path, outcome: existed ? 'changed' : 'created' }
}

/** Whether an editor cannot resolve `latchkey/config` from this folder. The program always can. */
export function isTypeless(directory: string): boolean {
  try {
    createRequire(join(directory, 'index.js')).resolve('latchkey/config')
    return false
  } catch {
    return true
  }
}

function configText({ appName, adminEmail }: Pick<InitAnswers, 'appName' | 'adminEmail'>): string {
  const permissions = mergePermissions(Object.values(featureList))
  const permitted = Object.entries(permissions).map(
    ([resource, actions]) => `        ${key(resource)}: [${actions.map(quoted).join(', ')}],\n`,
  )
  return `import { defineConfig } from 'latchkey/config'

// \`latchkey config schema\` describes every option, \`latchkey config show --origin\` shows the current values.
// The secret and the URLs are in .env or in the environment, which overrides .env:
// LATCHKEY_SECRET, LATCHKEY_BASE_URL, DATABASE_URL, REDIS_URL. Each may name a file instead, such as LATCHKEY_SECRET_FILE.
export default defineConfig({
  appName: ${quoted(appName)},
  emailAndPassword: {
    enabled: true,
    // NIST SP 800-63B recommends 15 characters if a password is the only factor.
    minPasswordLength: 15,
  },
  // Rejects new passwords that are common, breached, or derived from the name of the user or the application.
  passwordRules: true,
  // \`latchkey dev\` serves the API reference at /api/auth/reference. With \`openAPI: true\` production does too, for everyone.
  // \`latchkey seed\` creates these in the database.
  seed: {
    roles: {
      admin: {
${permitted.join('')}      },
    },
    // Without \`passwordEnv\` an administrator gets a setup link, printed once.
    admins: [{ email: ${quoted(adminEmail)}, name: 'Administrator', role: 'admin' }],
  },
})
`
}

const quoted = (text: string): string =>
  text.includes("'") && !/["\\]/.test(text) ? `"${text}"` : `'${text.replaceAll(/[\\']/g, '\\$&')}'`
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

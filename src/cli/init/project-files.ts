/** Writes the files of `latchkey init`. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isLoopback } from '../../lib/ip.ts'
import { registrableDomain } from '../../lib/public-suffix.ts'
import { exitCodes, Failure } from '../../project/failure.ts'
import { completeEnv, type EnvSources, readEnvFile } from './env-file.ts'
import type { InitAnswers } from './questions.ts'
import { emailMethodsConfig, readMethods } from './sign-in-methods.ts'
import { providersConfig, readProviders } from './social-providers.ts'

export interface WrittenFile {
  readonly path: string
  readonly outcome: 'created' | 'changed' | 'unchanged'
  /** Of `.env`: variables with what happened to each; never a value. */
  readonly changes?: readonly string[]
}

const configName = 'auth.config.ts'
const ignored = ['.env', '.latchkey/', 'latchkey.db*', 'node_modules/']

/** @throws Failure CONFIG_EXISTS before the command prompts or writes anything */
export function findExisting(directory: string, force: boolean): void {
  const found = [configName, join('config', configName)].find((name) => existsSync(join(directory, name)))
  if (found === undefined || (force && found === configName)) return
  const hint = found === configName ? 'Add --force to overwrite it. In .env it changes only what flags set.' : 'Move it first.'
  throw new Failure('CONFIG_EXISTS', `${found} already exists. Nothing was written`, { exitCode: exitCodes.refused, hint })
}

interface ProjectOptions extends EnvSources {
  readonly directory: string
  readonly force: boolean
  /** Empty when it is in a file that is not readable yet. */
  readonly baseUrl: string
}

/** Files of a project that are written only if there are none. */
export type NewFiles = Readonly<Record<string, string>>

/** Keeps every file that is there: a project may be older than Latchkey in it. */
export const writeNewFiles = (directory: string, files: NewFiles): WrittenFile[] =>
  Object.entries(files).map(([path, text]) => {
    if (existsSync(join(directory, path))) return { path, outcome: 'unchanged' }
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    return writeText(directory, path, text, null)
  })

export function writeProject({ directory, force, baseUrl, ...sources }: ProjectOptions): WrittenFile[] {
  const env = completeEnv(readEnvFile(directory), sources)
  const migrations = mkdirSync(join(directory, 'migrations'), { recursive: true })
  return [
    writeConfig(join(directory, configName), configText(sources.answers, baseUrl, sources.hasMail), force),
    { ...writeText(directory, '.env', env.text, 0o600), changes: env.changes },
    writeText(directory, '.gitignore', withIgnores(readText(join(directory, '.gitignore'))), null),
    { path: 'migrations/', outcome: migrations === undefined ? 'unchanged' : 'created' },
  ]
}

function writeConfig(file: string, text: string, force: boolean): WrittenFile {
  const existed = existsSync(file)
  // `wx`: a concurrent run must not overwrite the file.
  writeFileSync(file, text, { flag: force ? 'w' : 'wx' })
  return { path: configName, outcome: existed ? 'changed' : 'created' }
}

function withIgnores(text: string): string {
  const known = new Set(text.split('\n').map((line) => line.trim().replace(/\/$/, '')))
  const missing = ignored.filter((line) => !known.has(line.replace(/\/$/, ''))).map((line) => `${line}\n`)
  const separator = missing.length === 0 || text === '' || text.endsWith('\n') ? '' : '\n'
  return text + separator + missing.join('')
}

const readText = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** @param mode also set on an existing file */
function writeText(directory: string, path: string, text: string, mode: number | null): WrittenFile {
  const file = join(directory, path)
  const existed = existsSync(file)
  if (existed && readFileSync(file, 'utf8') === text) return { path, outcome: 'unchanged' }
  // Before the text: writeFileSync sets the mode of new files only.
  if (existed && mode !== null) chmodSync(file, mode)
  writeFileSync(file, text, mode === null ? {} : { mode })
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

function configText(
  { appName, adminEmail, signIn, social, organizations }: InitAnswers,
  baseUrl: string,
  hasMail: boolean,
): string {
  const methods = readMethods(signIn)
  const mail = hasMail ? mailConfig(appName, baseUrl) : ''
  return `import { defineConfig } from 'latchkey/config'

// \`latchkey config schema\` describes every option, \`latchkey config show --origin\` shows the current values.
// The secret and the URLs are in .env or in the environment, which overrides .env:
// LATCHKEY_SECRET, LATCHKEY_BASE_URL, DATABASE_URL, REDIS_URL. Each may name a file instead, such as LATCHKEY_SECRET_FILE.
export default defineConfig({
  appName: ${quoted(appName)},
${serverConfig(baseUrl)}  emailAndPassword: {
    enabled: ${methods.has('password')},
    // NIST SP 800-63B recommends 15 characters if a password is the only factor.
    minPasswordLength: 15,
  },
  // Rejects new passwords that are common, breached, or derived from the name of the user or the application.
  passwordRules: true,
  emailVerification: { sendOnSignUp: true },
  // Users sign in again before dangerous calls, such as creating an API key, when their sign-in is older than a day: docs/sessions.md.
  session: { freshFor: 'sensitive' },
  // Users may change their email address and delete their account, on the hosted pages and with the API.
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  // Administrators manage users and this server at /admin. Their role \`admin\` permits everything: docs/administration.md.
  admin: true,
  // Users create organizations, invite members, and give them roles and teams: docs/organizations.md.
  ${/^y/i.test(organizations) ? '' : '// '}organization: { teams: { enabled: true } },
${passkeyConfig(baseUrl, methods.has('passkey'))}${emailMethodsConfig(methods)}${mail}${providersConfig(readProviders(social))}  // \`latchkey dev\` serves the API reference at /api/auth/reference. With \`openAPI: true\` production does too, for everyone.
  // \`latchkey seed\` creates these in the database.
  seed: {
    // Without \`passwordEnv\` an administrator gets a setup link, printed once.
    ${adminEmail ? '' : '// '}admins: [{ email: ${quoted(adminEmail || 'you@example.com')}, name: 'Administrator', role: 'admin' }],
  },
})
`
}

/** Browsers have passkeys on domains and on localhost only. The domain cannot be changed later, so it is advised before the first one. */
function passkeyConfig(baseUrl: string, isChosen: boolean): string {
  const host = URL.parse(baseUrl)?.hostname ?? ''
  const advised = registrableDomain(host)
  const value = advised === null ? 'true' : `{ rpID: ${quoted(advised)} }`
  return `  // Users sign in with passkeys: docs/passkeys.md. \`rpID\` is the domain that they belong to, and cannot be changed later. With apps on
  // several subdomains, choose the domain that they share; by default it is the host of the public URL.
  ${isChosen ? '' : '// '}passkey: ${value},
`
}

/** The server is in SMTP_URL. An IP address cannot be the domain of a sender. */
function mailConfig(appName: string, baseUrl: string): string {
  const domain = registrableDomain(URL.parse(baseUrl)?.hostname ?? '') ?? 'example.com'
  const name = appName.replaceAll(/["<>\\]/g, '')
  return `  // SMTP_URL names the server: docs/mail.md. \`latchkey dev\` catches all emails and shows them at /mailbox.
  mail: { from: ${quoted(`${name} <no-reply@${domain}>`)} },
`
}

const standard = { host: '127.0.0.1', port: 4000 }

/** A URL of this machine without a proxy names the port, and for IPv6 the address, on which the daemon must listen. */
function serverConfig(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url?.protocol !== 'http:' || !isLoopback(url.hostname)) return ''
  const port = Number(url.port || 80)
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const host = name === 'localhost' ? standard.host : name
  const members = [
    ...(host === standard.host ? [] : [`host: ${quoted(host)}`]),
    ...(port === standard.port ? [] : [`port: ${port}`]),
  ]
  return members.length === 0 ? '' : `  // As in the base URL.\n  server: { ${members.join(', ')} },\n`
}

const quoted = (text: string): string =>
  text.includes("'") && !/["\\]/.test(text) ? `"${text}"` : `'${text.replaceAll(/[\\']/g, '\\$&')}'`

/** The files that `latchkey init` writes. */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { featureList } from '../../features/index.ts'
import type { Environment } from '../environment.ts'
import { exitCodes } from '../exit-codes.ts'
import { CliFailure } from '../failure.ts'
import { configText } from './config-text.ts'

/** An empty address is left to the environment; an empty one of Redis may also mean that there is none. */
export interface InitAnswers {
  readonly appName: string
  readonly baseURL: string
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly adminEmail: string
}

export interface WrittenFile {
  readonly path: string
  readonly outcome: 'created' | 'changed' | 'unchanged'
}

const configName = 'auth.config.ts'
const ignored = ['.env', '.latchkey/', 'latchkey.db*', 'node_modules/']

/** @throws CliFailure CONFIG_EXISTS before anything is asked or written */
export function findExisting(directory: string, force: boolean): void {
  const found = [configName, join('config', configName)].find((name) => existsSync(join(directory, name)))
  if (found === undefined || (force && found === configName)) return
  const hint = found === configName ? 'Add --force to overwrite it; .env is only ever added to.' : 'Move it away first.'
  throw new CliFailure('CONFIG_EXISTS', `There is ${found} already, and nothing was written`, {
    exitCode: exitCodes.refused,
    hint,
  })
}

interface Project {
  readonly directory: string
  readonly env: Environment
  readonly answers: InitAnswers
  readonly force: boolean
}

export function writeProject({ directory, env, answers, force }: Project): WrittenFile[] {
  const migrations = mkdirSync(join(directory, 'migrations'), { recursive: true })
  return [
    writeConfig(join(directory, configName), answers, force),
    addToDotEnv(join(directory, '.env'), variables(answers, env)),
    addToGitignore(join(directory, '.gitignore')),
    { path: 'migrations/', outcome: migrations === undefined ? 'unchanged' : 'created' },
  ]
}

function writeConfig(file: string, { appName, adminEmail }: InitAnswers, force: boolean): WrittenFile {
  const existed = existsSync(file)
  // `wx`: of two that run at once the second must not overwrite the first.
  writeFileSync(file, configText({ appName, adminEmail, permissions: allPermissions() }), { flag: force ? 'w' : 'wx' })
  return { path: configName, outcome: existed ? 'changed' : 'created' }
}

/** resource → actions of all features. */
function allPermissions(): Record<string, readonly string[]> {
  const all: Record<string, readonly string[]> = {}
  for (const { permissions = {} } of Object.values(featureList)) {
    for (const [resource, actions] of Object.entries(permissions)) all[resource] = [...(all[resource] ?? []), ...actions]
  }
  return all
}

type Variable = readonly [name: string, comment: string, value: string]

function variables({ baseURL, databaseUrl, redisUrl }: InitAnswers, env: Environment): Variable[] {
  const hasSecret = env.LATCHKEY_SECRET || env.LATCHKEY_SECRET_FILE
  const all: Variable[] = [
    [
      'LATCHKEY_SECRET',
      'Signs cookies and encrypts what is stored. Whoever knows it can sign in as anybody.',
      hasSecret ? '' : randomBytes(32).toString('base64url'),
    ],
    ['LATCHKEY_BASE_URL', 'The address that browsers use.', baseURL],
    ['DATABASE_URL', 'mysql://user:password@host:3306/name, or sqlite:./file.db', databaseUrl],
    ['REDIS_URL', 'redis://host:6379, or rediss:// for TLS', redisUrl],
  ]
  return all.filter(([, , value]) => value !== '')
}

/** What stands there is kept, a secret above all: a new one would sign everybody out. */
function addToDotEnv(file: string, wanted: readonly Variable[]): WrittenFile {
  const existed = existsSync(file)
  const text = existed ? readFileSync(file, 'utf8') : ''
  const known = parseEnv(text)
  const added = wanted.filter(([name]) => known[name] === undefined && known[`${name}_FILE`] === undefined)
  if (added.length === 0) return { path: '.env', outcome: 'unchanged' }
  const lines = added.map(([name, comment, value]) => `# ${comment}\n${name}=${quote(value)}\n`)
  writeFileSync(file, joined(text, lines.join('')), { mode: 0o600 })
  // The mode above counts for a new file only.
  chmodSync(file, 0o600)
  return { path: '.env', outcome: existed ? 'changed' : 'created' }
}

/** In a kind of quotes that does not stand in the value, since `.env` knows no way to write one inside itself. */
function quote(value: string): string {
  if (/^[\w@%+=:,./~?&-]*$/.test(value)) return value
  const mark = ["'", '"', '`'].find((each) => !value.includes(each))
  if (mark === undefined || /[\r\n]/.test(value)) {
    throw new CliFailure('USAGE', 'A value with a line break or all three kinds of quotes cannot be written to .env', {
      exitCode: exitCodes.usage,
    })
  }
  return `${mark}${value}${mark}`
}

function addToGitignore(file: string): WrittenFile {
  const existed = existsSync(file)
  const text = existed ? readFileSync(file, 'utf8') : ''
  const known = new Set(text.split('\n').map((line) => line.trim().replace(/\/$/, '')))
  const added = ignored.filter((line) => !known.has(line.replace(/\/$/, '')))
  if (added.length === 0) return { path: '.gitignore', outcome: 'unchanged' }
  writeFileSync(file, joined(text, `${added.join('\n')}\n`))
  return { path: '.gitignore', outcome: existed ? 'changed' : 'created' }
}

const joined = (text: string, added: string): string => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${added}`

/** Whether an editor would not find `latchkey/config` from there; the program itself always does. */
export function isTypeless(directory: string): boolean {
  try {
    createRequire(join(directory, 'index.js')).resolve('latchkey/config')
    return false
  } catch {
    return true
  }
}

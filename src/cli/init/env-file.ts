/** The `.env` of a new project: which variables it gets, and what happens to those that it has. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Environment, environmentNote } from '../../project/environment.ts'
import { exitCodes, Failure } from '../../project/failure.ts'
import { isLocalMySQL } from './compose-servers.ts'
import { type GivenAnswers, type InitAnswers, variableNames } from './questions.ts'
import { providersVariables, readProviders } from './social-providers.ts'

type Name = 'LATCHKEY_SECRET' | (typeof variableNames)[keyof typeof variableNames]

const comments: Readonly<Record<Name, string>> = {
  LATCHKEY_SECRET: 'Signs cookies and encrypts stored data. Keep it secret: it allows signing in as any user.',
  LATCHKEY_BASE_URL: 'The public URL of the service.',
  DATABASE_URL: 'mysql://user:password@host:3306/name, or sqlite:./file.db',
  REDIS_URL: 'redis://host:6379, or rediss:// for TLS',
}
const names = Object.keys(comments) as readonly Name[]

/** compose.yaml reads the password of its MySQL from here, because it is only a part of DATABASE_URL. */
function composePassword(databaseUrl: string) {
  if (!isLocalMySQL(databaseUrl)) return null
  const { password } = new URL(databaseUrl)
  return { name: 'MYSQL_PASSWORD', comment: 'For compose.yaml: the same password as in DATABASE_URL.', value: password }
}

type Values = Readonly<Record<string, string | undefined>>

export function readEnvFile(directory: string): string {
  const file = join(directory, '.env')
  return existsSync(file) ? readFileSync(file, 'utf8').replace(/^\uFEFF/, '') : ''
}

/** Whether a variable is set in either form. */
export const isSetIn = (values: Values, name: string): boolean => Boolean(values[name] || values[`${name}_FILE`])

/** The variables of the environment that `.env` does not have, and those to which it gives another value. */
export function compareEnvironment(env: Environment, text: string): { readonly unstored: Name[]; readonly differing: Name[] } {
  const stored = parseEnv(text)
  const given = names.filter((name) => isSetIn(env, name))
  const isSame = (name: string) => stored[name] === env[name] && stored[`${name}_FILE`] === env[`${name}_FILE`]
  return {
    unstored: given.filter((name) => !isSetIn(stored, name)),
    differing: given.filter((name) => isSetIn(stored, name) && !isSame(name)),
  }
}

/** @param flags as typed @throws Failure ENV_EXISTS (5) for a flag that differs from `.env`, before anything is written */
export function checkFlagsAgainst(text: string, flags: GivenAnswers): void {
  const stored = parseEnv(text)
  const differing = Object.entries(variableNames).flatMap(([key, name]) => {
    const given = flags[key as keyof typeof variableNames]
    return given !== undefined && isSetIn(stored, name) && stored[name] !== given ? [name] : []
  })
  if (differing.length === 0) return
  throw new Failure('ENV_EXISTS', `.env has other values than the flags: ${differing.join(', ')}. Nothing was written`, {
    exitCode: exitCodes.refused,
    hint: 'Add --force to change them in .env, or remove the flags.',
  })
}

export interface EnvSources {
  /** An empty answer writes nothing. */
  readonly answers: InitAnswers
  readonly env: Environment
  /** Whether values of the environment are written too. */
  readonly storesEnvironment: boolean
  /** The base of relative paths in the environment. */
  readonly cwd: string
  /** Whether the configuration has a section `mail`. */
  readonly hasMail: boolean
  /** The database of which compose.yaml reads the password; empty without a compose.yaml. */
  readonly composeUrl: string
}

/** Of the Mailpit in compose.yaml, which catches all emails. */
const mailVariable = {
  name: 'SMTP_URL',
  comment: 'The mail server: smtp://user:password@host:587. This one is Mailpit of compose.yaml.',
  value: 'smtp://127.0.0.1:1025',
}

/**
 * Adds what is missing and changes what the answers say. A secret that is set is never replaced: that would sign out all users.
 * @param text of `.env`
 * @returns the new text, and the changes by name
 */
export function completeEnv(text: string, { answers, env, storesEnvironment, cwd, hasMail, composeUrl }: EnvSources) {
  const stored = parseEnv(text)
  const { unstored } = compareEnvironment(env, text)
  const answered: Partial<Record<Name, string>> = Object.fromEntries(
    Object.entries(variableNames).map(([key, name]) => [name, answers[key as keyof typeof variableNames]]),
  )
  const changes: string[] = []
  let complete = text
  for (const name of names) {
    const isUnstored = unstored.includes(name) && !answered[name]
    const fresh = name === 'LATCHKEY_SECRET' && !isUnstored ? randomBytes(32).toString('base64url') : ''
    const value = answered[name] || (isSetIn(stored, name) ? '' : fresh)
    if (value && value !== stored[name]) {
      changes.push(`${name} ${isSetIn(stored, name) ? 'changed' : 'added'}`)
      complete = withVariable(complete, name, name, value)
    } else if (isUnstored && storesEnvironment) {
      const path = env[`${name}_FILE`]
      changes.push(`${name} added from the environment`)
      complete = withVariable(complete, name, path ? `${name}_FILE` : name, path ? resolve(cwd, path) : (env[name] ?? ''))
    } else if (isUnstored && !text.includes(environmentNote(name))) complete = appendLine(complete, environmentNote(name))
  }
  const password = composePassword(composeUrl)
  const toFill = providersVariables(readProviders(answers.social)).map((variable) => ({ ...variable, value: '' }))
  for (const { name, comment, value } of [...toFill, ...(hasMail ? [mailVariable] : []), ...(password ? [password] : [])]) {
    if (name in stored || isSetIn(env, name)) continue
    changes.push(value ? `${name} added` : `${name} added, to be filled in`)
    complete = appendLine(comment ? appendLine(complete, `# ${comment}`) : complete, `${name}=${value}`)
  }
  return { text: complete, changes }
}

/** Replaces the lines of the variable in both forms, or appends one. */
function withVariable(text: string, name: Name, writtenName: string, value: string): string {
  const line = `${writtenName}=${quote(value)}`
  const lines = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}(?:_FILE)?[ \\t]*=.*(?:\\n|$)`, 'gm')
  let isWritten = false
  const replaced = text.replace(lines, () => {
    const kept = isWritten ? '' : `${line}\n`
    isWritten = true
    return kept
  })
  const complete = isWritten ? replaced : appendLine(appendLine(text, `# ${comments[name]}`), line)
  if (parseEnv(complete)[writtenName] === value) return complete
  const message = `${name} cannot be added to .env: a value there has several lines or an unclosed quote. Change it by hand`
  throw new Failure('USAGE', message, { exitCode: exitCodes.usage })
}

const appendLine = (text: string, line: string): string => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`

/** Uses quotes that the value does not contain, because `.env` has no escapes but `\n` in double quotes. */
function quote(value: string): string {
  if (/^[\w@%+=:,./~?&-]*$/.test(value)) return value
  const mark = ["'", '`', '"'].find((each) => !value.includes(each) && !(each === '"' && value.includes('\\n')))
  if (mark === undefined || /[\r\n]/.test(value)) {
    const message = 'A value with a line break or all kinds of quotes cannot be written to .env'
    throw new Failure('USAGE', message, { exitCode: exitCodes.usage })
  }
  return `${mark}${value}${mark}`
}

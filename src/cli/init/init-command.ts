/** `latchkey init`: its questions, and the checks of their answers. */
import { basename, resolve } from 'node:path'
import { parseDatabaseAddress } from '../../core/database-address.ts'
import { redisAddressIssue } from '../../core/redis-address.ts'
import { isLoopback } from '../../lib/ip.ts'
import { isEmailAddress } from '../../lib/text.ts'
import type { Environment } from '../../project/environment.ts'
import { usageError } from '../../project/failure.ts'
import { argument, type Context, command, flag, text, type ValuesOf } from '../command.ts'
import type { TextQuestion } from '../prompt.ts'
import type { InitAnswers } from './project-files.ts'

const initArguments = { dir: argument('[dir]', 'Folder of the project [.]', (z) => z.string().default('.')) }
const initOptions = {
  appName: text('--app-name <name>', 'Name of the application, for pages and emails'),
  baseUrl: text('--base-url <url>', 'Public URL of the service'),
  databaseUrl: text(
    '--database-url <url>',
    'mysql://… or sqlite:…; use DATABASE_URL to keep the password out of the process list',
  ),
  redisUrl: text('--redis-url <url>', 'redis://… or rediss://…; without it limits are counted in memory'),
  adminEmail: text('--admin-email <address>', 'Email address of the first administrator'),
  force: flag('--force', 'Overwrite an existing auth.config.ts'),
}
type InitContext = Context<ValuesOf<typeof initArguments & typeof initOptions>>

interface Asked {
  readonly key: keyof InitAnswers
  /** The value of a flag. Empty if the environment sets it: such a value is not written to .env. */
  readonly given: string | undefined
  readonly question: TextQuestion
}

/** @throws Failure USAGE for a flag with a wrong value */
function questions(given: InitContext['options'], env: Environment, directory: string): Asked[] {
  const inEnvironment = (name: string) => (env[name] || env[`${name}_FILE`] ? '' : undefined)
  const email = `admin@${domainOf(given.baseUrl ?? env.LATCHKEY_BASE_URL ?? '')}`
  const asked: Asked[] = [
    { key: 'appName', given: given.appName, question: { ...appName, initial: nameOf(directory) } },
    { key: 'baseURL', given: given.baseUrl ?? inEnvironment('LATCHKEY_BASE_URL'), question: baseURL },
    { key: 'databaseUrl', given: given.databaseUrl ?? inEnvironment('DATABASE_URL'), question: database },
    { key: 'redisUrl', given: given.redisUrl ?? inEnvironment('REDIS_URL'), question: redis },
    { key: 'adminEmail', given: given.adminEmail, question: { ...admin, initial: email } },
  ]
  for (const { given, question } of asked) {
    const issue = given ? question.validate?.(given) : undefined
    if (issue) throw usageError(`${question.flag}: ${issue}`)
  }
  return asked
}

const appNameIssue = (value: string) => (/^[^\p{C}]{1,100}$/u.test(value) ? undefined : 'Expected 1 to 100 characters')

const appName = { message: 'Name of the application', flag: '--app-name <name>', validate: appNameIssue }

const baseURL: TextQuestion = {
  message: 'Public URL of the service',
  flag: '--base-url <url>',
  initial: 'http://localhost:4000',
  validate: baseURLIssue,
}
const database: TextQuestion = {
  message: 'Database: mysql://user:password@host:3306/name, or sqlite:./file.db',
  flag: '--database-url <url>',
  initial: 'sqlite:./latchkey.db',
  validate: databaseIssue,
}
const redis: TextQuestion = {
  message: 'Redis: redis://host:6379, or empty to count limits in memory',
  flag: '--redis-url <url>',
  initial: '',
  isOptional: true,
  validate: redisIssue,
}
const admin = {
  message: 'Email address of the first administrator',
  flag: '--admin-email <address>',
  validate: (value: string) => (isEmailAddress(value) ? undefined : 'Expected an email address'),
}

const nameOf = (directory: string): string => {
  const folder = basename(directory)
  return appNameIssue(folder) === undefined ? folder : 'Latchkey'
}

function domainOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? ''
  return isEmailAddress(`admin@${host}`) ? host : 'example.com'
}

function baseURLIssue(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    return 'Expected a URL such as https://accounts.example.com'
  return url.protocol === 'https:' || isLoopback(url.hostname) ? undefined : 'Passwords would be sent unencrypted: use https:'
}

function databaseIssue(value: string): string | undefined {
  if (/^sqlite:[^\s]/.test(value)) return undefined
  if (!value.startsWith('mysql:')) return 'Expected mysql://user:password@host:3306/name, or sqlite:./file.db'
  const address = parseDatabaseAddress(value)
  return 'message' in address ? `${address.message} ${address.hint}` : undefined
}

function redisIssue(value: string): string | undefined {
  const issue = value ? redisAddressIssue({ url: value }) : null
  return issue ? `${issue.message}: ${issue.hint}` : undefined
}

export const init = command('init', 'Create a configuration', {
  description:
    'Creates auth.config.ts, .env with a new secret, entries in .gitignore and the folder migrations. Uses DATABASE_URL, REDIS_URL, LATCHKEY_BASE_URL and LATCHKEY_SECRET from the environment without writing them to .env. Keeps the existing lines of .env.',
  examples: ['latchkey init', 'latchkey init --yes', 'latchkey init acme --app-name Acme --base-url https://auth.acme.example'],
  arguments: initArguments,
  options: initOptions,
  exitCodes: [4, 5],
  action: async (context) => {
    const { options, output, cwd, env } = context
    const { findExisting, isTypeless, writeProject } = await import('./project-files.ts')
    const directory = resolve(cwd, options.dir)
    findExisting(directory, options.force)
    const answers = await ask(context, directory)
    const files = writeProject({ directory, env, answers, force: options.force })
    const isEmbedded = (answers.databaseUrl || env.DATABASE_URL || '').startsWith('sqlite:')
    const next = [
      ...(options.dir === '.' ? [] : [`cd ${options.dir}`]),
      ...(isEmbedded ? [] : ['latchkey migrate generate', 'latchkey migrate up']),
      'latchkey seed',
      'latchkey start --detach',
    ]
    const shown = files.map(
      ({ path, outcome }) => `${outcome === 'unchanged' ? '=' : output.paint.green(outcome === 'created' ? '+' : '~')} ${path}`,
    )
    output.result('init/v1', { directory, files, next }, [...shown, '', 'Next:', ...next.map((line) => `  ${line}`)])
    if (isTypeless(directory)) output.info('Install latchkey in the project to get types in your editor.')
  },
})

async function ask({ prompt, env, options }: InitContext, directory: string): Promise<InitAnswers> {
  const asked = questions(options, env, directory)
  const open = asked.filter(({ given }) => given === undefined)
  const answers = await prompt.texts(open.map(({ question }) => question))
  const values = asked.map((each) => [each.key, each.given ?? answers[open.indexOf(each)] ?? ''] as const)
  return Object.assign({ appName: '', baseURL: '', databaseUrl: '', redisUrl: '', adminEmail: '' }, Object.fromEntries(values))
}

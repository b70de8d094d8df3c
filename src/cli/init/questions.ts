/** The questions of `latchkey init`, and the checks of their answers. */
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { parseDatabaseAddress } from '../../adapters/database/database-address.ts'
import { redisAddressIssue } from '../../adapters/redis-address.ts'
import { withDeadline } from '../../lib/async.ts'
import { isLoopback } from '../../lib/ip.ts'
import { errorReason } from '../../lib/redact.ts'
import { isEmailAddress } from '../../lib/text.ts'
import { rejectionHint, usageError } from '../../project/failure.ts'
import type { TextQuestion, Trial } from '../prompt.ts'
import { quoteValue } from '../wrong-value.ts'
import { databaseSetup } from './database-setup.ts'
import { methodsIssue, readMethods } from './sign-in-methods.ts'
import { providersIssue } from './social-providers.ts'

/** An empty URL is left to the environment or to `.env`. An empty Redis URL, list of providers or email address may also mean none. */
export type InitAnswers = Readonly<
  Record<'appName' | 'baseUrl' | 'databaseUrl' | 'redisUrl' | 'signIn' | 'social' | 'organizations' | 'adminEmail', string>
>

/** Answers as flags, before any question. */
export type GivenAnswers = { readonly [key in keyof InitAnswers]?: string | undefined }

/** The variables of `.env` that hold an answer. */
export const variableNames = {
  baseUrl: 'LATCHKEY_BASE_URL',
  databaseUrl: 'DATABASE_URL',
  redisUrl: 'REDIS_URL',
} as const satisfies Partial<Record<keyof InitAnswers, string>>

const socialQuestion: TextQuestion = {
  message: 'Social sign-in, such as google, github; or empty for none',
  flag: '--social <providers>',
  initial: '',
  isOptional: true,
  validate: providersIssue,
}

const organizationsQuestion: TextQuestion = {
  message: 'Organizations with members, invitations and teams: yes or no',
  flag: '--organizations',
  initial: 'no',
  isOptional: true,
  validate: (value) => (/^(y|yes|n|no)$/i.test(value) ? undefined : 'Expected yes or no'),
}

const signInQuestion: TextQuestion = {
  message: 'Sign-in methods: password, passkey, magic-link, email-code, or providers such as google',
  flag: '--sign-in <methods>',
  initial: 'password',
  isOptional: true,
  validate: methodsIssue,
}

/** Which folder `init --package` creates, if no argument names one. */
export const folderQuestion: TextQuestion = {
  message: 'Folder of the project',
  flag: '[dir]',
  initial: 'accounts',
  isOptional: true,
  validate: (value) => (/^[^\p{C}]{1,200}$/u.test(value) ? undefined : 'Expected the path of a folder'),
}

/** The questions of `init --package`, which ask less: each other answer has a flag. Words stand for the servers of its compose.yaml. */
export const packageQuestions = (directory: string): Partial<ReturnType<typeof questions>> => {
  const { baseUrl, databaseUrl, redisUrl } = questions(directory)
  return {
    baseUrl,
    databaseUrl: {
      ...databaseUrl,
      message: 'Database: embedded, mysql (in compose.yaml), or mysql://user:password@host:3306/name',
      initial: 'embedded',
      validate: (value) => (/^(embedded|mysql)$/.test(value) ? undefined : databaseIssue(value)),
      trial: async (value) => (/^(embedded|mysql)$/.test(value) ? null : tryDatabase(value)),
    },
    redisUrl: {
      ...redisUrl,
      message: 'Redis: none, redis (in compose.yaml), or redis://host:6379',
      initial: 'none',
      validate: (value) => (/^(none|redis)?$/.test(value) ? undefined : redisIssue(value)),
    },
    signIn: signInQuestion,
  }
}

/** Words of `packageQuestions` by the URL that they stand for; the MySQL of compose.yaml gets a new password. */
const urlOf = (word: string): string => {
  const urls: Readonly<Record<string, string>> = {
    embedded: 'sqlite:./latchkey.db',
    mysql: `mysql://latchkey:${randomBytes(18).toString('hex')}@127.0.0.1:3306/latchkey`,
    none: '',
    redis: 'redis://127.0.0.1:6379',
  }
  return urls[word] ?? word
}

/**
 * @param answerTo what a flag or a prompt has given, if anything
 * @returns all answers: words replaced by URLs, and providers among the sign-in methods added to the others
 */
export function withDefaults(directory: string, answerTo: (key: keyof InitAnswers) => string | undefined): InitAnswers {
  const given = (key: keyof InitAnswers) => answerTo(key) ?? ''
  const signIn = given('signIn')
  return {
    appName: answerTo('appName') ?? nameOf(directory),
    baseUrl: given('baseUrl'),
    databaseUrl: urlOf(given('databaseUrl')),
    redisUrl: urlOf(given('redisUrl')),
    signIn,
    social: [given('social'), readMethods(signIn).social].filter(Boolean).join(','),
    organizations: given('organizations'),
    adminEmail: given('adminEmail'),
  }
}

/** In the order in which they are asked. @param directory of the project */
export const questions = (directory: string): Readonly<Record<keyof InitAnswers, TextQuestion>> => ({
  appName: {
    message: 'Name of the application',
    flag: '--app-name <name>',
    initial: nameOf(directory),
    validate: appNameIssue,
  },
  baseUrl: {
    message: 'Public URL of the service',
    flag: '--base-url <url>',
    initial: 'http://localhost:4000',
    validate: baseURLIssue,
  },
  databaseUrl: {
    message: 'Database: mysql://user:password@host:3306/name, or sqlite:./file.db',
    flag: '--database-url <url>',
    initial: 'sqlite:./latchkey.db',
    validate: databaseIssue,
    trial: tryDatabase,
  },
  redisUrl: {
    message: 'Redis: redis://host:6379, or empty to count limits in memory',
    flag: '--redis-url <url>',
    initial: '',
    isOptional: true,
    validate: redisIssue,
  },
  signIn: signInQuestion,
  social: socialQuestion,
  organizations: organizationsQuestion,
  adminEmail: {
    message: 'Email address of the first administrator, or empty for none',
    flag: '--admin-email <address>',
    initial: '',
    isOptional: true,
    validate: (value) => (value === '' || isEmailAddress(value) ? undefined : 'Expected an email address'),
  },
})

/** @throws Failure USAGE for a flag with a wrong value */
export function checkFlag(key: keyof InitAnswers, { flag, validate }: TextQuestion, value: string | undefined): void {
  const issue = value ? validate?.(value) : undefined
  // These contain a password, which may not be recognized in a URL that is not valid.
  const isShown = key !== 'databaseUrl' && key !== 'redisUrl'
  if (issue) throw usageError(`${flag}: ${issue}${isShown ? `, ${quoteValue(value)}` : ''}`)
}

const appNameIssue = (value: string) => (/^[^\p{C}]{1,100}$/u.test(value) ? undefined : 'Expected 1 to 100 characters')

const nameOf = (directory: string): string => {
  const folder = basename(directory)
  return appNameIssue(folder) === undefined ? folder : 'Latchkey'
}

function baseURLIssue(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    return 'Expected a URL such as https://accounts.example.com'
  return url.protocol === 'https:' || isLoopback(url.hostname) ? undefined : 'Passwords would be sent unencrypted: use https:'
}

function databaseIssue(value: string): string | undefined {
  if (/^[a-z]+:.*[a-z]+:\/\//i.test(value)) return 'These are two addresses. Enter one'
  if (/^sqlite:\S+$/.test(value)) return undefined
  if (!value.startsWith('mysql:')) return 'Expected mysql://user:password@host:3306/name, or sqlite:./file.db'
  const address = parseDatabaseAddress(value)
  return 'message' in address ? `${address.message} ${address.hint}` : undefined
}

function redisIssue(value: string): string | undefined {
  const issue = value ? redisAddressIssue({ url: value }) : null
  return issue ? `${issue.message}: ${issue.hint}` : undefined
}

const trialMs = 5000

/** Connects as the daemon would. A SQLite file is created later, so there is nothing to try. */
async function tryDatabase(url: string): Promise<Trial | null> {
  if (url.startsWith('sqlite:')) return null
  const { parseConfig } = await import('../../project/config/parse-config.ts')
  const { featureList } = await import('../../features/index.ts')
  const { openDatabase } = await import('../../adapters/database/open.ts')
  const { readServerVersion } = await import('../../adapters/database/mysql-server.ts')
  const secret = randomBytes(32).toString('base64url')
  const parsed = parseConfig(featureList, { secret, baseURL: 'http://localhost', database: { url } })
  if ('issues' in parsed) return { isWorking: false, message: parsed.issues.map(({ message }) => message).join(' ') }
  const database = openDatabase(parsed.config.database)
  try {
    const version = readServerVersion(database.db)
    return { isWorking: true, message: `${await withDeadline(version, trialMs, 'no response within 5 s')} responds` }
  } catch (error) {
    const statements = rejectionHint(error) ? (databaseSetup(url)?.statements ?? []) : []
    return { isWorking: false, message: [`Cannot connect: ${errorReason(error)}`, ...statements].join('\n  ') }
  } finally {
    // A server that does not respond would delay it.
    void database.close().catch(() => {})
  }
}

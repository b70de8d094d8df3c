/** What `latchkey init` has to know, where each answer comes from, and what an answer must look like. */
import { basename } from 'node:path'
import { isEmailAddress } from '../../lib/email.ts'
import { isLoopback } from '../../lib/loopback.ts'
import { redisAddressFault } from '../../lib/redis-address.ts'
import type { Environment } from '../environment.ts'
import { exitCodes } from '../exit-codes.ts'
import { CliFailure } from '../failure.ts'
import type { TextQuestion } from '../prompt.ts'
import type { InitAnswers } from './files.ts'

interface Asked {
  readonly key: keyof InitAnswers
  /** Said by a flag; empty when the environment says it, which is then not written down. */
  readonly given: string | undefined
  readonly question: TextQuestion
}

type Given = Readonly<Partial<Record<'appName' | 'baseUrl' | 'databaseUrl' | 'redisUrl' | 'adminEmail', string | undefined>>>

/** @throws CliFailure USAGE for a flag with a wrong value */
export function questions(given: Given, env: Environment, directory: string): Asked[] {
  const asked: Asked[] = [
    { key: 'appName', given: given.appName, question: { ...appName, initial: nameOf(directory) } },
    { key: 'baseURL', given: given.baseUrl ?? inEnvironment(env, 'LATCHKEY_BASE_URL'), question: baseURL },
    { key: 'databaseUrl', given: given.databaseUrl ?? inEnvironment(env, 'DATABASE_URL'), question: database },
    { key: 'redisUrl', given: given.redisUrl ?? inEnvironment(env, 'REDIS_URL'), question: redis },
    {
      key: 'adminEmail',
      given: given.adminEmail,
      question: { ...admin, initial: `admin@${domainOf(given.baseUrl ?? env.LATCHKEY_BASE_URL ?? '')}` },
    },
  ]
  for (const each of asked) checkFlag(each)
  return asked
}

const appNameFault = (value: string) => (/^[^\p{C}]{1,100}$/u.test(value) ? undefined : 'Expected 1 to 100 characters')

const appName = { message: 'Name of the application', flag: '--app-name <name>', validate: appNameFault }

const baseURL: TextQuestion = {
  message: 'Address that browsers use',
  flag: '--base-url <url>',
  initial: 'http://localhost:4000',
  validate: baseURLFault,
}
const database: TextQuestion = {
  message: 'Database: mysql://user:password@host:3306/name, or an embedded one',
  flag: '--database-url <url>',
  initial: 'sqlite:./latchkey.db',
  validate: databaseFault,
}
const redis: TextQuestion = {
  message: 'Redis: redis://host:6379, or nothing for limits that are counted in process',
  flag: '--redis-url <url>',
  initial: '',
  isOptional: true,
  validate: redisFault,
}
const admin = {
  message: 'E-mail address of the first administrator',
  flag: '--admin-email <address>',
  validate: (value: string) => (isEmailAddress(value) ? undefined : 'Expected an e-mail address'),
}

const inEnvironment = (env: Environment, name: string): string | undefined => (env[name] || env[`${name}_FILE`] ? '' : undefined)

const nameOf = (directory: string): string => {
  const folder = basename(directory)
  return appNameFault(folder) === undefined ? folder : 'Latchkey'
}

function domainOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? ''
  return isEmailAddress(`admin@${host}`) ? host : 'example.com'
}

function checkFlag({ given, question: { flag, validate } }: Asked): void {
  const fault = given ? validate?.(given) : undefined
  if (fault) throw new CliFailure('USAGE', `${flag}: ${fault}`, { exitCode: exitCodes.usage })
}

function baseURLFault(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    return 'Expected an address such as https://accounts.example.com'
  return url.protocol === 'https:' || isLoopback(url.hostname) ? undefined : 'Passwords would travel in clear text: use https:'
}

function databaseFault(value: string): string | undefined {
  if (/^sqlite:[^\s]/.test(value)) return undefined
  const url = URL.parse(value)
  return url?.protocol === 'mysql:' && url.hostname && url.pathname.length > 1
    ? undefined
    : 'Expected mysql://user:password@host:3306/name, or sqlite:./file.db'
}

function redisFault(value: string): string | undefined {
  const fault = value ? redisAddressFault({ url: value }) : null
  return fault ? `${fault.message}: ${fault.hint}` : undefined
}

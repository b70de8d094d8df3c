/** Everything the outside world provides, in one plain object that functions take as first argument. */
import type { CompiledQuery, Kysely, RawBuilder, SqlBool } from 'kysely'
import type { Config, Database } from '../features/index.ts'
import { deviceName } from '../lib/device.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { CredentialHold } from './credential-hold.ts'
import type { Feature } from './feature.ts'
import type { Installation } from './installation.ts'
import type { Dashboard, Hasher, KeyValue, Logger, Mailer, Metrics, PictureResizer, Random, RateLimitStore } from './ports.ts'
import type { Preferences } from './preferences.ts'
import type { CallContext, Identity } from './request.ts'
import type { TablePrefix } from './table-prefix.ts'

interface Client {
  /** For display and storage; may be empty. */
  readonly ipAddress: string
  /** For limits, see `IncomingRequest`; absent: `ipAddress`. */
  readonly networkAddress?: string
  readonly requestId: string
  /** As the client sent it; any text. Absent: it sent none. */
  readonly userAgent?: string
}

/** Who acts: the daemon itself or one of its jobs, an operator at the command line, or the client of a call. */
export type Actor =
  | { readonly kind: 'system'; readonly job?: string; readonly requestId?: string }
  | { readonly kind: 'operator'; readonly name: string }
  | ({ readonly kind: 'anonymous' } & Client)
  | ({
      readonly kind: 'user'
      /** The user that acts; during impersonation the impersonated user. */
      readonly userId: string
      /** The administrator who impersonates the user. */
      readonly impersonatedBy?: string
      /** The bulk action of the user on whose behalf a daemon acts, after the call that created it. */
      readonly bulkActionId?: string
      readonly credential: Identity['credential']
    } & Client)

export interface App {
  readonly config: Config
  readonly db: Kysely<Database>
  /** What the database in use does in its own way: its errors, and limits of queries. */
  readonly database: DatabaseSupport
  /** Of the tables, during a move in the database of the application that is replaced; null otherwise. */
  readonly tablePrefix: TablePrefix | null
  /** Notes a call or a job that failed because the database is unavailable: an outage is logged once, its failures are counted. */
  readonly databaseFailed: (error: unknown) => void
  /** The enabled features, in list order. */
  readonly features: readonly (Feature & { readonly name: string })[]
  readonly kv: KeyValue
  readonly rateLimits: RateLimitStore
  readonly hasher: Hasher
  readonly keyring: Keyring
  readonly now: () => Date
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly actor: Actor
  /** The language and the time zone of the client of the call. */
  readonly preferences: () => Preferences
  /** Null when the configuration names no way to send mail. */
  readonly mailer: Mailer | null
  /** The files of the hosted pages; null when they are disabled, and for commands, which serve no pages. */
  readonly dashboard: Dashboard | null
  /** Null unless the app belongs to `latchkey dev`. */
  readonly development: Development | null
  /** Null for commands. */
  readonly installation: Installation | null
  /** Outbound HTTP to public IP addresses and configured hosts, with a deadline, a size limit and no redirects followed. */
  readonly fetch: typeof fetch
  /** The same for URLs that users have given: also configured hosts must have public IP addresses. */
  readonly fetchPublic: typeof fetch
  readonly resizePicture: PictureResizer
  /**
   * Starts work that the response does not wait for. The daemon waits for it when it stops, and tests do too. A failure is logged.
   * The work gets the outermost `app`, because the transaction of an inner one has ended by then.
   */
  readonly defer: (work: (app: App) => Promise<void>) => void
  /** Values that modules create once per app; see `memo`. */
  readonly memo: Map<object, unknown>
  /** Work that runs after the commit of the current transaction; null outside of one. See `afterCommit`. */
  readonly commitQueue: (() => Promise<void>)[] | null
  /** The credential on which each transaction of an authenticated call depends; null for all others. */
  readonly credentialHold: CredentialHold | null
}

/** The call in which a function runs, also in its transactions; null for a job or a command. */
export const callOf = (app: App): CallContext | null => ('request' in app && 'cookies' in app ? (app as CallContext) : null)

/** What the start page of `latchkey dev` shows. */
interface Development {
  /** The administrator that was created for this folder; null when passwords are disabled. */
  readonly administrator: { readonly email: string; readonly password: string } | null
}

/** Recognizes the database errors that the code handles. */
export interface DatabaseErrors {
  isUniqueViolation(error: unknown): boolean
  /** Deadlock, certification failure, busy: the whole transaction may be repeated. */
  isRetryable(error: unknown): boolean
  /** No connection in time, a lost connection, or a server that currently accepts no work. */
  isUnreachable(error: unknown): boolean
  /** The statement exceeded its timeout: the server does not respond, or is too busy. */
  isTimeout(error: unknown): boolean
  /** The statement names a table that does not exist. */
  isMissingTable(error: unknown): boolean
}

/** What each database does in its own way. */
export interface DatabaseSupport extends DatabaseErrors {
  /**
   * Limits the time of a query that only reads; past it, it fails with an error of which `isTimeout` is true.
   * @param milliseconds less than `database.queryTimeout`
   */
  limitTime(milliseconds: number): TimeLimit
  /** The number of rows of a table, as far as the database knows it without reading them all. */
  estimateRows(db: App['db'], table: string): Promise<number>
  /** Stands before the columns of a query that joins its tables in the order in which it names them. */
  readonly inJoinOrder: RawBuilder<unknown>
  /** Stands after the name of a table whose rows are found by their ids, however many. */
  readonly byPrimaryKey: RawBuilder<unknown>
  /** The number of rows that a query reads, as the database plans it; 0 when it cannot say. */
  estimateReads(db: App['db'], query: CompiledQuery): Promise<number>
}

export interface TimeLimit {
  /** The first condition of the query. @param column of the table that is searched */
  condition(column: string): RawBuilder<SqlBool>
  apply(query: CompiledQuery): CompiledQuery
}

/** The request that the actor sent; undefined for an operator or the system. */
export const requestIdOf = ({ actor }: Pick<App, 'actor'>): string | undefined =>
  'requestId' in actor ? actor.requestId : undefined

/** The browser and system of the client that acts, in words; null for others, and when it does not say. */
export function deviceOf({ actor }: Pick<App, 'actor'>): string | null {
  const userAgent = 'userAgent' in actor ? actor.userAgent : undefined
  return deviceName(userAgent?.slice(0, 1000) ?? null)?.slice(0, 100) ?? null
}

/** Latchkey itself, for what a request of anyone causes but does not ask for. @param job whose work it is */
export const actorFor = (app: Pick<App, 'actor'>, job: string): Actor => {
  const requestId = requestIdOf(app)
  return { kind: 'system', job, ...(requestId !== undefined && { requestId }) }
}

/** Whether an error means that the database is unreachable, too slow or too busy: the operation itself is not the cause. */
export const isUnavailable = ({ database }: Pick<App, 'database'>, error: unknown): boolean =>
  database.isUnreachable(error) || database.isTimeout(error) || database.isRetryable(error)

/**
 * Logs and counts a failure: during an outage of the database as one of many, else as unexpected.
 * @param what has failed, such as `A job`
 * @param fields of the line, such as the request ID
 */
export function reportFailure(app: App, error: unknown, what: string, fields: Readonly<Record<string, unknown>> = {}): void {
  const line = { err: error, ...fields }
  // Thousands may fail in one outage: their lines would fill the disk.
  if (isUnavailable(app, error)) {
    app.databaseFailed(error)
    app.log.debug(line, `${what} failed: the database is unavailable`)
    return
  }
  app.metrics.count('unexpected_error')
  app.log.error(line, `${what} failed unexpectedly`)
}

/**
 * An object with more or other members that inherits the rest by prototype. A spread would copy forty members per call, and would
 * lose the members that `app` itself inherits.
 */
export const extend = <T extends object, M extends object>(app: T, more: M): Omit<T, keyof M> & M =>
  Object.assign(Object.create(app), more) as Omit<T, keyof M> & M

/**
 * A value that is created once per app and has the lifetime of the app, so that modules need no state of their own.
 * @param make must not return undefined; called again if it throws, or if the promise that it returns is rejected
 * @returns a function that returns the value for an app
 */
export const memo =
  <A extends Pick<App, 'memo'>, T>(make: (app: A) => T) =>
  (app: A): T => {
    const known = app.memo.get(make)
    if (known !== undefined) return known as T
    const made = make(app)
    app.memo.set(make, made)
    if (made instanceof Promise) made.catch(() => app.memo.delete(make))
    return made
  }

/** Everything the outside world provides, in one plain object that functions take as first argument. */
import type { Kysely } from 'kysely'
import type { Config, Database } from '../features/index.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { NamedFeature } from './feature.ts'
import type { Hasher, KeyValue, Logger, Mailer, Metrics, Random, RateLimitStore } from './ports.ts'

/** Who is acting: nobody in particular, somebody at the command line, or the user of a call. */
export type Actor =
  | { readonly kind: 'system' }
  | { readonly kind: 'operator'; readonly name: string }
  | { readonly kind: 'user'; readonly userId: string; readonly address: string; readonly requestId: string }
  | { readonly kind: 'anonymous'; readonly address: string; readonly requestId: string }

export interface App {
  readonly config: Config
  readonly db: Kysely<Database>
  /** What the two databases answer differently at run time. */
  readonly database: DatabaseErrors
  /** The enabled features, in list order. */
  readonly features: readonly NamedFeature[]
  readonly kv: KeyValue
  readonly rateLimits: RateLimitStore
  readonly hasher: Hasher
  readonly keyring: Keyring
  readonly now: () => Date
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly actor: Actor
  /** Null when the configuration names no way to send mail. */
  readonly mailer: Mailer | null
  /** Outbound HTTP, with a deadline, a size limit and no redirects followed. */
  readonly fetch: typeof fetch
  /**
   * Work that the answer does not wait for; awaited when the daemon stops, and by tests. A failure is logged. It gets the
   * outermost `app`: the one at hand may stand inside a transaction that has ended by then.
   */
  readonly defer: (work: (app: App) => Promise<void>) => void
}

/** How a database names the failures that callers may handle. */
export interface DatabaseErrors {
  isUniqueViolation(error: unknown): boolean
  /** Deadlock, certification failure, busy: the transaction may be tried again as a whole. */
  isRetryable(error: unknown): boolean
  /** No connection within its deadline, a lost one, or a server that takes no work at the moment. */
  isUnreachable(error: unknown): boolean
  /** The statement took longer than its deadline: a server that is silent, or too busy. */
  isTimeout(error: unknown): boolean
}

/**
 * The same object with more or other members. It inherits by prototype: a spread would copy forty members per call,
 * and would lose what `app` itself inherits.
 */
export const extend = <T extends object, M extends object>(app: T, more: M): Omit<T, keyof M> & M =>
  Object.assign(Object.create(app), more) as Omit<T, keyof M> & M

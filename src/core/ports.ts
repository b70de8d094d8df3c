/** The contracts of what the outside world provides. Implementations live in `src/adapters`. */

/** A store for what may be lost: short-lived caches, generations. Never the only copy of anything. */
export interface KeyValue {
  /** One value or null per key, in the order of `keys`. */
  get(keys: readonly string[]): Promise<(string | null)[]>
  /** @param ttl seconds until the entry disappears */
  set(key: string, value: string, ttl: number): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Adds an entry to the end of a log in one step. Names of logs and keys have nothing to do with each other.
   * @returns its number: one more than the last, so that a number that is missing tells of a loss
   */
  append(log: string, entry: string, options: AppendOptions): Promise<number>
  /** @param after number of the last entry that is known already; null to ask for the last number only */
  readLog(log: string, after: number | null): Promise<LogTail>
  /** Resolves when the store answers; rejects with the reason when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface AppendOptions {
  /** Number of the entry when there is no such log, or no longer. */
  readonly first: number
  /** A log that has lost its end goes on above this number. */
  readonly above: number
  /** Seconds until the entry disappears; its number stays used. */
  readonly ttl: number
}
export interface LogTail {
  /** Null when there is no such log. */
  readonly last: number | null
  /** What follows `after` up to the last, null where an entry has disappeared; null in all when it is more than a thousand. */
  readonly entries: readonly (string | null)[] | null
}

/** `window` in seconds, `max` calls allowed in it. */
export interface RateLimitRule {
  readonly window: number
  readonly max: number
}

/** `retryAfter` in whole seconds; 0 when allowed. */
export interface RateLimitDecision {
  readonly allowed: boolean
  readonly retryAfter: number
}

export interface RateLimitCount {
  readonly count: number
  /** Milliseconds since 1970. */
  readonly lastRequest: number
}

/**
 * Decides and counts in one step (contract 00 §7): a refused call leaves no trace, an allowed one slides the window.
 * `take` never rejects because its backend is away: an implementation falls back to counting in process.
 */
export interface RateLimitStore {
  /** Whether other processes count in the same place, so that a command sees what a daemon has counted. */
  readonly isShared: boolean
  take(key: string, rule: RateLimitRule): Promise<RateLimitDecision>
  /**
   * What was counted last for each of `keys`, in their order, also when its window is over; nothing is counted by this.
   * Rejects when the backend is away.
   */
  find(keys: readonly string[]): Promise<(RateLimitCount | null)[]>
  /** Forgets: the next call is the first one. Rejects when the backend is away. @returns how many of them were counted */
  delete(keys: readonly string[]): Promise<number>
  close(): Promise<void>
}

/** Functions of the configuration that hash passwords in place of argon2id. */
export interface CustomHash {
  readonly hash: (password: string) => string | Promise<string>
  readonly verify: (data: { readonly hash: string; readonly password: string }) => boolean | Promise<boolean>
}

/** Hashes passwords off the event loop. Beyond its bound it throws `ApiError` 503 with `Retry-After`. */
export interface Hasher {
  /** @returns a PHC string, or what a function of the configuration has made, marked as its own */
  hash(password: string): Promise<string>
  /**
   * @returns whether the password belongs to the stored text; of a text of no known format a function of the configuration
   * decides, and without one it belongs to none
   */
  verify(stored: string, password: string): Promise<boolean>
  /** Whether the stored text was made with other parameters than the configured ones. */
  needsRehash(stored: string): boolean
  /** A hash by a function of the configuration that belongs to no password, for doing its work in vain; null without one. */
  decoy(): Promise<string | null>
  /** Which library does the work: `argon2` or `@node-rs/argon2`. */
  readonly implementation: string
}

export interface Random {
  /** 32 characters of `a-zA-Z0-9`. */
  id(): string
  /** @param alphabet at most 256 different characters; `a-zA-Z0-9` when left out */
  token(length: number, alphabet?: string): string
  bytes(length: number): Uint8Array
}

/** A mail as it goes out; `text` and `html` say the same. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A mail on its way. `id` is the same each time it is tried, so that whoever gets it twice can tell. */
export type IdentifiedMail = Mail & { readonly id: string }

/** Hands a mail over to whoever delivers it; used by the outbox only. @throws Error when it was not taken, so that it is tried again */
export interface Mailer {
  deliver(mail: IdentifiedMail): Promise<void>
  /** Resolves when whoever delivers would take a mail; rejects with the reason when not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The part of pino's interface that the product uses. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Logger
}

/** What the product counts and times; the adapter turns it into Prometheus metrics. */
export interface Metrics {
  /** Adds one to a counter declared by the adapter. */
  count(name: MetricName, labels?: Readonly<Record<string, string>>): void
  /** @param seconds duration of one observation */
  observe(name: TimingName, seconds: number, labels?: Readonly<Record<string, string>>): void
}
export type MetricName = 'rate_limited' | 'rate_limit_fallback' | 'hash_rejected' | 'database_retry' | 'unexpected_error'
export type TimingName = 'request_duration' | 'hash_duration'

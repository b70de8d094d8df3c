/** Interfaces to the outside world. Implementations are in `src/adapters`. */
import type { PublicSettings } from '../features/index.ts'
import type { WindowRecord } from '../lib/sliding-window.ts'
import type { Recipe } from '../lib/weak-hashes.ts'
import type { HostedPages } from './hosted.ts'
import type { Page } from './reply.ts'

/** A store for values that may be lost, such as caches. Each operation handles all of its keys in one step. */
export interface KeyValue {
  /** One value or null per key, in the order of `keys`. */
  get(keys: readonly string[]): Promise<(string | null)[]>
  /**
   * Stores a value unless the key has one.
   * @param ttlSeconds until the entry disappears
   */
  add(key: string, value: string, ttlSeconds: number): Promise<void>
  delete(keys: readonly string[]): Promise<void>
  /** Changes with each new connection: a server that was restarted or replaced may have lost the newest writes. */
  connection(): number
  /** Resolves when the store responds; otherwise rejects with the reason. */
  ping(): Promise<void>
}

/** Keys of rows of a file, by which a second one with the same key is found. */
export interface SeenKeys {
  /** @param line from 1 @returns the line that has the key already; null: none has */
  add(key: string, line: number): number | null
  has(key: string): boolean
  close(): void
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

/**
 * Decides and counts in one step (contract 00 §7): a rejected request changes nothing, an allowed one slides the window.
 * With a fallback, `take` does not reject while the backend is unavailable: it counts in this process instead.
 */
export interface RateLimitStore {
  /** Whether all processes share the counts, so that a command reads the counts of a daemon. */
  readonly isShared: boolean
  /** Whether requests are counted in the memory of this process now, because the store does not respond; absent: never. */
  readonly isFallback?: () => boolean
  take(key: string, rule: RateLimitRule): Promise<RateLimitDecision>
  /**
   * Returns the latest count of each key, in their order, even when its window is over. This counts nothing.
   * Rejects when the backend is unavailable.
   */
  find(keys: readonly string[]): Promise<(WindowRecord | null)[]>
  /** Deletes counts. Rejects when the backend is unavailable. @returns the number of deleted counts */
  delete(keys: readonly string[]): Promise<number>
  close(): Promise<void>
}

/** Functions of the configuration that hash passwords instead of argon2id. */
export interface CustomHash {
  readonly hash: (password: string) => string | Promise<string>
  readonly verify: (data: { readonly hash: string; readonly password: string }) => boolean | Promise<boolean>
}

/** Hashes passwords off the event loop. Beyond its bound it throws `ApiError` 503 with `Retry-After`. */
export interface Hasher {
  /** @returns a PHC string, or the marked result of a custom hash function */
  hash(password: string): Promise<string>
  /** Hashes a weak hash of another system again, with argon2id. */
  wrap(recipe: Recipe, value: string): Promise<string>
  /** Texts of unknown schemes are verified by the custom hash function; without one they match no password. */
  verify(stored: string, password: string): Promise<boolean>
  /** Whether the stored text was made with parameters other than the configured ones. */
  needsRehash(stored: string): boolean
  /** A hash of the custom hash function that matches no password, so that a failed check can do its work; null without one. */
  decoy(): Promise<string | null>
  /** The library in use: `argon2` or `@node-rs/argon2`. */
  readonly implementation: string
}

/** Of a picture that the resizer has made: its base64 fits into a text column. */
export const mostPictureBytes = 49_149

/**
 * Makes a small square of a picture of anyone, as WebP and without anything else that its file has, such as where it was taken.
 * @param bytes of a file of any kind
 * @returns `mostPictureBytes` at most; null when it is not a JPEG, PNG or WebP file, is broken or has too many pixels, or when too many wait
 */
export type PictureResizer = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer> | null>

export interface Random {
  /** 32 characters of `a-zA-Z0-9`. */
  id(): string
  /** @param alphabet at most 256 different characters; default `a-zA-Z0-9` */
  token(length: number, alphabet?: string): string
  bytes(length: number): Uint8Array
}

/** A rendered mail; `text` and `html` have the same content. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The language, such as `de`; absent when a template of the configuration has written it. */
  readonly locale?: string
}

/** A mail with an `id` that is the same on every delivery attempt, so that a recipient can recognize duplicates. */
export type IdentifiedMail = Mail & { readonly id: string }

/** Delivers mail; only the outbox uses it. */
export interface Mailer {
  /** @throws Error when the mail was not accepted, so that the outbox retries */
  deliver(mail: IdentifiedMail): Promise<void>
  /** Resolves when the transport would accept a mail; otherwise rejects with the reason. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A file that pages load from their own origin. */
export interface PageFile {
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A file of the hosted pages, as it is and compressed. */
export interface DashboardFile extends PageFile {
  readonly br: Uint8Array<ArrayBuffer> | null
  readonly gzip: Uint8Array<ArrayBuffer> | null
  /** Of its response, in addition to those of every file. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The pages and their built files. */
export interface Dashboard {
  /** Pages of the application, which its script renders: by their path below that of the pages, with a slash at the start. */
  readonly pages: ReadonlyMap<string, Page>
  /** Pages that the server renders. */
  readonly hosted: HostedPages
  /** The same pages with other settings, such as a brand that is only proposed. */
  readonly withSettings: (settings: PublicSettings) => Promise<HostedPages>
  /** Headers of every page. */
  readonly headers: Record<string, string>
  /** By their path below that of the pages: `assets/index-x1y2z3.js`. */
  readonly files: ReadonlyMap<string, DashboardFile>
}

/** The part of pino's interface that the product uses. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Logger
}

/** Counters and timings; the adapter exports them as Prometheus metrics. */
export interface Metrics {
  /** Adds to a counter declared by the adapter. @param amount default 1 */
  count(name: MetricName, labels?: Readonly<Record<string, string>>, amount?: number): void
  /** @param seconds duration of one observation */
  observe(name: TimingName, seconds: number, labels?: Readonly<Record<string, string>>): void
}
type MetricName =
  | 'sign_in'
  | 'sign_in_failed'
  | 'challenge'
  | 'second_factor'
  | 'second_factor_reset'
  | 'rate_limited'
  | 'rate_limit_fallback'
  | 'hash_rejected'
  | 'database_retry'
  | 'database_unavailable'
  | 'unexpected_error'
  | 'delivery'
  | 'audit_discarded'
  | 'sweep_unfinished'
  | 'log_lines'
  | 'sign_in_mail'
type TimingName = 'request_duration' | 'hash_duration' | 'job_duration' | 'database_wait' | 'sign_in_mail_delay'

/** A record of `rateLimit.customStorage`. */
export interface StoredRateLimit extends WindowRecord {
  readonly key: string
}

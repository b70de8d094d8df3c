/** The public entry `latchkey/server`: sessions of Latchkey in the servers of apps. */
export type { SetCookies } from './daemon-calls.ts'
export type { HeaderSource } from './headers.ts'
export {
  type CookieCacheOptions,
  SessionError,
  type SessionErrorCode,
  type SessionReaderOptions,
  type TokenOptions,
} from './options.ts'
export { createSessionReader, type SessionReader } from './session-reader.ts'
export type { VerifiedSession } from './verified-session.ts'

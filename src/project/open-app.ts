/** Opens the app of a configuration and waits for its database. Loads the whole server, so import it on demand. */
import { type OpenApp, type OpenOptions, openApp } from '../app.ts'
import { errorProperty } from '../lib/driver-errors.ts'
import { errorReason } from '../lib/redact.ts'
import { configFailure, exitCodes, Failure, rejectionHint, unreachableFailure } from './failure.ts'
import type { LoadedConfig } from './load-config.ts'

/**
 * Opens the app and prepares it; closes it when that fails.
 * @param prepare such as waiting for the database, since opening connects to no server
 * @throws Failure UNREACHABLE for a database file, CONFIG_INVALID for an address that cannot be used, and as `prepare`
 */
export async function openProjectApp(
  loaded: LoadedConfig,
  options: OpenOptions,
  prepare: (opened: OpenApp) => Promise<void>,
): Promise<OpenApp> {
  const opened = await open(loaded, options)
  try {
    await prepare(opened)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function open({ config }: LoadedConfig, options: OpenOptions): Promise<OpenApp> {
  try {
    return await openApp(config, options)
  } catch (cause) {
    if (errorProperty(cause, 'code') === 'ERR_SQLITE_ERROR') throw unreachableFailure('Cannot open the database', cause)
    const hint = 'Find the origin of the value: `latchkey config show --origin`.'
    throw configFailure('CONFIG_INVALID', errorReason(cause), { hint, cause })
  }
}

interface WaitOptions {
  /** How long to retry; 0 for one attempt. */
  readonly seconds: number
  /** Ends the wait with the failure of the last attempt. */
  readonly signal?: AbortSignal
  /** Receives one message when the first attempt has failed. */
  readonly info: (message: string) => void
}

const retryDelayMs = 500

/** @throws Failure UNREACHABLE, DATABASE_REFUSED (6) */
export async function waitForDatabase(
  database: Pick<OpenApp['database'], 'ping' | 'errors'>,
  { seconds, signal, info }: WaitOptions,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.ping()
    } catch (error) {
      if (!database.errors.isUnreachable(error)) throw accessFailure(error)
      if (performance.now() + retryDelayMs > end || signal?.aborted)
        throw unreachableFailure('Cannot connect to the database', error)
      if (attempt === 1) info(`Waiting up to ${seconds} s for the database`)
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
    }
  }
}

/** @throws Failure DATABASE_UNSUPPORTED when no write can succeed on this server */
export async function requireSupported(database: Pick<OpenApp['database'], 'findUnsupported'>): Promise<void> {
  const unsupported = await database.findUnsupported()
  if (unsupported) throw new Failure('DATABASE_UNSUPPORTED', unsupported.message, { hint: unsupported.hint })
}

/** The server responds with an error (wrong password, unknown database, missing privilege), or its certificate is not accepted. */
const accessFailure = (cause: unknown): Failure =>
  new Failure('DATABASE_REFUSED', `The database rejected the connection: ${errorReason(cause)}`, {
    exitCode: exitCodes.unreachable,
    retryable: false,
    hint: rejectionHint(cause) ?? (errorProperty(cause, 'code') === certificateCode ? certificateHint : accessHint),
    cause,
  })

/** mysql2's code for a handshake that failed. */
const certificateCode = 'HANDSHAKE_SSL_ERROR'
const certificateHint =
  'Name the server in database.url by a host name or IP address that its certificate has, and set database.ca to the certificate of its authority.'
const accessHint = 'Check user, password and database name in its address: `latchkey config show --origin`.'

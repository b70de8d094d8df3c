/** Opens what a configuration names, for a command. Apart from `run.ts` because all of the server comes with it. */
import { errorProperty } from '../adapters/database/dialect.ts'
import { createLog } from '../adapters/log.ts'
import { createMetrics } from '../adapters/metrics.ts'
import { type OpenApp, openApp } from '../app.ts'
import type { Actor } from '../core/app.ts'
import { maskSecrets } from '../lib/mask-secrets.ts'
import type { GlobalOptions } from './command.ts'
import { unreachableFailure } from './describe-failure.ts'
import { exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'
import type { LoadedConfig } from './load-config.ts'
import type { Output } from './output.ts'

export interface OpenOptions {
  readonly global: GlobalOptions
  readonly output: Output
  readonly actor: Actor
  readonly signal: AbortSignal
  /** Seconds. */
  readonly waitForDatabase?: number
}

/** @throws CliFailure UNREACHABLE, DATABASE_REFUSED (6) when the database does not answer */
export async function openCommandApp({ config }: LoadedConfig, options: OpenOptions): Promise<OpenApp> {
  const { global, actor, output } = options
  const log = await createLog({ level: global.debug ? 'debug' : 'warn', destination: 2, pretty: !global.json, colour: false })
  const opened = await openApp(config, { log, actor, metrics: createMetrics().metrics }).catch((error: unknown) => {
    throw openingFailure(error)
  })
  try {
    await waitForDatabase(opened.database, options.waitForDatabase ?? 0, { signal: options.signal, output })
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Servers are connected to later: what fails here is a file, or an address of a wrong form. */
export function openingFailure(cause: unknown): CliFailure {
  const message = cause instanceof Error ? maskSecrets(cause.message) : 'unknown reason'
  if (errorProperty(cause, 'code') === 'ERR_SQLITE_ERROR') return unreachableFailure('The database could not be opened', cause)
  return new CliFailure('CONFIG_INVALID', message, {
    exitCode: exitCodes.configInvalid,
    hint: 'See where the value is from: `latchkey config show --origin`.',
    cause,
  })
}

type Pinged = Pick<OpenApp['database'], 'ping' | 'errors'>

/** Milliseconds between two attempts. */
const pause = 500

/**
 * @param seconds how long to go on trying; 0 for one attempt
 * @throws CliFailure UNREACHABLE, DATABASE_REFUSED (6)
 */
export async function waitForDatabase(
  database: Pinged,
  seconds: number,
  { signal, output }: { readonly signal: AbortSignal; readonly output: Pick<Output, 'info'> },
): Promise<void> {
  const end = performance.now() + seconds * 1000
  let hasTold = false
  for (;;) {
    try {
      return await database.ping()
    } catch (error) {
      if (!database.errors.isUnreachable(error)) throw refusedFailure(error)
      if (performance.now() + pause > end || signal.aborted) throw unreachableFailure('The database could not be reached', error)
      if (!hasTold) output.info(`Waiting up to ${seconds} s for the database`)
      hasTold = true
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** It answers, but not to us: wrong password, no such database, no right. */
function refusedFailure(cause: unknown): CliFailure {
  const message = cause instanceof Error ? maskSecrets(cause.message) : 'unknown reason'
  return new CliFailure('DATABASE_REFUSED', `The database refuses: ${message}`, {
    exitCode: exitCodes.unreachable,
    retryable: false,
    hint: 'Check user, password and name of the database in its address: `latchkey config show --origin`.',
    cause,
  })
}

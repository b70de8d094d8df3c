/** What a copy needs before its first write, and what follows after its last one. */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Lease } from '../../adapters/database/lease.ts'
import type { OpenApp } from '../../app.ts'
import type { App } from '../../core/app.ts'
import type { KindCounts, KindName, Move } from '../../features/move/index.ts'
import { exitCodes, Failure } from '../../project/failure.ts'
import type { Context } from '../command.ts'
import { checkAnswers } from './apply-checks.ts'
import { refused, requireNotFinal } from './same-schema.ts'
import type { OpenedSource } from './source-options.ts'

export interface ApplyOptions {
  readonly final: boolean
  readonly ids: 'digits' | 'text' | undefined
  readonly onConflict: 'stop' | 'skip' | 'newest'
  readonly skip: readonly string[]
  readonly only: readonly string[]
  readonly discardChanges: boolean
  readonly ignoreConnections: boolean
  readonly sameSchema: boolean
  readonly verifyEmails: boolean
  readonly showAddresses: boolean
}
export type ApplyContext = Pick<Context<ApplyOptions>, 'options' | 'output'>

/** Milliseconds for which a lease lasts that is not renewed. */
const leaseMs = 5000

/** Migrations and moves exclude each other. @throws Failure LOCK_HELD */
export async function holdLease(app: App, database: OpenApp['database']): Promise<Lease> {
  const { acquireLease, createLeaseTable, findLeaseHolder } = await import('../../adapters/database/lease.ts')
  const { errors, clock } = database.dialect
  const lock = { db: app.db, errors, clock, name: 'migrations', holder: `move ${hostname()} ${process.pid}`, ttl: leaseMs }
  await createLeaseTable(app.db)
  // A killed run holds it until it ends.
  for (const end = performance.now() + leaseMs + 1000; ; ) {
    const lease = await acquireLease(lock)
    if (lease) return lease
    if (performance.now() > end) break
    await pause(200)
  }
  const holder = await findLeaseHolder(lock)
  throw new Failure('LOCK_HELD', `Another process writes to this database: ${holder ?? 'unknown'}`, {
    exitCode: exitCodes.locked,
  })
}

/** Which database it is, without the account that reads it. */
export function sourceName(url: string): string {
  const parsed = URL.parse(url)
  const place = parsed?.host ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : url
  return createHash('sha256').update(place).digest('hex').slice(0, 32)
}

export interface Preparation {
  readonly app: App
  readonly opened: OpenedSource
  readonly duplicates: readonly { readonly address: string; readonly ids: readonly string[] }[]
}

/** @throws Failure with exit code 5 when a copy would lose or damage something */
export async function prepareMove(context: ApplyContext, preparation: Preparation): Promise<Move> {
  const { app, opened } = preparation
  const { createMoveTables, findMove, mappingOf, writeMove } = await import('../../features/move/index.ts')
  const { recordEvent } = await import('../../features/audit/index.ts')
  await checkSource(preparation)
  checkAnswers(context, preparation)
  // The application goes on using its other tables in the same database.
  const { final, ignoreConnections, sameSchema } = context.options
  if (final && !ignoreConnections && !sameSchema) await checkConnections(opened)
  await createMoveTables(app)
  const known = await findMove(app)
  const source = sourceName(opened.url)
  if (known) requireNotFinal(known)
  if (known && known.source !== source)
    throw refused(
      'MOVE_OTHER_SOURCE',
      'Another database is being moved here',
      'Name the same database, or end that move with latchkey move finish.',
    )
  if (known) await checkUntouched(context, app, known)
  const { generation } = opened.recognized
  const ids = context.options.ids ?? known?.details.ids ?? 'text'
  const now = app.now().toISOString()
  const mapping = mappingOf(opened.recognized)
  const verifyEmails = context.options.verifyEmails || (known?.details.verifyEmails ?? false)
  const started = known ?? { source, state: 'copying', startedAt: now, appliedAt: null, details: { generation, mapping, ids } }
  const move: Move = { ...started, details: { ...started.details, verifyEmails } }
  await writeMove(app, move)
  const details = { source: `better-auth ${generation}`, ...(verifyEmails && { verifyEmails }) }
  if (!known) await recordEvent(app, { action: 'move.started', details })
  return move
}

async function checkSource({ app, opened }: Preparation): Promise<void> {
  const { findWrongSecret } = await import('../../features/move/index.ts')
  const { source, recognized, settings } = opened
  const wrong = await findWrongSecret({ source, tables: recognized.tables, settings })
  if (wrong.length > 0) throw wrongSecret(wrong)
  const [secret] = settings.formerSecrets
  if (secret === undefined) throw wrongSecret([])
  if (!app.keyring.rawKeys().some((key) => Buffer.from(key).toString() === secret))
    throw refused(
      'FORMER_SECRET_MISSING',
      'The configuration does not have the secret of better-auth, so that every user would be signed out',
      'Set secret to it, or list it after a new one: secret: [process.env.LATCHKEY_SECRET, process.env.BETTER_AUTH_SECRET].',
    )
}

export const wrongSecret = (tables: readonly KindName[]): Failure =>
  refused(
    'FORMER_SECRET_WRONG',
    tables.length === 0
      ? 'The secret of better-auth is missing'
      : `The secret of better-auth is missing or another one: it does not open ${tables.join(' and ')}`,
    'Set BETTER_AUTH_SECRET to the secret of the application, or name its variable with --secret-env.',
  )

async function checkConnections({ source }: OpenedSource): Promise<void> {
  const count = await source.connections()
  if (count > 0)
    throw refused(
      'MOVE_SOURCE_IN_USE',
      `${count} other connections to the old database are open, which may still write`,
      'Stop the old application first. If it cannot write any more, add --ignore-connections.',
    )
}

/** @throws Failure MOVE_TARGET_CHANGED */
async function checkUntouched({ options, output }: ApplyContext, app: App, move: Move): Promise<void> {
  const { discardChanges, findChanges } = await import('../../features/move/index.ts')
  const changes = await findChanges(app, move)
  const total = changes.reduce((sum, { made, changed }) => sum + made + changed, 0)
  if (total === 0) return
  if (options.discardChanges) {
    await discardChanges(app, move)
    output.warn(`Discarded what was written at Latchkey since the last run: ${total} rows`)
    return
  }
  throw refused(
    'MOVE_TARGET_CHANGED',
    'Latchkey has written rows since the last run: a copy would overwrite them',
    'After the switch no copy is possible. Before it, add --discard-changes to remove what your own tests have written.',
    changes
      .filter(({ made, changed }) => made + changed > 0)
      .map(({ kind, made, changed }) => ({
        ...{ id: 'changed', path: kind },
        message: `${made} new, ${changed} changed`,
      })),
  )
}

interface RunRecord {
  readonly move: Move
  readonly counts: readonly KindCounts[]
  readonly seconds: number
}

/** @returns the move as it is recorded then */
export async function recordRun(app: App, { move, counts, seconds }: RunRecord): Promise<Move> {
  const { latestTimes, writeMove } = await import('../../features/move/index.ts')
  const details = {
    ...{ ...move.details, seconds, latest: await latestTimes(app) },
    counts: Object.fromEntries(counts.map(({ kind, rows, left }) => [kind, { rows, moved: rows - left, left }])),
  }
  const applied: Move = { ...move, appliedAt: app.now().toISOString(), details }
  await writeMove(app, applied)
  return applied
}

/** Compares both sides after the last run. @returns whether Latchkey may serve */
export async function checkRun(output: ApplyContext['output'], app: App, opened: OpenedSource): Promise<boolean> {
  const { checkMove } = await import('../../features/move/index.ts')
  const { source, recognized, settings } = opened
  const checks = await checkMove({ app, source, tables: recognized.tables, settings, samples: 200 })
  const differences = checks.flatMap((check) => check.differences)
  if (differences.length === 0) return true
  output.failure(
    `The old database and Latchkey differ: ${differences.slice(0, 10).join(', ')}. Latchkey does not serve; keep the old application`,
  )
  return false
}

/** Lets Latchkey serve. */
export async function finalize(
  output: ApplyContext['output'],
  app: App,
  move: Move,
  counts: readonly KindCounts[],
): Promise<void> {
  const { writeMove } = await import('../../features/move/index.ts')
  const { recordEvent } = await import('../../features/audit/index.ts')
  await writeMove(app, { ...move, state: 'final' })
  const moved = Object.fromEntries(counts.map(({ kind, rows, left }) => [kind, rows - left]))
  await recordEvent(app, { action: 'move.completed', details: moved })
  output.info('The move is final: daemons that were started with --wait-for-move serve now')
}

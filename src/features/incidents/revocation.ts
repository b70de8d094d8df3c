/** Revokes the sessions that match a filter: by a command itself, or as work of the daemons for a call. */
import { type Actor, type App, actorFor, extend } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { allows, grantsOf } from '../../core/permissions.ts'
import { transaction } from '../../core/transaction.ts'
import { workInTurn } from '../../core/turns.ts'
import { dayMs } from '../../lib/iso-time.ts'
import { recordEvent } from '../audit/index.ts'
import { countMatching, type MatchCount, revokeMatching, setRunningRevocations } from '../sessions/index.ts'
import { findUserById } from '../users/index.ts'
import { isEmptyFilter, matchesOf } from './filter.ts'
import { errors, type RevocationFilter, type RevocationRow, type RevocationState } from './model.ts'

/** @throws ApiError INCIDENT_FILTER_REQUIRED */
function requireFilter(filter: RevocationFilter): void {
  if (isEmptyFilter(filter)) throw new ApiError(errors.INCIDENT_FILTER_REQUIRED)
}

/**
 * Counts the sessions of a filter. It changes nothing.
 * @throws ApiError INCIDENT_FILTER_REQUIRED
 */
export function countSessions(
  app: App,
  filter: RevocationFilter,
  options: { readonly signal: AbortSignal; readonly isLate?: () => boolean },
): Promise<MatchCount> {
  requireFilter(filter)
  return countMatching(app, matchesOf(filter), options)
}

const running = ({ db }: App) => db.selectFrom('incidentRevocation').where('state', '=', 'running').orderBy('createdAt')

/** Reads the running revocations into the memory of this process, which rejects their sessions from then on. */
export async function refreshRevocations(app: App): Promise<void> {
  const rows = await running(app).select(['filter', 'createdAt']).execute()
  setRunningRevocations(
    app,
    rows.map(({ filter, createdAt }) => ({ started: createdAt, matches: matchesOf(filter) })),
  )
}

interface RevocationOptions {
  readonly reason?: string | undefined
  /** Stops after the current batch; sessions revoked until then stay revoked. */
  readonly signal: AbortSignal
  /** Called after each batch with the number revoked so far. */
  readonly onProgress?: (revoked: number) => void
}

/**
 * Revokes the sessions of a filter, with one event for all of them, also when it is stopped.
 * @returns how many were revoked
 * @throws ApiError INCIDENT_FILTER_REQUIRED
 */
export async function revokeByFilter(app: App, filter: RevocationFilter, options: RevocationOptions): Promise<number> {
  const row = await createRevocation(app, filter, options.reason)
  let state: Exclude<RevocationState, 'running'> = 'stopped'
  try {
    const revoked = await revokeCounted(app, row, options)
    state = 'completed'
    return revoked
  } finally {
    await endRevocation(app, row, state)
  }
}

const retentionMs = 30 * dayMs
/** The longest that a command runs. What it has left after that, because it was killed, a daemon does. */
const commandMs = 3_600_000

/**
 * Creates a revocation. Every worker rejects its sessions within a second; a daemon starts to delete them within seconds, unless a command
 * does it itself.
 * @throws ApiError INCIDENT_FILTER_REQUIRED
 */
export async function createRevocation(app: App, filter: RevocationFilter, reason?: string): Promise<RevocationRow> {
  requireFilter(filter)
  const { actor } = app
  const createdAt = app.now()
  const row: RevocationRow = {
    ...{ id: app.random.id(), filter, reason: reason ?? null, state: 'running', revoked: 0, createdAt, endedAt: null },
    createdBy: actor.kind === 'user' ? actor.userId : null,
    actorName: actor.kind === 'operator' ? actor.name.slice(0, 64) : null,
    expiresAt: new Date(createdAt.getTime() + retentionMs),
  }
  const stored = { ...row, filter: JSON.stringify(filter) }
  await transaction(app, async (tx) => void (await tx.db.insertInto('incidentRevocation').values(stored).execute()))
  await refreshRevocations(app)
  return row
}

/** The job that works on all running revocations, but for those of commands that may still run. */
export const runRevocations = (app: App, signal: AbortSignal): Promise<void> =>
  workInTurn(app, signal, {
    what: 'A revocation',
    idName: 'revocationId',
    find: async () => {
      const rows = await running(app).selectAll().execute()
      const latest = app.now().getTime() - commandMs
      return rows.filter(({ createdBy, createdAt }) => createdBy !== null || createdAt.getTime() < latest)
    },
    step: (row) => runRevocation(app, row, signal),
  })

/** Until it has ended. A run that is interrupted goes on in another process. */
async function runRevocation(app: App, row: RevocationRow, signal: AbortSignal): Promise<void> {
  const job = extend(app, { actor: actorFor(app, 'incidents.revocations') })
  if (!(await isPermitted(app, row))) return endRevocation(job, row, 'stopped')
  const acting = extend(app, { actor: actorOf(row) })
  await revokeCounted(acting, row, { signal })
  await endRevocation(acting, row, 'completed')
}

/** Counts in the row too, where others see the progress. */
const revokeCounted = (
  app: App,
  { id, filter, createdAt: started }: RevocationRow,
  { signal, onProgress }: Pick<RevocationOptions, 'signal' | 'onProgress'>,
): Promise<number> =>
  revokeMatching(app, {
    ...{ matches: matchesOf(filter), started, signal, onProgress },
    count: async (tx, revoked) => {
      const counting = tx.db.updateTable('incidentRevocation').set((eb) => ({ revoked: eb('revoked', '+', revoked) }))
      await counting.where('id', '=', id).execute()
    },
  })

/** A call creates it with a session only, so that it has the permissions of the roles. */
function actorOf({ createdBy: userId, actorName }: RevocationRow): Actor {
  if (userId === null) return { kind: 'operator', name: actorName ?? '' }
  return { ...{ kind: 'user', userId, credential: { kind: 'cookie', id: '' } }, ...{ ipAddress: '', requestId: '' } }
}

async function isPermitted(app: App, { createdBy }: RevocationRow): Promise<boolean> {
  if (createdBy === null) return true
  const user = await findUserById(app, createdBy)
  return user !== null && !user.banned && allows(await grantsOf(app, user), { incident: ['revoke'] })
}

async function endRevocation(
  app: App,
  { id, filter, reason }: RevocationRow,
  state: Exclude<RevocationState, 'running'>,
): Promise<void> {
  await transaction(app, async (tx) => {
    const ending = tx.db.updateTable('incidentRevocation').set({ state, endedAt: tx.now() }).where('id', '=', id)
    if ((await ending.where('state', '=', 'running').executeTakeFirst()).numUpdatedRows === 0n) return
    const { revoked } = await tx.db
      .selectFrom('incidentRevocation')
      .select('revoked')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const details = { ...filter, count: Number(revoked), reason: reason ?? undefined, state }
    await recordEvent(tx, { action: 'incident.revoked', target: { type: 'revocation', id }, details })
  })
  await refreshRevocations(app)
}

/** Revokes the sessions that match a filter: directly for a command, or as work of the daemons for a call. */
import { type Actor, type App, actorFor, extend } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { allows, grantsOf } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { workInTurn } from '../../core/turns.ts'
import { recordEvent } from '../audit/index.ts'
import { countMatching, type MatchCount, revokeMatching } from '../sessions/index.ts'
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
  requireFilter(filter)
  const { reason, signal, onProgress } = options
  let revoked = 0
  const onBatch = (count: number) => {
    revoked += count
    onProgress?.(revoked)
  }
  try {
    return await revokeMatching(app, { matches: matchesOf(filter), signal, onBatch })
  } finally {
    await recordEvent(app, { action: 'incident.revoked', details: { ...filter, count: revoked, reason } })
  }
}

const retentionMs = 30 * 86_400_000

/** Creates a revocation, which a daemon starts within seconds. @returns its ID @throws ApiError INCIDENT_FILTER_REQUIRED */
export async function createRevocation(app: App, { id: createdBy }: UserRow, filter: RevocationFilter, reason?: string) {
  requireFilter(filter)
  const createdAt = app.now()
  const id = app.random.id()
  const row = {
    ...{ id, filter: JSON.stringify(filter), reason: reason ?? null, state: 'running', createdBy, createdAt },
    expiresAt: new Date(createdAt.getTime() + retentionMs),
  }
  await transaction(app, async (tx) => void (await tx.db.insertInto('incidentRevocation').values(row).execute()))
  return id
}

/** The job that works on all running revocations. */
export const runRevocations = (app: App, signal: AbortSignal): Promise<void> =>
  workInTurn(app, signal, {
    what: 'A revocation',
    idName: 'revocationId',
    find: () => app.db.selectFrom('incidentRevocation').selectAll().where('state', '=', 'running').orderBy('createdAt').execute(),
    step: (row) => runRevocation(app, row, signal),
  })

/** Until it has ended: each second counts for a stolen session. A run that is interrupted goes on in another process. */
async function runRevocation(app: App, row: RevocationRow, signal: AbortSignal): Promise<void> {
  const { id, filter, createdAt } = row
  if (!(await isPermitted(app, row))) return endRevocation(extend(app, { actor: actorFor(app, 'incidents.revocations') }), row, 'stopped')
  const onBatch = async (count: number) => {
    if (count === 0) return
    const update = app.db.updateTable('incidentRevocation').set((eb) => ({ revoked: eb('revoked', '+', count) }))
    await update.where('id', '=', id).execute()
  }
  const acting = extend(app, { actor: actorOf(row) })
  await revokeMatching(acting, { matches: matchesOf(filter), started: createdAt, signal, onBatch })
  await endRevocation(acting, row, 'completed')
}

/** It is created with a session only, so that it has the permissions of the roles. */
const actorOf = ({ createdBy: userId }: RevocationRow): Actor => ({
  ...{ kind: 'user', userId, credential: { kind: 'cookie', id: '' } },
  ...{ ipAddress: '', requestId: '' },
})

async function isPermitted(app: App, { createdBy }: RevocationRow): Promise<boolean> {
  const user = await findUserById(app, createdBy)
  return user !== null && !user.banned && allows(await grantsOf(app, user), { incident: ['revoke'] })
}

const endRevocation = (app: App, { id, filter, reason }: RevocationRow, state: Exclude<RevocationState, 'running'>): Promise<void> =>
  transaction(app, async (tx) => {
    const ending = tx.db.updateTable('incidentRevocation').set({ state, endedAt: tx.now() }).where('id', '=', id)
    if ((await ending.where('state', '=', 'running').executeTakeFirst()).numUpdatedRows === 0n) return
    const { revoked } = await tx.db.selectFrom('incidentRevocation').select('revoked').where('id', '=', id).executeTakeFirstOrThrow()
    const details = { ...filter, count: Number(revoked), reason: reason ?? undefined, state }
    await recordEvent(tx, { action: 'incident.revoked', target: { type: 'revocation', id }, details })
  })

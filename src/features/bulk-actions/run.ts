/** The job that changes the targets of bulk actions, one transaction each. */
import { type Actor, type App, actorFor, extend, isUnavailable, reportFailure } from '../../core/app.ts'
import type { CredentialHold } from '../../core/credential-hold.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { allows, grantsOf } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { transaction } from '../../core/transaction.ts'
import { workInTurn } from '../../core/turns.ts'
import { findMatches, userFilter } from '../admin/index.ts'
import { recordEvent } from '../audit/index.ts'
import { findUserById } from '../users/index.ts'
import { type BulkAction, errors, kindOf, type Outcome, type State } from './model.ts'
import { createSkipRule } from './targets.ts'

/** Targets that are read together: few, because they are compared with the filter once more. */
const batchSize = 20
/** Works on all running actions. */
export const runBulkActions = (app: App, signal: AbortSignal): Promise<void> =>
  workInTurn(app, signal, {
    what: 'A bulk action',
    idName: 'bulkActionId',
    find: () => app.db.selectFrom('bulkAction').selectAll().where('state', '=', 'running').orderBy('createdAt').execute(),
    step: (action) => runBatch(app, action, signal),
  })

/** The app on behalf of the administrator: events name them, and the action. */
function actFor(app: App, { id, createdBy: userId }: BulkAction): App {
  // An action is created with a session only, so that it has the permissions of the roles.
  const actor: Actor = {
    ...{ kind: 'user', userId, bulkActionId: id, credential: { kind: 'cookie', id: '' } },
    ...{ ipAddress: '', requestId: '' },
  }
  return extend(app, { actor })
}

/** The administrator, as long as they may do what the action does. */
async function findPermitted(app: App, { createdBy, action }: BulkAction): Promise<UserRow | null> {
  const user = await findUserById(app, createdBy)
  // As each change checks it, with a lock.
  if (!user || user.banned) return null
  return allows(await grantsOf(app, user), kindOf(action).required) ? user : null
}

async function runBatch(outer: App, action: BulkAction, signal: AbortSignal): Promise<void> {
  const app = actFor(outer, action)
  const administrator = await findPermitted(app, action)
  if (!administrator) return stop(outer, action)
  const targets = await outer.db
    .selectFrom('bulkActionTarget')
    .select(['id', 'userId'])
    .where('bulkActionId', '=', action.id)
    .where('outcome', 'is', null)
    .orderBy('id')
    .limit(batchSize)
    .execute()
  if (targets.length === 0) return void (await endAction(app, action.id, 'completed'))
  const ids = targets.map(({ userId }) => userId)
  const filter = action.filter ? userFilter.parse(action.filter) : undefined
  const users = new Map((await findMatches(outer, { ids, filter }, batchSize)).map((user) => [user.id, user]))
  const skipReason = await createSkipRule(app, administrator, action)
  for (const target of targets) {
    if (signal.aborted) return
    const user = users.get(target.userId)
    const reason = user ? await skipReason(user) : 'no-match'
    const result = reason ? ({ outcome: 'skipped', code: reason } as const) : await change(app, action, administrator, target)
    if (result === 'over') return
    if (result === 'not-permitted') return stop(outer, action)
    if (result && !(await settle(outer, action.id, target.id, result))) return
  }
}

interface Result {
  readonly outcome: Outcome
  readonly code: string | null
}
interface Target {
  readonly id: string
  readonly userId: string
}

/**
 * Changes one user, and settles the target in the same transaction.
 * @returns null: both are done; `over`: neither, because another daemon was faster or the action does not run any more; else why it failed
 */
async function change(
  app: App,
  action: BulkAction,
  administrator: UserRow,
  target: Target,
): Promise<Result | 'not-permitted' | 'over' | null> {
  const acting = extend(app, { credentialHold: settleAtCommit(action, administrator, target) })
  try {
    await kindOf(action.action).act(acting, administrator, target.userId, action.input)
    return null
  } catch (error) {
    if (isUnavailable(app, error)) throw error
    if (error instanceof ApiError && error.entry === kernelErrors.UNAUTHORIZED) return 'over'
    if (!(await findPermitted(app, action))) return 'not-permitted'
    if (error instanceof ApiError) return { outcome: 'failed', code: error.entry.code.slice(0, 100) }
    reportFailure(app, error, 'A bulk action', { bulkActionId: action.id })
    return { outcome: 'failed', code: kernelErrors.INTERNAL_SERVER_ERROR.code }
  }
}

/** As a call depends on its credential, the change depends on its target: it is rolled back unless the target still waits. */
function settleAtCommit({ id }: BulkAction, { id: userId }: UserRow, target: Target): CredentialHold {
  let settledIn: App['db'] | null = null
  const lock = async (tx: App): Promise<boolean> => {
    // A deletion checks it before its end too.
    if (settledIn === tx.db) return true
    settledIn = tx.db
    return isSettled(tx, id, target.id, { outcome: 'done', code: null })
  }
  return { ...{ credentialId: id, userId, lock }, ...{ isOver: false, endedIn: null, recheck: null, recheckedIn: null } }
}

/** Within a transaction, which must be rolled back when it returns false. */
async function isSettled(tx: App, actionId: string, targetId: string, { outcome, code }: Result): Promise<boolean> {
  const settled = await tx.db
    .updateTable('bulkActionTarget')
    .set({ outcome, code })
    .where('id', '=', targetId)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  if (settled.numUpdatedRows === 0n) return false
  const counted = await tx.db
    .updateTable('bulkAction')
    .set((eb) => ({ [outcome]: eb(outcome, '+', 1) }))
    .where('id', '=', actionId)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return counted.numUpdatedRows > 0n
}

/** @returns false when the target is settled, or the action does not run any more */
async function settle(app: App, actionId: string, targetId: string, result: Result): Promise<boolean> {
  try {
    await transaction(app, async (tx) => {
      if (!(await isSettled(tx, actionId, targetId, result))) throw new ApiError(errors.BULK_ACTION_HAS_ENDED)
    })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.entry === errors.BULK_ACTION_HAS_ENDED) return false
    throw error
  }
}

const stop = (app: App, action: BulkAction): Promise<void> =>
  endAction(extend(app, { actor: actorFor(app, 'bulkActions.bulkActions') }), action.id, 'stopped').then(() => undefined)

/** Ends an action that has not ended, with one event that sums it up. @returns false when it has ended */
export const endAction = (app: App, id: string, state: Exclude<State, 'running' | 'paused'>): Promise<boolean> =>
  transaction(app, async (tx) => {
    const ended = await tx.db
      .updateTable('bulkAction')
      .set({ state, endedAt: tx.now() })
      .where('id', '=', id)
      .where('endedAt', 'is', null)
      .executeTakeFirst()
    if (ended.numUpdatedRows === 0n) return false
    const row = await tx.db.selectFrom('bulkAction').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { action, total, done, failed, skipped } = row
    const details = { action, state, total, done, failed, skipped, bulkActionId: id }
    await recordEvent(tx, { action: 'bulk-action.ended', target: { type: 'bulk-action', id }, details })
    return true
  })

/** Deletes the actions of the last month, also those that have not ended, and their targets first. */
export async function sweepBulkActions(app: App, signal: AbortSignal): Promise<void> {
  await sweepEnded(app, signal, { table: 'bulkActionTarget', column: 'expiresAt' })
  await sweepEnded(app, signal, { table: 'bulkAction', column: 'expiresAt' })
}

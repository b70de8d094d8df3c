/** Freezes and unfreezes sign-up, sign-in and writes. The state is in the database; each worker reads it every second. */
import type { Actor, App } from '../../core/app.ts'
import { type FreezeKind, freezeKinds, freezeRevision, setFreezes } from '../../core/freezes.ts'
import { afterCommit, transaction } from '../../core/transaction.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import type { FreezeRow } from './model.ts'

export type ActiveFreeze = FreezeRow & { readonly kind: FreezeKind }

const isKind = (kind: string): kind is FreezeKind => freezeKinds.some((one) => one === kind)

/** The freezes that are active now, in the order of `freezeKinds`. */
export async function readFreezes(app: App): Promise<ActiveFreeze[]> {
  const rows = await app.db.selectFrom('incidentFreeze').selectAll().orderBy('kind').execute()
  const now = app.now()
  const isActive = (row: FreezeRow): row is ActiveFreeze => isKind(row.kind) && (row.expiresAt === null || row.expiresAt > now)
  return rows.filter(isActive).sort((one, other) => freezeKinds.indexOf(one.kind) - freezeKinds.indexOf(other.kind))
}

/**
 * Reads the freezes into the memory of this process. While the database does not respond, what is frozen stays frozen until its end.
 * What another call of this process has changed since then is newer, and stays.
 */
export async function refreshFreezes(app: App): Promise<void> {
  const revision = freezeRevision(app)
  const found = await readFreezes(app).catch((error: unknown) => {
    // A worker may serve while the database does not have the table yet: then nothing can be frozen.
    if (app.database.isMissingTable(error)) return []
    throw error
  })
  if (freezeRevision(app) === revision) setFreezes(app, found)
}

interface FreezeOptions {
  readonly reason?: string | undefined
  /** Seconds; absent: until it is lifted. */
  readonly seconds?: number | undefined
}

const authorOf = (actor: Actor) => ({
  actorId: actor.kind === 'user' ? (actor.impersonatedBy ?? actor.userId) : null,
  actorName: actor.kind === 'operator' ? actor.name.slice(0, 64) : null,
})

/** Freezes something, or changes reason and end of its freeze. In this process it takes effect before the function returns. */
export async function freeze(app: App, kind: FreezeKind, { reason, seconds }: FreezeOptions): Promise<void> {
  await transaction(app, async (tx) => {
    const now = tx.now()
    const expiresAt = seconds === undefined ? null : new Date(now.getTime() + seconds * 1000)
    const row = { since: now, reason: reason ?? null, expiresAt, ...authorOf(tx.actor) }
    const inserted = { ...row, id: tx.random.id(), kind }
    if (!(await insertUnlessExists(tx, tx.db.insertInto('incidentFreeze').values(inserted))))
      await tx.db.updateTable('incidentFreeze').set(row).where('kind', '=', kind).execute()
    await recordEvent(tx, { action: 'incident.frozen', details: { kind, reason, expiresAt: expiresAt?.toISOString() } })
    await afterCommit(tx, () => refreshAfterChange(app))
  })
}

/** Lifts freezes. @returns the kinds that were frozen */
export const unfreeze = (app: App, kinds: readonly FreezeKind[], reason?: string): Promise<FreezeKind[]> =>
  transaction(app, async (tx) => {
    const lifted: FreezeKind[] = []
    for (const { kind } of await readFreezes(tx)) {
      if (!kinds.includes(kind)) continue
      const deleted = await tx.db.deleteFrom('incidentFreeze').where('kind', '=', kind).executeTakeFirst()
      if (deleted.numDeletedRows === 0n) continue
      lifted.push(kind)
      await recordEvent(tx, { action: 'incident.unfrozen', details: { kind, reason } })
    }
    if (lifted.length > 0) await afterCommit(tx, () => refreshAfterChange(app))
    return lifted
  })

/** @param app outside the transaction */
const refreshAfterChange = async (app: App): Promise<void> => setFreezes(app, await readFreezes(app))

/** Locks of a user's row, for code whose result depends on the user. */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'

/**
 * Locks the user's row until the transaction ends, for changes of sign-in methods and work that depends on them. It writes the
 * row: in a cluster with several primaries, one of two concurrent transactions then fails at its commit and is retried, which an
 * update without a change would not ensure.
 * @returns false when there is none
 */
export async function lockUser(app: App, id: string): Promise<boolean> {
  const held = await app.db
    .updateTable('user')
    .set((eb) => ({ accessRevision: eb('accessRevision', '+', 1) }))
    .where('id', '=', id)
    .executeTakeFirst()
  return held.numUpdatedRows > 0n
}

/**
 * Locks the row of a user until the transaction ends, without an effect on concurrent sign-ins.
 * @param accessRevision of the user as read; absent: any
 * @returns false when their sign-in methods have changed since they were read, or they were deleted
 */
export async function holdUser(app: App, { id, accessRevision }: Pick<UserRow, 'id'> & Partial<UserRow>): Promise<boolean> {
  const user = app.db
    .updateTable('user')
    .set((eb) => ({ accessRevision: eb.ref('accessRevision') }))
    .where('id', '=', id)
  const held = accessRevision === undefined ? user : user.where('accessRevision', '=', accessRevision)
  return (await held.executeTakeFirst()).numUpdatedRows > 0n
}

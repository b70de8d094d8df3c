import type { App } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { transaction } from '../../core/transaction.ts'
import { sessionHashes } from './sessions.ts'

const isId = /^[\x21-\x7e]{1,36}$/

interface Ended {
  readonly id: string
  readonly userId: string
}

/** Ends the session of a token. An unknown token is no failure: it is as ended as can be. */
export async function deleteSession(app: App, token: string): Promise<void> {
  await transaction(app, async (inner) => {
    const found = await inner.db
      .selectFrom('session')
      .select(['id', 'userId'])
      .where('tokenHash', 'in', sessionHashes(inner, token))
      .executeTakeFirst()
    if (found) await end(inner, found)
  })
}

/** The session of which somebody holds the token, or knows the handle that lists show in its place; null when there is none. */
export async function findSessionOwner(app: App, tokenOrHandle: string): Promise<Ended | null> {
  const rows = app.db.selectFrom('session').select(['id', 'userId'])
  const byToken = await rows.where('tokenHash', 'in', sessionHashes(app, tokenOrHandle)).executeTakeFirst()
  if (byToken) return byToken
  // Another text than an id could have would be compared with every row: no index holds what the column cannot.
  if (!isId.test(tokenOrHandle)) return null
  return (await rows.where('id', '=', tokenOrHandle).executeTakeFirst()) ?? null
}

/** Ends one session. @returns false when somebody else was quicker */
export const revokeSession = (app: App, session: Ended): Promise<boolean> => transaction(app, (inner) => end(inner, session))

/**
 * Ends all sessions of a user; inside a transaction it is part of that.
 * @param options.exceptId id of the one session that goes on
 * @returns how many have ended
 */
export async function revokeUserSessions(
  app: App,
  userId: string,
  options: { readonly exceptId?: string } = {},
): Promise<number> {
  const { exceptId = '' } = options
  return transaction(app, async (inner) => {
    const found = await inner.db
      .selectFrom('session')
      .select('id')
      .where('userId', '=', userId)
      .where('id', '!=', exceptId)
      .execute()
    if (found.length === 0) return 0
    await inner.db.deleteFrom('session').where('userId', '=', userId).where('id', '!=', exceptId).execute()
    await emit(inner, 'sessions.revoked', { userId, sessionIds: found.map(({ id }) => id) })
    return found.length
  })
}

async function end(app: App, { id, userId }: Ended): Promise<boolean> {
  const deleted = await app.db.deleteFrom('session').where('id', '=', id).executeTakeFirst()
  if (deleted.numDeletedRows === 0n) return false
  await emit(app, 'sessions.revoked', { userId, sessionIds: [id] })
  return true
}

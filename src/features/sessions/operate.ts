/** What operators do with sessions, however many there are. */
import type { App } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import type { SessionRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { isExpired } from './sessions.ts'

/** Rows that are read, and removed, in one statement: few enough that nobody waits for them. */
const page = 500

/** A session without what is kept of its token; its id is the handle that others are told. */
export type SessionRecord = Omit<SessionRow, 'tokenHash'>

/** The sessions of a user that go on, in the order of their ids. */
export async function* streamUserSessions(app: App, userId: string): AsyncGenerator<SessionRecord, void, undefined> {
  for (let after: string | null = ''; after !== null; ) {
    const rows: SessionRow[] = await app.db
      .selectFrom('session')
      .selectAll()
      .where('userId', '=', userId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(page)
      .execute()
    for (const { tokenHash, ...session } of rows) if (!isExpired(app, session)) yield session
    after = rows.length < page ? null : (rows.at(-1)?.id ?? null)
  }
}

export interface Revocation {
  /** Whose; left out: everybody's. */
  readonly userId?: string | undefined
  /** Only those that began before; left out: all, also those begun by a machine whose clock is ahead. */
  readonly before?: Date | undefined
  /** Ends the walk; what has been revoked stays so. */
  readonly signal: AbortSignal
  /** Told after each batch how many have ended so far. */
  readonly onProgress?: (revoked: number) => void
}

/** Ends sessions in small batches along the primary key. @returns how many have ended */
export async function revokeSessions(app: App, revocation: Revocation): Promise<number> {
  let revoked = 0
  for (let after: string | null = ''; after !== null; ) {
    revocation.signal.throwIfAborted()
    const rows = await readPage(app, after, revocation.userId)
    const { before } = revocation
    // Here and not in the query, which would have to look at millions when few are old enough.
    const ended = rows.filter(({ createdAt }) => before === undefined || createdAt < before)
    if (ended.length > 0) revoked += await transaction(app, (inner) => end(inner, ended))
    revocation.onProgress?.(revoked)
    after = rows.length < page ? null : (rows.at(-1)?.id ?? null)
  }
  return revoked
}

type Ended = Pick<SessionRow, 'id' | 'userId' | 'createdAt'>

function readPage(app: App, after: string, userId: string | undefined): Promise<Ended[]> {
  const rows = app.db.selectFrom('session').select(['id', 'userId', 'createdAt']).where('id', '>', after)
  const wanted = userId === undefined ? rows : rows.where('userId', '=', userId)
  return wanted.orderBy('id').limit(page).execute()
}

async function end(app: App, sessions: readonly Ended[]): Promise<number> {
  const ids = sessions.map(({ id }) => id)
  const deleted = await app.db.deleteFrom('session').where('id', 'in', ids).executeTakeFirst()
  const byUser = Map.groupBy(sessions, ({ userId }) => userId)
  // At once: each tells Redis, and a thousand round trips one after the other would take their time.
  await Promise.all(
    [...byUser].map(([userId, own]) => emit(app, 'sessions.revoked', { userId, sessionIds: own.map(({ id }) => id) })),
  )
  return Number(deleted.numDeletedRows)
}

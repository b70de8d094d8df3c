/** Revokes sessions (rows, event and cached copies in one transaction), one by one or in batches; deletes expired ones. */
import type { ExpressionBuilder } from 'kysely'
import { type App, requestIdOf } from '../../core/app.ts'
import { endCredentials } from '../../core/credential-hold.ts'
import { emit } from '../../core/events.ts'
import { streamPages } from '../../core/pages.ts'
import type { SessionRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { afterCommit, transaction } from '../../core/transaction.ts'
import { type AuditEvent, recordEvent } from '../audit/index.ts'
import type { Database } from '../index.ts'
import { holdUser } from '../users/index.ts'
import { discardCopies } from './cache-epoch.ts'
import { isEnding, signedInAt } from './ending.ts'
import { isExpired, sessionHashes } from './session.ts'

/** A session that was read, sessions by their ids, or those of a user, all but one if `exceptId` is given. */
export type SessionScope =
  | { readonly session: SessionOwner }
  | { readonly ids: readonly string[] }
  | { readonly userId: string; readonly exceptId?: string }

/** Why sessions end without someone asking for it, as the log says it. */
const causes = {
  replaced: 'a client signed in, and its request named the session that it had before',
  limit: 'the user signed in, and has no more than session.maxPerUser sessions',
  'browser-limit': 'the browser signed in to more accounts than multiSession.maximumSessions',
  'second-factor-required': 'a rule demands a second factor, which the user has not set up in time',
  'password-changed': 'the password was changed',
  'email-verified': 'the owner of the email address ended all access from before its verification',
  'impersonation-ended': 'the administrator may not impersonate users any more',
} as const

interface RevocationRecord {
  /** For the log and the audit log; default: someone asked for it. */
  readonly reason?: keyof typeof causes
  /** Default: recorded. `user.signed-out`: by the user themselves. `none`: the code that calls it records an event of its own. */
  readonly recordedAs?: 'user.signed-out' | 'none' | undefined
}

/** An event of the user of a session, whom the call authenticates: its actor until then is anonymous. */
export function eventOf(app: App, action: AuditEvent['action'], { id, userId }: SessionOwner): AuditEvent {
  const { actor } = app
  const byUser = actor.kind !== 'system' &&
    'requestId' in actor && {
      actor: { ...actor, kind: 'user', userId, credential: { kind: 'cookie', id } } as const,
    }
  return { action, target: { type: 'session', id }, userId, ...byUser }
}

/**
 * Revokes sessions; inside a transaction it is part of that. Sessions that no longer exist are ignored.
 * @returns how many were revoked
 */
export const revokeSessions = (app: App, scope: SessionScope, record: RevocationRecord = {}): Promise<number> =>
  transaction(app, async (tx) => {
    // A call that replaces a session of the user with another is over then, or sees that its session is.
    if ('userId' in scope) await holdUser(tx, { id: scope.userId })
    // Also when there are none: what signs in without a challenge, such as trust in a browser, does not need a session.
    if ('userId' in scope && scope.exceptId === undefined) await emit(tx, 'all-sessions.revoked', { userId: scope.userId })
    const found = await findOwners(tx, scope)
    if (found.length === 0) return 0
    // By the same scope, so that sessions created since the rows were read are revoked as well.
    const { numDeletedRows } = await tx.db.deleteFrom('session').where(isIn(scope)).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return 0
    const byUser = Map.groupBy(found, ({ userId }) => userId)
    for (const [userId, sessions] of byUser) {
      await emit(tx, 'sessions.revoked', { userId, sessionIds: sessions.map(({ id }) => id) })
      if (record.recordedAs !== 'none') await recordEvent(tx, describe(tx, userId, sessions, record))
    }
    await discardCopies(tx, [...byUser.keys()])
    const ids = found.map(({ id }) => id)
    endCredentials(tx, ids)
    if (record.reason) await logCause(tx, byUser, record.reason)
    return Number(numDeletedRows)
  })

/** Otherwise an operator could not find out why a program or a person was signed out. */
const logCause = (tx: App, byUser: ReadonlyMap<string, readonly SessionOwner[]>, reason: keyof typeof causes): Promise<void> =>
  afterCommit(tx, async () => {
    for (const [userId, sessions] of byUser)
      tx.log.info({ userId, count: sessions.length, reason, requestId: requestIdOf(tx) }, `Sessions ended: ${causes[reason]}`)
  })

function describe(app: App, userId: string, sessions: readonly SessionOwner[], record: RevocationRecord): AuditEvent {
  const [first, second] = sessions
  if (first && record.recordedAs === 'user.signed-out') return eventOf(app, 'user.signed-out', first)
  const target = first && !second ? { type: 'session', id: first.id } : { type: 'user', id: userId }
  return { action: 'sessions.revoked', target, userId, details: { count: sessions.length, reason: record.reason } }
}

function isIn(scope: SessionScope) {
  return (eb: ExpressionBuilder<Database, 'session'>) => {
    if ('session' in scope) return eb('id', '=', scope.session.id)
    return 'ids' in scope
      ? eb('id', 'in', scope.ids)
      : eb.and([eb('userId', '=', scope.userId), eb('id', '!=', scope.exceptId ?? '')])
  }
}

type SessionOwner = Pick<SessionRow, 'id' | 'userId'>

/** Of one session it is known already. Whether that one still exists, its deletion says. */
const findOwners = async (tx: App, scope: SessionScope): Promise<readonly SessionOwner[]> =>
  'session' in scope ? [scope.session] : tx.db.selectFrom('session').select(['id', 'userId']).where(isIn(scope)).execute()

const idForm = /^[\x21-\x7e]{1,36}$/

export const findByToken = async (app: App, token: string): Promise<SessionOwner | null> =>
  (await app.db
    .selectFrom('session')
    .select(['id', 'userId'])
    .where('tokenHash', 'in', sessionHashes(app, token))
    .executeTakeFirst()) ?? null

/** The session with this token, or with this id, which lists show in place of the token; null when there is none. */
export async function findSessionOwner(app: App, tokenOrId: string): Promise<SessionOwner | null> {
  const byToken = await findByToken(app, tokenOrId)
  // A string that cannot be an id would be compared with every row, because the database does not use the index for it.
  if (byToken || !idForm.test(tokenOrId)) return byToken
  return (await app.db.selectFrom('session').select(['id', 'userId']).where('id', '=', tokenOrId).executeTakeFirst()) ?? null
}

/** Whether a user still has this session. @param tx in a transaction, the session is locked until it ends */
export async function hasSession(tx: App, userId: string, id: string): Promise<boolean> {
  const [found] = await (tx.db.isTransaction ? lockOwn : findOwn)(tx, { id, userId })
  return found !== undefined && !isExpired(tx, found.session) && !(await isEnding(tx, found.session))
}

const own = (db: App['db'], { id, userId }: Readonly<Record<'id' | 'userId', string>>) =>
  db.selectFrom('session').where('session.id', '=', id).where('session.userId', '=', userId)
const findOwn = statement({ session: 'session' }, own)
/** Every transaction of an authenticated call ends with it. */
const lockOwn = statement({ session: 'session' }, (db, values: Parameters<typeof own>[1]) => own(db, values).forUpdate())

/** Rows read, and deleted, in one statement: few enough that other statements do not wait long. */
const batchSize = 500

/** A session without the hash of its token. */
export type SessionRecord = Omit<SessionRow, 'tokenHash'>

/** The live sessions of a user, in the order of their ids. */
export async function* streamUserSessions(app: App, userId: string): AsyncGenerator<SessionRecord, void, undefined> {
  const own = app.db.selectFrom('session').selectAll().where('userId', '=', userId)
  const pages = streamPages(batchSize, '', (after) => own.where('id', '>', after).orderBy('id').limit(batchSize).execute())
  for await (const rows of pages) for (const { tokenHash, ...session } of rows) if (!isExpired(app, session)) yield session
}

/** Of which sessions all are revoked. */
export interface AllRevoked {
  /** Absent: of all users. */
  readonly userId?: string | undefined
  /** Only what is from before; absent: everything, also of a machine whose clock is ahead. */
  readonly before?: Date | undefined
  /** Stops long work between two batches. */
  readonly signal?: AbortSignal
}

export interface BatchRevocation extends AllRevoked {
  /** Stops after the current batch; sessions revoked until then stay revoked. */
  readonly signal: AbortSignal
  /** Called after each batch with the number revoked so far. */
  readonly onProgress?: (revoked: number) => void
}

/**
 * Revokes any number of sessions in small batches along the primary key, and records one event. A call that is in flight may replace a
 * session by a new one that the batches have passed already, such as a change of the password: it is revoked too.
 * @returns how many were revoked
 */
export async function revokeInBatches(app: App, options: BatchRevocation): Promise<number> {
  const { userId, before, signal, onProgress } = options
  const started = app.now()
  let revoked = 0
  // First, so that no one signs in by it afterwards; and again for what a call in flight has added.
  await emit(app, 'all-sessions.revoked', { userId, before, signal })
  try {
    for await (const count of revokeRepeatedly(app, options)) {
      revoked += count
      onProgress?.(revoked)
    }
    await emit(app, 'all-sessions.revoked', { userId, before: before ?? started, signal })
    return revoked
  } finally {
    // Also when it was stopped: what was revoked until then stays revoked.
    const target = userId === undefined ? {} : { target: { type: 'user', id: userId } }
    if (revoked > 0) await recordEvent(app, { action: 'sessions.revoked', ...target, details: { count: revoked, before } })
  }
}

type Rows = AsyncGenerator<SessionRow[], void, undefined>

async function* revokeRepeatedly(app: App, options: BatchRevocation): AsyncGenerator<number, void, undefined> {
  const { before } = options
  const started = app.now()
  let hasFound = false
  for await (const rows of readBatches(app, options, (row) => before === undefined || signedInAt(row) < before)) {
    hasFound = true
    yield await revokeSessions(app, { ids: rows.map(({ id }) => id) }, { recordedAs: 'none' })
  }
  const isLeft = (row: SessionRow) => (before ? signedInAt(row) < before : signedInAt(row) <= started)
  while (hasFound) {
    hasFound = false
    for await (const rows of readBatches(app, options, isLeft)) {
      hasFound = true
      for (const userId of new Set(rows.map((row) => row.userId))) yield await revokeLeft(app, userId, isLeft)
    }
  }
}

/** In one transaction that has locked the user: a call that replaces a session has finished then, or finds that its session is gone. */
const revokeLeft = (app: App, userId: string, isLeft: (row: SessionRow) => boolean): Promise<number> =>
  transaction(app, async (tx) => {
    await holdUser(tx, { id: userId })
    const rows: SessionRow[] = await tx.db.selectFrom('session').selectAll().where('userId', '=', userId).execute()
    const ids = rows.filter(isLeft).map(({ id }) => id)
    return ids.length > 0 ? revokeSessions(tx, { ids }, { recordedAs: 'none' }) : 0
  })

/** The sessions that are included, along the primary key. They are compared here: a query would read millions of rows for few. */
async function* readBatches(app: App, { userId, signal }: BatchRevocation, isIncluded: (row: SessionRow) => boolean): Rows {
  const pages = streamPages(batchSize, '', (after) => {
    signal.throwIfAborted()
    const all = app.db.selectFrom('session').selectAll().where('id', '>', after).orderBy('id').limit(batchSize)
    return (userId === undefined ? all : all.where('userId', '=', userId)).execute()
  })
  for await (const rows of pages) {
    const included = rows.filter(isIncluded)
    if (included.length > 0) yield included
  }
}

/** Deletes the rows of expired sessions. No event is needed, because every copy of one expires at the same time. */
export const sweepSessions = (app: App, signal: AbortSignal): Promise<void> =>
  sweepEnded(app, signal, { table: 'session', column: 'expiresAt' })

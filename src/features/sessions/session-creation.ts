/** Creates sessions: alone, in one conditional statement, or together with other rows in their transaction. */
import type { Insertable } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { emit, hasListener } from '../../core/events.ts'
import type { SessionAndUser, SessionRow, UserRow } from '../../core/request.ts'
import type { Proof } from '../../core/sign-in.ts'
import { command, countRows } from '../../core/statement.ts'
import { columnsOf, defaultRow } from '../../core/table.ts'
import { afterCommit, transaction } from '../../core/transaction.ts'
import { createId, type RowWrite, write, written } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { defaultFields, encodeLists } from '../custom-fields/index.ts'
import type { Database } from '../index.ts'
import { holdUser } from '../users/index.ts'
import { admitUser } from './challenge.ts'
import { eventOf, revokeSessions } from './revocation.ts'
import { errors, hashSessionToken } from './session.ts'

export type SessionDraft = Insertable<Database['session']>

export interface SessionOptions {
  readonly ipAddress: string
  readonly userAgent: string
  /** Seconds. Default: `session.expiresIn`. */
  readonly expiresIn?: number
  /** Whether the session outlives the browser; false: it is never renewed. Default true. */
  readonly remembered?: boolean
  /** The session that the new one replaces, also that of another user; it is revoked with it. */
  readonly replacing?: Pick<SessionRow, 'id' | 'userId'> | undefined
  /** What the session comes from, for the audit log. Absent: from no sign-in, such as that of an impersonation. */
  readonly proof?: Proof
  /** Columns of other features. */
  readonly columns?: Partial<SessionDraft>
  /** Status of the response when a hook rejects the session; default 401. */
  readonly rejectionStatus?: 400 | 401 | 500
}

export interface CreatedSession {
  readonly session: SessionRow
  readonly token: string
  readonly user: UserRow
  /** How many sessions of the user have ended for it: the one that the client had before, and the oldest above `session.maxPerUser`. */
  readonly ended: { readonly replaced: number; readonly limit: number }
}

/** A session to be created: `write` its `creation`, and call `insert` with the draft that it returns, and the user. */
export interface NewSession {
  readonly creation: RowWrite<SessionDraft, ErrorEntry>
  /** Whether `insert` writes more than the session: revokes another one, or records the sign-in. */
  readonly needsTransaction: boolean
  /** @throws ApiError FAILED_TO_CREATE_SESSION, also when the user was deleted or their sign-in methods changed since they were read */
  readonly insert: (tx: App, draft: SessionDraft, user: UserRow) => Promise<SessionAndUser>
}

/** A session with a new token, which prevents session fixation (ASVS 7.2.4). */
export function newSession(app: App, userId: string, options: SessionOptions): NewSession {
  const now = app.now()
  const token = app.random.token(32)
  const rejection: ErrorEntry = { ...errors.FAILED_TO_CREATE_SESSION, status: options.rejectionStatus ?? 401 }
  const draft: SessionDraft = {
    ...defaultFields(app.config.session.additionalFields),
    id: createId(app, 'session'),
    tokenHash: hashSessionToken(app, token),
    userId,
    expiresAt: new Date(now.getTime() + (options.expiresIn ?? app.config.session.expiresIn) * 1000),
    createdAt: now,
    updatedAt: now,
    authenticatedAt: now,
    ipAddress: options.ipAddress,
    userAgent: options.userAgent.slice(0, 1000),
    remembered: options.remembered ?? true,
    acr: options.proof?.acr ?? null,
    amr: options.proof ? JSON.stringify(options.proof.amr) : null,
    signInMethod: options.proof?.method.slice(0, 64) ?? null,
    ...options.proof?.columns,
    ...options.columns,
  }
  const { replacing, proof } = options
  const method = proof?.kind === 'replaced-session' ? undefined : proof?.method
  const insert: NewSession['insert'] = async (tx, hooked, user) => {
    const revoked = replacing ? await revokeSessions(tx, { session: replacing }, { reason: 'replaced' }) : 0
    await admitUser(tx, user, proof ?? null)
    const session = { ...hooked, ...(await emit(tx, 'session.creating', { session: hooked, user })) }
    const byLimit = await insertSession(tx, session, user, rejection)
    const row = completeRow(tx, session)
    const ended = { replaced: replacing?.userId === user.id ? revoked : 0, limit: byLimit }
    await emit(tx, 'session.created', { session: row, token, user, ended })
    if (method) await recordSignIn(tx, row, { method, reason: proof?.reason, ...proof?.details })
    await written(tx, 'session', 'create', row)
    return { session: { ...row, token }, user }
  }
  const creation = { table: 'session', action: 'create', draft, rejection } as const
  return { creation, needsTransaction: replacing !== undefined || Boolean(method), insert }
}

interface SignInDetails {
  readonly method: string
  readonly reason: string | undefined
}

async function recordSignIn(tx: App, session: SessionRow, details: SignInDetails): Promise<void> {
  const { acr, amr } = session
  const isReported = amr !== null && (acr !== null || details.reason !== undefined)
  const factors = isReported ? { acr: acr ?? undefined, factors: JSON.parse(amr) } : {}
  await recordEvent(tx, { ...eventOf(tx, 'user.signed-in', session), details: { ...details, ...factors } })
  await afterCommit(tx, async () => tx.metrics.count('sign_in', { method: details.method }))
}

/**
 * Creates a session.
 * @param user as read before they authenticated, or a function that reads and locks them in the transaction
 * @throws ApiError FAILED_TO_CREATE_SESSION, also when the user was deleted or their sign-in methods changed since
 */
export function writeSession(
  app: App,
  { creation, needsTransaction, insert }: NewSession,
  user: UserRow | ((tx: App) => Promise<UserRow>),
): Promise<SessionAndUser> {
  const isRead = typeof user !== 'function'
  const isOneStatement =
    isRead && !needsTransaction && !hasListener(app, 'session.creating') && !hasListener(app, 'session.created')
  return write(app, [creation], async (tx, draft) => insert(tx, draft, isRead ? user : await user(tx)), { isOneStatement })
}

/** The row as the database has it, which saves the query: columns that the insert leaves out have their default. */
function completeRow(app: App, draft: SessionDraft): SessionRow {
  const given = Object.entries(draft).filter(([, value]) => value !== undefined)
  return { ...defaultRow(app, 'session'), ...Object.fromEntries(given) } as SessionRow
}

/**
 * @returns how many sessions ended for it
 * @throws ApiError `rejection` when the user is not as read any more, or a unique additional field already has the value
 */
async function insertSession(app: App, draft: SessionDraft, user: UserRow, rejection: ErrorEntry): Promise<number> {
  try {
    if (await insertIfCurrent(app, draft, user)) return 0
    let ended = 0
    // Repeated for a user with far too many sessions, as after the limit was lowered.
    for (;;) {
      const { revoked, excess } = await transaction(app, async (tx) => {
        if (!(await holdUser(tx, user))) throw new ApiError(rejection)
        const room = isImpersonation(draft) ? noExcess : await makeRoom(tx, user.id)
        if (room.revoked >= room.excess && !(await insertIfCurrent(tx, draft, user))) throw new ApiError(rejection)
        return room
      })
      ended += revoked
      if (revoked >= excess) return ended
    }
  } catch (error) {
    throw app.database.isUniqueViolation(error) ? new ApiError(rejection, { cause: error }) : error
  }
}

/**
 * Inserts a session, in one statement, if the user still has the sign-in methods that they had when they were read, and not too
 * many sessions: while a password was verified, which takes long, it may have been replaced and all sessions revoked. The lock
 * makes the statement wait for a transaction that changes the user, and concurrent sign-ins of a user wait for each other.
 * @returns whether it was inserted
 */
async function insertIfCurrent(app: App, draft: SessionDraft, { id, accessRevision }: UserRow): Promise<boolean> {
  // The user's columns under names that no column of a session has.
  return (await insertForUser(app, { ...encodeLists(draft), 'user.id': id, 'user.accessRevision': accessRevision })) > 0n
}

type SessionValues = SessionDraft & Readonly<Record<'user.id', string> & Record<'user.accessRevision', number>>

/** By the presence of the column: the values of a prepared statement are not known when it is built. */
const isImpersonation = (session: object): boolean => 'impersonatedBy' in session

/** Impersonations are not sessions of the user: they neither count nor make room for themselves. */
const hasImpersonations = (app: App): boolean => isImpersonation(columnsOf(app, 'session'))

/** With `maxPerUser: 0` too: all sessions of a user can then be revoked, or deleted with the user, in about half a second. */
const mostSessions = 10_000
const limitOf = ({ config }: App): number => config.session.maxPerUser || mostSessions

const insertForUser = command((app, { 'user.id': id, 'user.accessRevision': accessRevision, ...row }: SessionValues) => {
  const maxPerUser = isImpersonation(row) ? 0 : limitOf(app)
  const names = Object.keys(row) as (keyof typeof row)[]
  return app.db
    .insertInto('session')
    .columns(names)
    .expression(({ selectFrom }) =>
      selectFrom('user')
        .select((eb) => names.map((name) => eb.val(row[name]).as(name)))
        .where('user.id', '=', id)
        .where('user.accessRevision', '=', accessRevision)
        .$if(maxPerUser > 0, (query) =>
          query.where(
            (eb) =>
              eb
                .selectFrom('session')
                .select((count) => count.fn.countAll<number>().as('count'))
                .whereRef('session.userId', '=', 'user.id')
                .where('session.expiresAt', '>', row.createdAt)
                .$if(hasImpersonations(app), (count) => count.where('session.impersonatedBy', 'is', null)),
            '<',
            maxPerUser,
          ),
        )
        .forUpdate(),
    )
})

/** Sessions that one transaction revokes. */
const revokedPerTransaction = 1000
const noExcess = { revoked: 0, excess: 0 }

/** Revokes the oldest sessions of a user, so that one more may be created (ASVS 7.1.2). @returns how many, of how many too many */
async function makeRoom(tx: App, userId: string): Promise<typeof noExcess> {
  const live = tx.db
    .selectFrom('session')
    .where('userId', '=', userId)
    .where('expiresAt', '>', tx.now())
    .$if(hasImpersonations(tx), (query) => query.where('impersonatedBy', 'is', null))
  const excess = (await countRows(live)) + 1 - limitOf(tx)
  if (excess <= 0) return noExcess
  const oldest = live.select('id').orderBy('createdAt').orderBy('id').limit(Math.min(excess, revokedPerTransaction))
  const ids = (await oldest.execute()).map(({ id }) => id)
  await revokeSessions(tx, { ids }, { reason: 'limit' })
  return { revoked: ids.length, excess }
}

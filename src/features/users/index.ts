/** Users: their table and queries. Features below add columns, which they may write themselves (`roles`); all other writes are here. */
import type { Insertable, Updateable } from 'kysely'
import type { App } from '../../core/app.ts'
import { endCredentials, lockCredential } from '../../core/credential-hold.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { emit, event, type Listeners } from '../../core/events.ts'
import type { UserRow } from '../../core/request.ts'
import { requireSignUp, type SignUpDecision, type SignUpWay } from '../../core/sign-up.ts'
import { statement } from '../../core/statement.ts'
import { createId, insertionsOf, type RowWrite, written } from '../../core/write.ts'
import { recordEvent, recordEvents } from '../audit/index.ts'
import { encodeLists } from '../custom-fields/index.ts'
import type { Database } from '../index.ts'
import { lockUser } from './locks.ts'
import { insertWords, replaceWords } from './name-words.ts'
import { sortNameOf } from './sort-name.ts'
import { describeChanges, type EmailChange, emailChange } from './user-changes.ts'
import { defaultUserFields, describeUser, errors } from './user-model.ts'

export * from './input.ts'
export { holdUser, lockUser } from './locks.ts'
export { searchedWords, wordsAs, wordsOf } from './name-words.ts'
export { nameStarts, sortNameJob, sortNameOf } from './sort-name.ts'
export * from './user-fields.ts'
export * from './user-model.ts'

export const events = {
  /** Before the insert, in its transaction; listeners may return columns of the row. Not for imported users. */
  'user.creating': event<
    { readonly user: UserDraft; readonly decision: SignUpDecision; readonly way: SignUpWay },
    Partial<UserDraft>
  >(),
  /** `decision`: by which the user was admitted; absent for imported users. */
  'user.created': event<{ readonly user: UserRow; readonly decision?: SignUpDecision }>(),
  /** `columns`: those that were written; absent: any may be. */
  'user.updated': event<{ readonly userId: string; readonly columns?: UserUpdate }>(),
  /** A unique column to write has the value of another user: its owner throws its error. `userId`: who gets the columns. */
  'user.conflicting': event<{ readonly userId: string; readonly columns: UserUpdate }>(),
  /** In addition to `user.updated`. `user`: with the new email address. */
  'user.email-changed': event<EmailChange>(),
  /** Before the row is deleted, with the user locked; a listener may throw to reject the deletion. */
  'user.deleting': event<{ readonly userId: string }>(),
  'user.deleted': event<{ readonly userId: string }>(),
  /** Before the personal data of a user is erased, with them: listeners delete what only their email address or id connects to them. */
  'user.erasing': event<{ readonly user: UserRow }>(),
}

export const on: Listeners = {
  'mail.row-shortened': async (app, { kind, id }) => {
    const user = kind === 'user' ? await findUserById(app, id) : null
    if (user) return { members: describeUser(app, user) }
  },
}

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly emailVerified?: boolean
  readonly image?: string | null
  readonly createdAt?: Date | undefined
  /** Additional fields, as `readUserFields` returns them. */
  readonly fields?: object
}

const findByEmail = statement({ user: 'user' }, (db, { email }: { email: string }) =>
  db.selectFrom('user').where('user.email', '=', email),
)
const findById = statement({ user: 'user' }, (db, { id }: { id: string }) => db.selectFrom('user').where('user.id', '=', id))

/** @param email in any case */
export async function findUserByEmail(app: App, email: string): Promise<UserRow | null> {
  const [found] = await findByEmail(app, { email: email.toLowerCase() })
  return found?.user ?? null
}

export async function findUserById(app: App, id: string): Promise<UserRow | null> {
  const [found] = await findById(app, { id })
  return found?.user ?? null
}

/** A row or columns as they are stored. */
const encodeRow = <D extends UserUpdate>(draft: D): D =>
  encodeLists(draft.name === undefined ? draft : { ...draft, sortName: sortNameOf(draft.name) })

/** Every write of a name goes through here, or through `updateRow`. */
async function insertRows(tx: App, drafts: readonly UserDraft[]): Promise<void> {
  const rows = drafts.map((draft) => encodeRow(draft))
  for (const some of insertionsOf(rows)) await tx.db.insertInto('user').values(some).execute()
  await insertWords(tx, drafts)
}

/** A hook that rejects a write gives 400, and a failure 422 (contract 01 §1 step 8). */
const rejectionOf = (entry: ErrorEntry): ErrorEntry => ({ ...entry, status: 400 })

export type UserDraft = Insertable<Database['user']>

/** A user to create, for `write`; its draft goes to `insertUser`. */
export function userCreation(app: App, given: NewUser): RowWrite<UserDraft, ErrorEntry> {
  const now = app.now()
  const draft: UserDraft = {
    ...defaultUserFields(app),
    ...given.fields,
    id: createId(app, 'user'),
    name: given.name,
    email: given.email.toLowerCase(),
    emailVerified: given.emailVerified ?? false,
    image: given.image ?? null,
    createdAt: given.createdAt ?? now,
    updatedAt: now,
  }
  return { table: 'user', action: 'create', draft, rejection: rejectionOf(errors.FAILED_TO_CREATE_USER) }
}

/** How a user is inserted. */
export interface UserInsertion extends SignUpWay {
  /**
   * The decision about their true email address, when the draft has another one: an insert that is undone, and only takes the same work.
   * Absent: the features decide about the draft.
   */
  readonly decision?: SignUpDecision
}

/**
 * Inserts a user, within `write`. The unique key on the email address decides between two concurrent requests.
 * @throws ApiError SIGN_UP_NOT_ALLOWED; USER_ALREADY_EXISTS; FAILED_TO_CREATE_USER, or the error of the owner of the column, when another
 * unique column already has the value
 */
export async function insertUser(tx: App, given: UserDraft, { decision: made, ...way }: UserInsertion): Promise<UserRow> {
  const decision = made ?? (await requireSignUp(tx, { ...way, email: given.email }))
  const draft = { ...given, ...(await emit(tx, 'user.creating', { user: given, decision, way })) }
  try {
    await insertRows(tx, [draft])
  } catch (error) {
    if (!tx.database.isUniqueViolation(error)) throw error
    const isKnown = (await findUserByEmail(tx, draft.email)) !== null
    if (!isKnown) await emit(tx, 'user.conflicting', { userId: draft.id, columns: draft })
    throw new ApiError(isKnown ? errors.USER_ALREADY_EXISTS : errors.FAILED_TO_CREATE_USER, { cause: error })
  }
  // Read back, since features below add columns of their own.
  const user = await findUserById(tx, draft.id)
  if (!user) throw new Error('A user was inserted but cannot be found')
  await emit(tx, 'user.created', { user, decision })
  await recordEvent(tx, { action: 'user.created', target: targetOf(user.id), details: { method: way.method } })
  await written(tx, 'user', 'create', user)
  return user
}

export type UserUpdate = Updateable<Database['user']>

/** Columns of a user to update, for `write`; its draft goes to `updateUser`. */
export const userUpdate = (app: App, columns: UserUpdate): RowWrite<UserUpdate, ErrorEntry> => ({
  table: 'user',
  action: 'update',
  draft: { ...columns, updatedAt: app.now() },
  rejection: rejectionOf(errors.FAILED_TO_UPDATE_USER),
})

/**
 * Updates a user, within `write`.
 * @param email the email address that the user must still have; default: any
 * @returns the user as updated; null when there is none
 * @throws whatever the database throws, also when a unique column has the value already
 */
export async function updateUser(tx: App, id: string, draft: UserUpdate, email?: string): Promise<UserRow | null> {
  // A hook may change the email address in any update.
  const former = await readFormer(tx, id, draft, email)
  if (!(await updateRow(tx, id, draft, email))) return null
  const user = await findUserById(tx, id)
  if (!user) return null
  if (former && former.email !== user.email) await emit(tx, 'user.email-changed', emailChange(former, user))
  await recordEvents(tx, describeChanges(tx, id, draft, former && { former, user }))
  await written(tx, 'user', 'update', user)
  return user
}

/** The same without reading the user back, which only a hook or a change of the email address needs. @returns whether there is one */
export async function updateUserFields(tx: App, id: string, draft: UserUpdate): Promise<boolean> {
  const isRead = tx.config.databaseHooks.user.update.after || changesEmail(draft)
  if (isRead) return (await updateUser(tx, id, draft)) !== null
  if (!(await updateRow(tx, id, draft))) return false
  await recordEvents(tx, describeChanges(tx, id, draft, null))
  return true
}

const changesEmail = ({ email, emailVerified }: UserUpdate): boolean => email !== undefined || emailVerified !== undefined

async function updateRow(tx: App, id: string, draft: UserUpdate, email?: string): Promise<boolean> {
  const update = tx.db.updateTable('user').set(encodeRow(draft)).where('id', '=', id)
  const updated = await (email === undefined ? update : update.where('email', '=', email)).executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return false
  if (draft.name !== undefined) await replaceWords(tx, [{ id, name: draft.name }])
  await emit(tx, 'user.updated', { userId: id, columns: draft })
  return true
}

/** The user before an update of the email address; locked, unless the update requires a certain address. */
async function readFormer(tx: App, id: string, draft: UserUpdate, email: string | undefined): Promise<UserRow | null> {
  if (!changesEmail(draft)) return null
  if (draft.email !== undefined && email === undefined) await lockUser(tx, id)
  return findUserById(tx, id)
}
const targetOf = (id: string) => ({ type: 'user', id })

/** Writes the columns of a user who was changed in another system; no hook is called, and no event recorded. */
export const replaceUser = (tx: App, id: string, columns: UserUpdate): Promise<boolean> => updateRow(tx, id, columns)

/**
 * Deletes a user, and by foreign keys all rows that belong to them.
 * @param isRecorded false: the code that calls it records an event of its own
 * @returns false when there is none
 */
export async function deleteUser(app: App, id: string, isRecorded = true): Promise<boolean> {
  if (!(await lockUser(app, id))) return false
  // Before the rows of the credential go with those of the user.
  await lockCredential(app)
  await emit(app, 'user.deleting', { userId: id })
  const deleted = await app.db.deleteFrom('user').where('id', '=', id).executeTakeFirst()
  if (deleted.numDeletedRows === 0n) return false
  await emit(app, 'user.deleted', { userId: id })
  endCredentials(app, [id])
  if (isRecorded) await recordEvent(app, { action: 'user.deleted', target: targetOf(id) })
  return true
}

/** The users with one of these email addresses or ids. */
export function findUsersByEmailOrId(app: App, emails: readonly string[], ids: readonly string[]): Promise<UserRow[]> {
  const lists = Object.entries({ email: emails, id: ids } as const).filter(([, values]) => values.length > 0)
  const users = app.db.selectFrom('user').selectAll()
  return users.where((eb) => eb.or(lists.map(([column, values]) => eb(column as 'id', 'in', values)))).execute()
}

/**
 * Inserts many users in few statements, in the transaction of an import; no hook is called.
 * @param drafts all with the same columns, encoded
 * @throws whatever the database throws, also when a unique column has a value already
 */
export async function insertUsers(app: App, drafts: readonly UserRow[]): Promise<void> {
  await insertRows(app, drafts)
  for (const user of drafts) await emit(app, 'user.created', { user })
}

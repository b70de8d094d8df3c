import type { Insertable, Updateable } from 'kysely'
import type { App } from '../../core/app.ts'
import { beforeCreate, beforeUpdate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import { encodeLists } from '../../core/field-values.ts'
import { createId } from '../../core/ids.ts'
import type { UserRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import type { Database } from '../index.ts'
import { creationRefused, errors, updateRefused } from './errors.ts'
import { defaultUserFields } from './fields.ts'

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly emailVerified?: boolean
  readonly image?: string | null
  /** Columns of the installation's own, as `readUserFields` returns them. */
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

export type UserDraft = Insertable<Database['user']>

/**
 * A user as it will be inserted. Made before the transaction opens, since a hook of the installation may have its say.
 * @throws ApiError FAILED_TO_CREATE_USER when the hook refuses
 */
export async function draftUser(app: App, given: NewUser): Promise<UserDraft> {
  const now = app.now()
  const draft = await beforeCreate(app, 'user', {
    ...defaultUserFields(app),
    ...given.fields,
    id: createId(app, 'user'),
    name: given.name,
    email: given.email.toLowerCase(),
    emailVerified: given.emailVerified ?? false,
    image: given.image ?? null,
    createdAt: now,
    updatedAt: now,
  })
  if (!draft) throw new ApiError(creationRefused)
  return encodeLists(draft)
}

/**
 * Inserts a user. The unique key on the address decides between two that come at once.
 * @throws ApiError USER_ALREADY_EXISTS; FAILED_TO_CREATE_USER when another unique column holds the value already
 */
export async function insertUser(app: App, draft: UserDraft): Promise<UserRow> {
  try {
    await app.db.insertInto('user').values(draft).execute()
  } catch (error) {
    if (!app.database.isUniqueViolation(error)) throw error
    const isKnown = (await findUserByEmail(app, draft.email)) !== null
    throw new ApiError(isKnown ? errors.USER_ALREADY_EXISTS : errors.FAILED_TO_CREATE_USER, { cause: error })
  }
  // Read back, since features below add columns of their own.
  const user = await findUserById(app, draft.id)
  if (!user) throw new Error('A user was inserted and is not there')
  await emit(app, 'user.created', { user })
  return user
}

export type UserUpdate = Updateable<Database['user']>

/**
 * The columns as they will be written. Made before the transaction opens, since a hook of the installation may have its say.
 * @throws ApiError FAILED_TO_UPDATE_USER when the hook refuses
 */
export async function draftUserUpdate(app: App, columns: UserUpdate): Promise<UserUpdate> {
  const draft = await beforeUpdate(app, 'user', { ...columns, updatedAt: app.now() })
  if (!draft) throw new ApiError(updateRefused)
  return encodeLists(draft)
}

/**
 * @param email the address that the user must have at this moment; left out: any
 * @returns the user as it is now; null when there is none
 * @throws whatever the database says, also when a unique column holds the value already
 */
export async function updateUser(app: App, id: string, columns: UserUpdate, email?: string): Promise<UserRow | null> {
  const update = app.db.updateTable('user').set(columns).where('id', '=', id)
  const updated = await (email === undefined ? update : update.where('email', '=', email)).executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return null
  await emit(app, 'user.updated', { userId: id, affectsAccess: false })
  return findUserById(app, id)
}

/** Removes a user; what belongs to him goes by the foreign keys. @returns false when there is none */
export async function deleteUser(app: App, id: string): Promise<boolean> {
  const deleted = await app.db.deleteFrom('user').where('id', '=', id).executeTakeFirst()
  if (deleted.numDeletedRows === 0n) return false
  await emit(app, 'user.deleted', { userId: id })
  return true
}

/**
 * Keeps everybody else from the user's row until the transaction ends: for what changes the ways in which he signs in, or rests
 * on them. Of two in a cluster of several primaries one fails at its commit and begins anew, since both have written the row;
 * an update that leaves it as it was might not be told to the others.
 * @returns false when there is none
 */
export async function holdUser(app: App, id: string): Promise<boolean> {
  const held = await app.db
    .updateTable('user')
    .set((eb) => ({ accessRevision: eb('accessRevision', '+', 1) }))
    .where('id', '=', id)
    .executeTakeFirst()
  return held.numUpdatedRows > 0n
}

/** Those who have one of these addresses or ids. */
export function findUsersByEmailOrId(app: App, emails: readonly string[], ids: readonly string[]): Promise<UserRow[]> {
  const users = app.db.selectFrom('user').selectAll()
  return users.where((eb) => eb.or([eb('email', 'in', emails), ...(ids.length > 0 ? [eb('id', 'in', ids)] : [])])).execute()
}

/**
 * Inserts many users in one statement, for moving in; no hook of the installation is asked.
 * @param drafts all with the same columns, encoded
 * @throws whatever the database says, also when a unique column holds a value already
 */
export async function insertUsers(app: App, drafts: readonly UserRow[]): Promise<void> {
  await app.db.insertInto('user').values(drafts.map(encodeLists)).execute()
  for (const user of drafts) await emit(app, 'user.created', { user })
}

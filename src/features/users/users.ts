import type { Insertable } from 'kysely'
import type { App } from '../../core/app.ts'
import { beforeCreate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { UserRow } from '../../core/request.ts'
import type { Database } from '../index.ts'
import { creationRefused, errors } from './errors.ts'

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly emailVerified?: boolean
  readonly image?: string | null
}

/** @param email in any case */
export async function findUserByEmail(app: App, email: string): Promise<UserRow | null> {
  const user = await app.db.selectFrom('user').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst()
  return user ?? null
}

export async function findUserById(app: App, id: string): Promise<UserRow | null> {
  const user = await app.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  return user ?? null
}

export type UserDraft = Insertable<Database['user']>

/**
 * A user as it will be inserted. Made before the transaction opens, since a hook of the installation may have its say.
 * @throws ApiError FAILED_TO_CREATE_USER when the hook refuses
 */
export async function draftUser(app: App, given: NewUser): Promise<UserDraft> {
  const now = app.now()
  const draft = await beforeCreate(app, 'user', {
    id: app.random.id(),
    name: given.name,
    email: given.email.toLowerCase(),
    emailVerified: given.emailVerified ?? false,
    image: given.image ?? null,
    createdAt: now,
    updatedAt: now,
  })
  if (!draft) throw new ApiError(creationRefused)
  return draft
}

/**
 * Inserts a user. The unique key on the address decides between two that come at once.
 * @throws ApiError USER_ALREADY_EXISTS
 */
export async function insertUser(app: App, draft: UserDraft): Promise<UserRow> {
  try {
    await app.db.insertInto('user').values(draft).execute()
  } catch (error) {
    if (app.database.isUniqueViolation(error)) throw new ApiError(errors.USER_ALREADY_EXISTS, { cause: error })
    throw error
  }
  // Read back, since features below add columns of their own.
  const user = await app.db.selectFrom('user').selectAll().where('id', '=', draft.id).executeTakeFirstOrThrow()
  await emit(app, 'user.created', { user })
  return user
}

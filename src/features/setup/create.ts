import type { App } from '../../core/app.ts'
import { afterCreate } from '../../core/database-hooks.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { checkPasswordLength, createUserWithPassword, hashPassword } from '../email-password/index.ts'
import { checkNewPassword } from '../password-rules/index.ts'
import { draftUser, insertUser, type NewUser } from '../users/index.ts'
import { createSetupLink } from './links.ts'

export interface WantedUser extends NewUser {
  /** Role names, separated by commas. */
  readonly role?: string | undefined
  /** Left out: a set-up link is made. */
  readonly password?: string | undefined
}

export interface CreatedUser {
  readonly user: UserRow
  /** By which the user sets a password; null when he has one. It is shown once. */
  readonly setupLink: string | null
}

/**
 * A user whom somebody else creates. The rules for passwords are the same for everybody.
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, those of `checkNewPassword`, USER_ALREADY_EXISTS,
 * FAILED_TO_CREATE_USER, FAILED_TO_CREATE_ACCOUNT
 */
export async function createUser(app: App, { role, password, ...given }: WantedUser): Promise<CreatedUser> {
  const wanted = role === undefined ? given : { ...given, fields: { ...given.fields, role } }
  if (password === undefined) return createWithLink(app, wanted)
  checkPasswordLength(app, password)
  await checkNewPassword(app, password, wanted)
  return { user: await createUserWithPassword(app, wanted, await hashPassword(app, password)), setupLink: null }
}

async function createWithLink(app: App, wanted: NewUser): Promise<CreatedUser> {
  const draft = await draftUser(app, wanted)
  const created = await transaction(app, async (inner) => {
    const user = await insertUser(inner, draft)
    return { user, setupLink: await createSetupLink(inner, user.id) }
  })
  await afterCreate(app, 'user', created.user)
  return created
}

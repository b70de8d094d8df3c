import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { createId } from '../../core/ids.ts'
import type { UserRow } from '../../core/request.ts'
import { canVerify, pretendVerificationMail, sendVerificationMail } from '../email-verification/index.ts'
import { canSend, sendMail } from '../outbox/index.ts'
import { checkNewPassword } from '../password-rules/index.ts'
import { findUserByEmail, readUserFields, type UserView, errors as userErrors } from '../users/index.ts'
import { pretendVerification } from '../verifications/index.ts'
import { createUserWithPassword } from './create-user.ts'
import { hashPassword } from './passwords.ts'

interface Wanted {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly image?: string | null | undefined
  readonly callbackURL?: string | null | undefined
}

/**
 * Creates a user with a password, and sends him the link that proves his address if he needs one.
 * @param wanted checked for form already; it may hold fields of the installation's own
 * @throws ApiError USER_ALREADY_EXISTS, `<field> is required`, VALIDATION_ERROR, those of `checkNewPassword` and `createUserWithPassword`
 */
export async function signUp(app: App, wanted: Wanted): Promise<UserRow> {
  if (await findUserByEmail(app, wanted.email)) throw new ApiError(userErrors.USER_ALREADY_EXISTS)
  return createWanted(app, wanted, await readUserFields(app, wanted, 'create'))
}

/**
 * The same without telling whether the address was known: its owner is told by mail, and the answer is made from what was
 * asked for (ASVS 6.3.8). What is refused is refused for known and unknown addresses alike, after the same work.
 */
export async function signUpQuietly(app: App, wanted: Wanted): Promise<UserView> {
  const fields = await readUserFields(app, wanted, 'create')
  const owner = await findUserByEmail(app, wanted.email)
  if (owner) {
    await checkNewPassword(app, wanted.password, wanted)
    await hashPassword(app, wanted.password)
    await tellOwner(app, owner)
  }
  const created = owner
    ? null
    : await createWanted(app, wanted, fields).catch((error: unknown) => tellLateOwner(app, wanted.email, error))
  const now = app.now()
  const { name, image = null } = wanted
  return {
    id: created?.id ?? createId(app, 'user'),
    name,
    email: wanted.email.toLowerCase(),
    image,
    emailVerified: false,
    createdAt: now,
    updatedAt: now,
  }
}

async function createWanted(app: App, wanted: Wanted, fields: object): Promise<UserRow> {
  const { name, email, password, image = null, callbackURL } = wanted
  await checkNewPassword(app, password, { email, name })
  const { requireEmailVerification } = app.config.emailAndPassword
  const sendsLink = (requireEmailVerification || app.config.emailVerification.sendOnSignUp) && canVerify(app)
  return createUserWithPassword(app, { name, email, image, fields }, await hashPassword(app, password), async (inner, user) => {
    if (sendsLink) await sendVerificationMail(inner, user, { callbackURL })
  })
}

/** In one transaction, with a row in place of the user and one in place of the account that are not made. */
const tellOwner = (app: App, { email }: UserRow): Promise<void> =>
  pretendVerification(app, (inner) =>
    pretendVerification(inner, (last) =>
      canSend(app, 'account-exists') ? sendMail(last, 'account-exists', email, {}) : pretendVerificationMail(last, email),
    ),
  )

/** Somebody else has signed up with the address meanwhile. */
async function tellLateOwner(app: App, email: string, error: unknown): Promise<null> {
  if (!(error instanceof ApiError) || error.entry.code !== userErrors.USER_ALREADY_EXISTS.code) throw error
  const owner = await findUserByEmail(app, email)
  if (owner) await tellOwner(app, owner)
  return null
}

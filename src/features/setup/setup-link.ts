import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import { write } from '../../core/write.ts'
import { changePassword } from '../accounts/index.ts'
import { guardSharedAttempt } from '../attempts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { hostedURL } from '../dashboard/index.ts'
import { checkPasswordLength, createUserWithPassword } from '../email-password/index.ts'
import { endAccessByReset, isStranger } from '../email-verification/index.ts'
import { checkNewPassword } from '../password-rules/index.ts'
import { insertUser, type NewUser, userCreation } from '../users/index.ts'
import { errors, findLinkUser, insertVerification, usePasswordLink, verificationCreation } from '../verifications/index.ts'

export const purpose = 'set-up'

/** A setup link for this user, for `write`: its draft goes to `insertVerification`. */
function setupLinkCreation(app: App, userId: string) {
  const token = app.random.token(32)
  const expiresIn = app.config.seed.setupLinkExpiresIn
  const creation = verificationCreation(app, { purpose, token, value: userId, subject: userId, expiresIn })
  return { creation, url: `${hostedURL(app.config, '/set-up') ?? `${apiURL(app.config)}/set-up`}?token=${token}` }
}

const recordLink = (tx: App, userId: string): Promise<void> =>
  recordEvent(tx, { action: 'setup-link.created', target: { type: 'user', id: userId } })

/** Creates a link that sets the password of this user. Display it once. */
export async function createSetupLink(app: App, userId: string): Promise<string> {
  const { creation, url } = setupLinkCreation(app, userId)
  await write(app, [creation], async (tx, draft) => {
    await insertVerification(tx, draft)
    await recordLink(tx, userId)
  })
  return url
}

/**
 * Creates a link that is sent to its user.
 * @param send writes the email in the transaction of the link; false: there is no link
 */
export async function mailSetupLink(app: App, userId: string, send: (tx: App, url: string) => Promise<boolean>): Promise<void> {
  const { creation, url } = setupLinkCreation(app, userId)
  await write(app, [creation], async (tx, draft) => {
    if (!(await send(tx, url))) return
    await insertVerification(tx, draft)
    await recordLink(tx, userId)
  })
}

/** Finds a valid setup link, or a reset link that leads to the page of setup links, with its user; does not use it. */
export async function findSetupLink(app: App, token: string) {
  for (const by of [purpose, 'reset-password'] as const) {
    const user = await findLinkUser(app, by, token)
    if (user) return { user, purpose: by }
  }
  return null
}

/**
 * The same for a request: failures are counted.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function verifySetupLink(ctx: CallContext, token: string) {
  const shared = { claim: purpose, networkAddress: ctx.request.networkAddress(), policy: 'perNetwork' } as const
  const link = await guardSharedAttempt(ctx, shared, () => findSetupLink(ctx, token))
  if (!link) ctx.subject.hasFailed = true
  return link
}

/**
 * Uses the link and sets the password, in one transaction.
 * @throws ApiError INVALID_TOKEN, PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, PASSWORD_COMPROMISED, PASSWORD_TOO_PERSONAL,
 * SERVICE_UNAVAILABLE, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function setPasswordByLink(app: CallContext, token: string, password: string): Promise<void> {
  // First of all, so that every look-up of a token is counted; the form then shows whose password is rejected.
  const link = await verifySetupLink(app, token)
  if (!link) throw new ApiError(errors.INVALID_TOKEN)
  const { user } = link
  const isReset = link.purpose === 'reset-password'
  checkPasswordLength(app, password)
  await checkNewPassword(app, password, user)
  const passwordHash = await app.hasher.hash(password)
  const isByStranger = await isStranger(app, user)
  const isSet = await changePassword(app, user.id, {
    passwordHash,
    ...{ by: isReset ? 'reset-link' : 'setup-link', isRecovery: isReset, ...(isReset && { provenEmail: user.email }) },
    inTransaction: async (inner) => {
      if (!(await usePasswordLink(inner, link.purpose, token, user.id))) throw new ApiError(errors.INVALID_TOKEN)
      return isReset ? endAccessByReset(inner, user.id, isByStranger) : {}
    },
  })
  if (!isSet) throw new ApiError(errors.INVALID_TOKEN)
}

interface UserInput extends NewUser {
  /** Role names, separated by commas. */
  readonly role?: string | undefined
  /** Absent: a setup link is created. */
  readonly password?: string | undefined
}

/** The operator at the command line, who may override the sign-up policy, or their configuration, which is not subject to it. */
type CreationWay = { readonly source: 'operator' | 'seed'; readonly overrides?: boolean }

interface CreatedUser {
  readonly user: UserRow
  /** Sets the password; null when the user has one. Display it once. */
  readonly setupLink: string | null
}

/**
 * Creates a user on behalf of an operator. The password rules apply.
 * @throws ApiError SIGN_UP_NOT_ALLOWED, PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, those of `checkNewPassword`, USER_ALREADY_EXISTS,
 * FAILED_TO_CREATE_USER, FAILED_TO_CREATE_ACCOUNT
 */
export async function createUser(
  app: App,
  { role, password, ...given }: UserInput,
  way: CreationWay = { source: 'operator' },
): Promise<CreatedUser> {
  const input = role === undefined ? given : { ...given, fields: { ...given.fields, role } }
  if (password === undefined) return createWithLink(app, input, way)
  checkPasswordLength(app, password)
  await checkNewPassword(app, password, input)
  const passwordHash = await app.hasher.hash(password)
  return { user: await createUserWithPassword(app, input, passwordHash, way), setupLink: null }
}

async function createWithLink(app: App, input: NewUser, way: CreationWay): Promise<CreatedUser> {
  const user = userCreation(app, input)
  const { creation, url } = setupLinkCreation(app, user.draft.id)
  return write(app, [user, creation], async (tx, userDraft, linkDraft) => {
    const created = await insertUser(tx, userDraft, { method: 'setup-link', ...way })
    await insertVerification(tx, linkDraft)
    await recordLink(tx, created.id)
    return { user: created, setupLink: url }
  })
}

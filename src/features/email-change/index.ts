/** Requests a change of the email address. The link that completes it belongs to email-verification. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { flagged, group } from '../../core/config.ts'
import { ApiError, defineErrors, errors as kernelErrors } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { ofAccount, settings } from '../../core/feature.ts'
import { freshSession } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { emailChange, requireSignUp, errors as signUpErrors } from '../../core/sign-up.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import { hostedPath } from '../dashboard/index.ts'
import {
  canVerify,
  changeClaims,
  createEmailToken,
  decoyVerificationMail,
  recordLinkRequest,
  sendVerificationMail,
  errors as verificationErrors,
  verificationURL,
} from '../email-verification/index.ts'
import { findMailboxOwner } from '../one-mailbox/index.ts'
import { canSend, countForNetwork, decoyMail, isSent, mailSender, mailTemplates, sendMail } from '../outbox/index.ts'
import { reissueSession } from '../sessions/index.ts'
import {
  describeUser,
  findUserByEmail,
  reachableEmail,
  type UserUpdate,
  updateUser,
  errors as userErrors,
  userUpdate,
} from '../users/index.ts'
import { errors as tokenErrors } from '../verifications/index.ts'
import { type ChangeMail, type ChangeNotice, mails } from './mails.ts'

export const area = 'User profile'

export const config = {
  ...mailTemplates<{ 'change-email': ChangeMail; 'email-changed': ChangeNotice; 'email-in-use': object }>({
    'change-email': 'with the confirmation link for a new email address',
    'email-changed': 'that notifies of a new email address',
    'email-in-use': 'to a user whose email address another user wanted to change to',
  }),
  user: group('Users', {
    changeEmail: flagged('Email address changes by users', {
      requireFreshSession: z
        .boolean()
        .default(true)
        .describe(
          'Require a session within `session.freshAge` of the sign-in, so that a stolen cookie does not become an account',
        ),
      sendEmailChanged: mailSender<ChangeNotice>('notice of a new email address to the former one'),
      sendChangeEmailVerification: mailSender<ChangeMail>('confirmation link to the current email address'),
    }),
  }),
}

export const errors = defineErrors({
  CHANGE_EMAIL_IS_DISABLED: [400, 'Change email is disabled'],
  EMAIL_IS_THE_SAME: [400, 'Email is the same'],
  COULDNT_UPDATE_YOUR_EMAIL: [400, "Couldn't update your email"],
})

export { type ChangeMail, type ChangeNotice, mails }

export const publicSettings = settings(
  { emailChange: z.object({ confirmedByEmail: z.boolean(), requiresFreshSession: z.boolean() }).nullable() },
  (config) => {
    const { enabled, requireFreshSession } = config.user.changeEmail
    const confirmedByEmail = isSent(config, mails['change-email'])
    return { emailChange: enabled ? { confirmedByEmail, requiresFreshSession: requireFreshSession } : null }
  },
)

export const auditActions = { 'email-change.requested': ofAccount('A user requested another email address') }

/** However it was changed (ASVS 6.3.7): part of the transaction of the change. */
export const on: Listeners = {
  'user.email-changed': (app, { user, formerEmail, wasVerified }) => {
    const former = { ...user, email: formerEmail, emailVerified: wasVerified }
    return sendMail(app, mails['email-changed'], former, { user: describeUser(app, user), formerEmail })
  },
}

/**
 * Replaces an unverified email address immediately. A verified one is replaced when the user opens the link that is sent to it.
 * @param newEmail in lower case
 * @param callbackURL target of the redirect after the link in the email; absent or empty: the hosted page, or `/`
 * @returns the user with the new email address; null when a link was sent
 * @throws ApiError SIGN_UP_NOT_ALLOWED, EMAIL_IS_THE_SAME, COULDNT_UPDATE_YOUR_EMAIL, VERIFICATION_EMAIL_ISNT_ENABLED
 */
async function changeEmail(app: App, user: UserRow, newEmail: string, callbackURL: string | undefined): Promise<UserRow | null> {
  if (newEmail === user.email) throw new ApiError(errors.EMAIL_IS_THE_SAME)
  await requireSignUp(app, emailChange(user, newEmail))
  if (await findUserByEmail(app, newEmail)) throw new ApiError(errors.COULDNT_UPDATE_YOUR_EMAIL)
  if (!user.emailVerified) return replaceUnverified(app, user, newEmail, callbackURL)
  if (!canSend(app, mails['change-email'])) throw new ApiError(verificationErrors.VERIFICATION_EMAIL_ISNT_ENABLED)
  await transaction(app, async (tx) => {
    await recordLinkRequest(tx, 'email-change.requested', user)
    await sendConfirmation(tx, user, newEmail, callbackURL)
  })
  return null
}

/**
 * Requests a change without revealing whether the new email address is known (ASVS 6.3.8): nothing changes before the link in an
 * email to it is opened, and an owner is notified instead. A verified email address must confirm the change first.
 * @throws ApiError SIGN_UP_NOT_ALLOWED, EMAIL_IS_THE_SAME, VERIFICATION_EMAIL_ISNT_ENABLED
 */
async function changeEmailQuietly(app: App, user: UserRow, newEmail: string, callbackURL: string | undefined): Promise<void> {
  if (newEmail === user.email) throw new ApiError(errors.EMAIL_IS_THE_SAME)
  await requireSignUp(app, { ...emailChange(user, newEmail), hidesUsers: true })
  const canConfirm = !user.emailVerified || canSend(app, mails['change-email'])
  if (!canConfirm || !canVerify(app)) throw new ApiError(verificationErrors.VERIFICATION_EMAIL_ISNT_ENABLED)
  const owner = (await findUserByEmail(app, newEmail)) ?? (await findMailboxOwner(app, newEmail, user))
  await transaction(app, async (tx) => {
    await recordLinkRequest(tx, 'email-change.requested', user)
    await (owner ? sendMail : decoyMail)(tx, mails['email-in-use'], owner ?? { email: newEmail }, {})
    if (user.emailVerified) return sendConfirmation(tx, user, newEmail, callbackURL)
    const claims = { ...changeClaims(user, newEmail), provesNew: true }
    await (owner ? decoyVerificationMail : sendVerificationMail)(tx, { ...user, email: newEmail }, { callbackURL, claims })
  })
}

async function replaceUnverified(app: App, user: UserRow, newEmail: string, callbackURL: string | undefined): Promise<UserRow> {
  const work = async (tx: App, draft: UserUpdate) => {
    const updated = await updateUser(tx, user.id, draft, user.email)
    if (!updated) throw new ApiError(errors.COULDNT_UPDATE_YOUR_EMAIL)
    // For the notice to the former address, which may be a stranger's, but must not be left out.
    if (canSend(tx, mails['email-changed'])) await countForNetwork(tx)
    if (canVerify(tx)) await sendVerificationMail(tx, updated, { callbackURL })
    return updated
  }
  return write(app, [userUpdate(app, { email: newEmail })], work).catch((error: unknown) => {
    throw app.database.isUniqueViolation(error) ? new ApiError(errors.COULDNT_UPDATE_YOUR_EMAIL, { cause: error }) : error
  })
}

async function sendConfirmation(app: App, user: UserRow, newEmail: string, callbackURL: string | undefined): Promise<void> {
  const token = await createEmailToken(app, changeClaims(user, newEmail), app.config.emailVerification.expiresIn)
  const url = verificationURL(app, token, callbackURL || hostedPath(app.config, '/email-changed'))
  await sendMail(app, mails['change-email'], user, { user: describeUser(app, user), newEmail, url, token })
}

export const routes = {
  'POST /change-email': route({
    summary: 'Change the email address',
    description:
      'Changes the email address of the current user. An unverified address is replaced immediately. A verified address is replaced only after the user opens a confirmation link in an email to it. Requires a fresh session, unless `user.changeEmail.requireFreshSession` is off. The former address gets a notice. Fails when the feature is disabled, the sign-up policy rejects the new address, the new address is the current one or already used, or no email can be sent. With `antiEnumeration` the response does not reveal whether the new address is used, and the address is replaced only after the user opens the link in an email to it.',
    access: freshSession(({ user }) => user.changeEmail.requireFreshSession),
    stepUp: 'established',
    sensitive: true,
    body: z.object({ newEmail: reachableEmail, callbackURL: callbackURL.optional() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [
      kernelErrors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER,
      ...Object.values(errors),
      signUpErrors.SIGN_UP_NOT_ALLOWED,
      verificationErrors.VERIFICATION_EMAIL_ISNT_ENABLED,
      userErrors.FAILED_TO_UPDATE_USER,
      tokenErrors.FAILED_TO_CREATE_VERIFICATION,
    ],
    handler: async (ctx) => {
      if (!ctx.config.user.changeEmail.enabled) throw new ApiError(errors.CHANGE_EMAIL_IS_DISABLED)
      const newEmail = ctx.body.newEmail.toLowerCase()
      if (ctx.config.emailAndPassword.antiEnumeration) {
        await changeEmailQuietly(ctx, ctx.user, newEmail, ctx.body.callbackURL)
        return { status: true as const }
      }
      const user = await changeEmail(ctx, ctx.user, newEmail, ctx.body.callbackURL)
      if (user) await reissueSession(ctx, ctx.session)
      return { status: true as const }
    },
  }),
}

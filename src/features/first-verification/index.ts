/**
 * The calls behind the page of a verification link (contract 01 §4). In a browser that is not known to belong to the user, the page
 * asks before anything is verified: most visitors signed up on another device, but an attacker may have used the address of another
 * person.
 */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { writesCookies } from '../../core/cookies.ts'
import { ApiError } from '../../core/errors.ts'
import { anyone } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { write } from '../../core/write.ts'
import {
  type AccountDraft,
  errors as accountErrors,
  credentialCreation,
  type EndedAccess,
  isSocial,
  listAccounts,
  replaceCredential,
} from '../accounts/index.ts'
import { checkPassword, checkPasswordLength, errors as passwordErrors, provePassword } from '../email-password/index.ts'
import {
  isStranger,
  type LinkFailure,
  linkError,
  linkErrors,
  type OpenedLink,
  readLink,
  revokeEarlierAccess,
  verifyAddress,
  writeVerified,
} from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import { checkNewPassword, errors as ruleErrors } from '../password-rules/index.ts'
import { updateUser, userRecord, userUpdate } from '../users/index.ts'
import { consumeToken } from '../verifications/index.ts'

export const area = 'Email verification'

const invalidToken = linkError('invalid_token')
const changed: LinkFailure = { error: 'invalid_token' }

/** @throws ApiError the error of the link; INVALID_TOKEN also for one that changes an email address */
async function requireLink(ctx: CallContext, token: string): Promise<OpenedLink> {
  const link = await readLink(ctx, token)
  if ('error' in link) throw new ApiError(linkError(link.error))
  if (link.read.updateTo !== undefined) throw new ApiError(invalidToken)
  return link
}

/** What a visitor must do before the page uses the link. */
async function stepOf(ctx: CallContext, { user, read }: OpenedLink): Promise<'confirm' | 'sign-in' | 'prove'> {
  if (read.updateTo !== undefined) {
    const current = await ctx.identify({ refresh: false })
    return current?.user.id === user.id ? 'confirm' : 'sign-in'
  }
  return (await isStranger(ctx, user)) ? 'prove' : 'confirm'
}

/** How the user can sign in, so that the page can ask for it. */
async function methodsOf(app: App, { id }: UserRow) {
  const accounts = await listAccounts(app, id)
  return {
    hasPassword: app.config.emailAndPassword.enabled && accounts.some((account) => !isSocial(account) && account.password),
    providers: accounts.filter(isSocial).map(({ providerId }) => providerId),
  }
}

/**
 * Verifies the email address for its owner, and ends everything from before: another person may have signed up with it.
 * @param newPassword undefined: users have no passwords
 */
async function writeTakeover(
  ctx: CallContext,
  { user, read }: OpenedLink,
  newPassword: string | undefined,
): Promise<UserRow | LinkFailure> {
  const passwordHash = newPassword === undefined ? null : await ctx.hasher.hash(newPassword)
  await ctx.config.emailVerification.onEmailVerification?.(userRecord(user))
  const credential = passwordHash === null ? [] : [credentialCreation(ctx, user.id, passwordHash)]
  const writes = [userUpdate(ctx, { emailVerified: true }), ...credential] as const
  return write(ctx, writes, async (tx, userDraft, accountDraft?: AccountDraft) => {
    const endPassword =
      accountDraft && ((inner: App, _: string, ended: EndedAccess) => replaceCredential(inner, accountDraft, ended))
    if (!(await revokeEarlierAccess(tx, user, endPassword))) return changed
    await consumeToken(tx, read.name, read.expiresAt)
    return (await updateUser(tx, user.id, userDraft, user.email)) ?? changed
  })
}

/**
 * A second request has the same response as the first only with the same password: with another one it would seem to be set.
 * @throws ApiError INVALID_TOKEN, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
async function takeOver(ctx: CallContext, { token, newPassword, callbackURL }: z.output<typeof takeover>): Promise<void> {
  const link = await requireLink(ctx, token)
  const { user } = link
  if (newPassword !== undefined) {
    checkPasswordLength(ctx, newPassword)
    await checkNewPassword(ctx, newPassword, user)
  }
  const used = await verifyAddress(ctx, link, () => writeTakeover(ctx, link, newPassword), { callbackURL })
  if ('error' in used) throw new ApiError(linkError(used.error))
  const isSame = used.isFirst || newPassword === undefined || (await checkPassword(ctx, user, newPassword)) !== null
  if (!isSame) throw new ApiError(invalidToken)
}

const target = { token: z.string(), callbackURL: callbackURL.optional() }
const takeover = z.object({ ...target, newPassword: z.string().optional() })
const returns = z.object({ status: z.literal(true) })
const examples = { token: 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFubkBleGFtcGxlLmNvbSJ9.c2ln' }
/** As for a sign-in: both calls hash a password. */
const rateLimit = { window: 10, max: 3 }

export const routes = {
  'POST /verification-link': route({
    summary: 'Check a verification link',
    description:
      'Returns what the page of a verification link must know, and changes nothing. `step` is `confirm` when `POST /verify-email` can follow: the browser is signed in as the user, or is the one that signed up, or the email address is verified already. It is `prove` in any other browser: the visitor gives the password of the account, signs in, or replaces everything with `POST /verify-email/with-new-password`. It is `sign-in` for a change of email address without a session of the user. Fails when the token is invalid or expired.',
    access: anyone(),
    usesCredential: true,
    body: z.object(target).meta({ examples: [examples] }),
    returns: z.object({
      email: z.string(),
      newEmail: z.string().nullable().meta({ description: 'Set when the link changes the email address' }),
      step: z.enum(['confirm', 'prove', 'sign-in']),
      hasPassword: z.boolean(),
      providers: z.array(z.string()).meta({ description: 'IDs of the providers of linked social accounts' }),
    }),
    errors: linkErrors(),
    rateLimit: { window: 60, max: 30 },
    handler: async (ctx) => {
      const link = await readLink(ctx, ctx.body.token)
      if ('error' in link) throw new ApiError(linkError(link.error))
      const { email, updateTo = null } = link.read
      return { email, newEmail: updateTo, step: await stepOf(ctx, link), ...(await methodsOf(ctx, link.user)) }
    },
  }),
  'POST /verify-email/with-password': route({
    summary: 'Verify an email address with the password',
    description:
      'Verifies an email address with the token of a verification link and the password that the user chose at sign-up. Nothing else changes, and a session is created with `emailVerification.autoSignInAfterVerification`. A token works once; a later call has the same response. Fails when the token is invalid or expired, or the password is wrong; failures count towards the lockout of the account.',
    access: anyone(),
    usesCredential: true,
    exists: ({ emailAndPassword }) => emailAndPassword.enabled,
    body: z.object({ ...target, password: z.string() }).meta({ examples: [{ ...examples, password: 'correct horse battery' }] }),
    returns,
    signsIn: ['first-factor'],
    errors: [...linkErrors(), passwordErrors.CREDENTIAL_ACCOUNT_NOT_FOUND, passwordErrors.INVALID_PASSWORD],
    rateLimit,
    handler: async (ctx) => {
      const link = await requireLink(ctx, ctx.body.token)
      const { password, callbackURL } = ctx.body
      const { attempt } = await provePassword(ctx, link.user, password)
      const used = await verifyAddress(ctx, link, () => writeVerified(ctx, link, true), { callbackURL, attempt })
      if ('error' in used) throw new ApiError(linkError(used.error))
      return { status: true as const }
    },
  }),
  'POST /verify-email/with-new-password': route({
    summary: 'Verify an email address and replace all access',
    description:
      'For the owner of an email address who did not sign up, or forgot the password: verifies the address with the token of a verification link, sets a new password, and ends everything from before: sessions, password, social accounts, phone number and API keys. Without `emailAndPassword`, no password is given. Fails when the token is invalid, expired or used, when the email address is verified already, or the password does not meet the password rules.',
    signsIn: ['first-factor'],
    access: anyone(),
    usesCredential: true,
    body: ({ emailAndPassword }: Config) =>
      (emailAndPassword.enabled ? takeover.required({ newPassword: true }) : takeover).meta({
        examples: [{ ...examples, newPassword: 'a new horse battery staple' }],
      }),
    returns,
    responseHeaders: writesCookies,
    errors: [
      ...linkErrors(),
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      ...Object.values(ruleErrors),
      accountErrors.FAILED_TO_CREATE_ACCOUNT,
    ],
    rateLimit,
    handler: async (ctx) => {
      await takeOver(ctx, ctx.body)
      return { status: true as const }
    },
  }),
}

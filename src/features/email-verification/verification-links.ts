import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { callback, group } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import { defineErrors } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import { settings } from '../../core/feature.ts'
import type { UserRow } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import { transaction } from '../../core/transaction.ts'
import { signJWT, verifyJWT } from '../../lib/jwt.ts'
import { type AuditEvent, recordEvent } from '../audit/index.ts'
import { hostedPath } from '../dashboard/index.ts'
import { canSend, decoyMail, isSent, mailSender, mailTemplates, sendMail } from '../outbox/index.ts'
import { describeUser, type UserRecord } from '../users/index.ts'
import { mailPause } from './code-limits.ts'
import { type EndedNotice, type LinkMail, mails } from './mails.ts'

export const config = {
  ...cookieOptions('sign_up'),
  ...mailTemplates<{ verification: LinkMail; 'earlier-access-ended': EndedNotice }>({
    verification: 'with the verification link',
    'earlier-access-ended': 'that says what ended when the owner of an email address verified it',
  }),
  emailVerification: group('Verification of email addresses', {
    sendVerificationEmail: mailSender<LinkMail>('verification link'),
    sendOnSignUp: z.boolean().default(false).describe('Send a verification email at sign-up'),
    autoSignInAfterVerification: z.boolean().default(false).describe('Create a session when the verification link is opened'),
    revokeEarlierAccess: z
      .boolean()
      .optional()
      .describe(
        'When a call alone, without the hosted page, first verifies an email address in a browser that is neither signed in as the user nor the one that signed up: revoke the sessions of the user, and remove password, social accounts, phone number and API keys. It also signs out users who verify on another device than they signed up on. Default: true for magic links and codes, which the owner of the address asks for, false for verification links',
      ),
    expiresIn: z.int().positive().max(604_800).default(3600).describe('Lifetime of a verification link in seconds'),
    onEmailVerification: callback<(user: UserRecord) => unknown>()
      .optional()
      .describe('Called once for each link, before the email address is verified'),
  }),
}

export const errors = defineErrors({
  VERIFICATION_EMAIL_ISNT_ENABLED: [400, "Verification email isn't enabled"],
  YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL: [
    400,
    'You can only send a verification email to an unverified email',
  ],
  YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL: [400, 'You can only send a verification email to your own email'],
})

export const publicSettings = settings(
  {
    emailVerification: z.boolean(),
    emailResendAfter: z.int().meta({ description: 'Seconds after which pages offer to send an email again' }),
  },
  (config) => ({ emailVerification: isSent(config, mails.verification), emailResendAfter: mailPause() }),
)

/** Whether verification emails can be sent. */
export const canVerify = (app: App): boolean => canSend(app, mails.verification)

interface LinkOptions {
  /** Target of the redirect after the link; absent or empty: the hosted page, or `/`. */
  readonly callbackURL?: string | null | undefined
  /** In seconds. Default: as configured. */
  readonly expiresIn?: number
  /** Default: the link verifies the email address of the user. */
  readonly claims?: EmailClaims
}

/** Whether another feature has sent something else in place of the link. */
const isReplaced = async (tx: App, user: UserRow, { claims }: LinkOptions, isDecoy: boolean): Promise<boolean> =>
  claims === undefined && (await emit(tx, 'verification-mail.sending', { user, isDecoy })).isReplaced === true

/** Sends a verification email for the email address of a user; part of the transaction if there is one. */
export async function sendVerificationMail(app: App, user: UserRow, options: LinkOptions = {}): Promise<void> {
  const mail = await linkMail(app, user, options)
  await transaction(app, async (tx) => {
    if (await isReplaced(tx, user, options, false)) return
    await sendMail(tx, mails.verification, user, mail)
    await recordLinkRequest(tx, 'email-verification.requested', user)
  })
}

/** Does the same work for an unknown or verified email address. @param user see `decoyUser` */
export async function decoyVerificationMail(app: App, user: UserRow, options: LinkOptions = {}): Promise<void> {
  const mail = await linkMail(app, user, options)
  await transaction(app, async (tx) => {
    if (await isReplaced(tx, user, options, true)) return
    await decoyMail(tx, mails.verification, user, mail)
    await recordLinkRequest(tx, 'email-verification.requested', null)
  })
}

/**
 * Records the request of a link by email. It takes the same work without a user, so that the response time does not reveal whether
 * there is one (ASVS 6.3.8).
 */
export const recordLinkRequest = (tx: App, action: AuditEvent['action'], user: Pick<UserRow, 'id'> | null): Promise<void> =>
  recordEvent(tx, { action, ...(user ? { target: { type: 'user', id: user.id } } : { outcome: 'failed' }) })

async function linkMail(app: App, user: UserRow, { callbackURL, claims, expiresIn }: LinkOptions): Promise<LinkMail> {
  const token = await createEmailToken(app, claims ?? { email: user.email }, expiresIn ?? app.config.emailVerification.expiresIn)
  return { user: describeUser(app, user), url: verificationURL(app, token, callbackURL), token }
}

/** The verification link (contract 01 §4). */
export const verificationURL = (app: App, token: string, callbackURL: string | null | undefined): string =>
  `${apiURL(app.config)}/verify-email?token=${token}&callbackURL=${encodeURIComponent(callbackURL || (hostedPath(app.config, '/email-verified') ?? '/'))}`

interface EmailClaims {
  readonly email: string
  /** The new email address that replaces `email`. */
  readonly updateTo?: string
  /** The link was sent to the new email address, and so verifies it. */
  readonly provesNew?: boolean
  /** Of the user, when they requested a change: the link ends when their sign-in methods change. */
  readonly accessRevision?: number
}

/** A link that a thief requested must not outlive the new password of its owner. */
export const changeClaims = ({ email, accessRevision }: UserRow, updateTo: string): EmailClaims => ({
  email,
  updateTo,
  accessRevision,
})

export interface EmailToken extends EmailClaims {
  /** The name under which its use is recorded; not secret. */
  readonly name: string
  readonly expiresAt: Date
}

const claimsSchema = z.object({
  email: z.string(),
  updateTo: z.string().optional(),
  provesNew: z.boolean().optional(),
  accessRevision: z.int().optional(),
  exp: z.number(),
  jti: z.unknown().optional(),
})

/** The token of an email link, signed with the secret itself as contract 00 §9 requires. @param expiresIn seconds */
export function createEmailToken(app: App, given: EmailClaims, expiresIn: number): Promise<string> {
  const { email, updateTo, provesNew, accessRevision } = given
  const [key] = app.keyring.rawKeys()
  if (!key) throw new Error('A keyring has a key')
  const claims = {
    email: email.toLowerCase(),
    ...(updateTo !== undefined && { updateTo }),
    ...(provesNew && { provesNew }),
    ...(accessRevision !== undefined && { accessRevision }),
    jti: app.random.token(24),
  }
  return signJWT(claims, { key, issuedAt: app.now(), expiresIn })
}

/** @returns the content of the token, or the error code for the redirect */
export async function readEmailToken(
  app: App,
  token: string,
): Promise<EmailToken | { readonly error: 'token_expired' | 'invalid_token' }> {
  const verified = await verifyJWT(token, app.keyring.rawKeys(), app.now())
  if ('error' in verified) return { error: verified.error === 'expired' ? 'token_expired' : 'invalid_token' }
  const claims = claimsSchema.safeParse(verified.claims)
  if (!claims.success) return { error: 'invalid_token' }
  const { email, updateTo, provesNew = false, accessRevision, exp, jti } = claims.data
  return {
    email,
    ...(updateTo !== undefined && { updateTo: updateTo.toLowerCase() }),
    provesNew,
    ...(accessRevision !== undefined && { accessRevision }),
    name: nameOf(token, jti),
    expiresAt: new Date(exp * 1000),
  }
}

/** Links that better-auth sent before a migration have no `jti`; their signature identifies them. */
function nameOf(token: string, jti: unknown): string {
  if (typeof jti === 'string' && /^\w{16,58}$/.test(jti)) return jti
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return createHash('sha256').update(signature).digest('base64url')
}

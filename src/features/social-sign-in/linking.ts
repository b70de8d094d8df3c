/** Links provider accounts to users (contract 03 §4, §5). An identity is issuer and subject, never an email address alone (ASVS 6.8.1). */
import type { App } from '../../core/app.ts'
import { ApiError, errors, findRefusal } from '../../core/errors.ts'
import { requireFresh } from '../../core/permissions.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import { write } from '../../core/write.ts'
import { errorReason } from '../../lib/redact.ts'
import {
  type AccountRow,
  errors as accountErrors,
  accountUpdate,
  findSocialAccount,
  insertAccount,
  linked,
  socialAccountCreation,
  updateAccount,
} from '../accounts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { revokeEarlierAccess } from '../email-verification/index.ts'
import { hasSession } from '../sessions/index.ts'
import { findUserById, lockUser, type UserUpdate, updateUser, userUpdate } from '../users/index.ts'
import { deletePasswordLinks } from '../verifications/index.ts'
import type { ConfiguredProvider } from './configured-providers.ts'
import { accountLinked } from './mails.ts'
import type { IdentifiedProfile } from './profile.ts'
import type { ProviderTokens } from './provider.ts'
import { tokenColumns } from './provider-tokens.ts'
import { isUsableEmail } from './reading.ts'

/** A user whom a provider has identified: by issuer and subject, with or without an email address. */
export interface Identity extends IdentifiedProfile {
  readonly provider: ConfiguredProvider
  readonly tokens: ProviderTokens
}

/**
 * Why an identity leads neither to a session nor to a link. Those of a sign-in are texts of the contract (03 §4), as redirect codes with
 * `_` for spaces. `changed`: the account or the user is not as read any more, and another attempt may succeed.
 */
type Reason =
  | 'account not linked'
  | 'unable to link account'
  | 'signup disabled'
  | 'signup not allowed'
  | 'unable to create user'
  | 'unable to create session'
  | 'email not found'
  | 'linking not allowed'
  | 'different email'
  | 'account of another user'
  | 'changed'

/** What came of an identity in place of its user. A hook may reject a sign-in with a message of its own. */
export interface Failure<R extends string = string> {
  readonly failure: R
}
export const failed = <R extends Reason>(failure: R): Failure<R> => ({ failure })
export const isFailure = (outcome: object): outcome is Failure => 'failure' in outcome
export const hasChanged = (outcome: object): outcome is Failure<'changed'> => isFailure(outcome) && outcome.failure === 'changed'

/** Whether an account of this identity may be linked to a user: the provider is trusted, or has verified the email address. */
export function mayLink(app: App, { provider, profile }: Identity): boolean {
  const { enabled, trustedProviders } = app.config.account.accountLinking
  return enabled && (trustedProviders.includes(provider.id) || profile.emailVerified)
}

/**
 * The provider that uses this ID now is another one than the provider of the account: its subjects are other users. An account from
 * before the issuer was known, such as before discovery was configured, has the origin in its place.
 */
export const isOfOtherIssuer = ({ issuer: known }: AccountRow, { issuer }: Identity): boolean =>
  known !== null && known !== issuer && known !== URL.parse(issuer)?.origin

export const accountOf = (app: App, { provider, profile, issuer, tokens }: Identity, userId: string) =>
  socialAccountCreation(app, {
    userId,
    providerId: provider.id,
    accountId: profile.id,
    issuer,
    ...tokenColumns(app, provider.id, tokens),
  })

/** Email addresses are compared in any case. */
export const isSameEmail = (email: string | null, other: string): boolean => email?.toLowerCase() === other.toLowerCase()

/** The name in the profile; null when the provider has none, and the email address is in its place. */
export const knownName = ({ profile: { name, email } }: Identity): string | null => (name && name !== email ? name : null)

/** Stores new tokens, unless a hook rejects them. @returns false when the account was unlinked */
export async function updateTokens(app: App, account: AccountRow, { provider, tokens, issuer }: Identity): Promise<boolean> {
  const update = accountUpdate(app, { ...tokenColumns(app, provider.id, tokens), issuer })
  try {
    return await write(app, [update], (tx, draft) => updateAccount(tx, account, draft), { isOneStatement: true })
  } catch (error) {
    if (isCode(error, accountErrors.FAILED_TO_UPDATE_ACCOUNT.code)) return true
    throw error
  }
}

export const isCode = (error: unknown, code: string): boolean => error instanceof ApiError && error.entry.code === code

type UnverifiedRule = NonNullable<App['config']['account']['accountLinking']['unverifiedUsers']>

/**
 * What happens when the email address of the user was never verified. In an app that sends no verification emails, no user can be
 * verified: all would lose their password at their first social sign-in.
 */
export const ruleForUnverified = ({ account }: App['config'], sendsVerification: boolean): UnverifiedRule =>
  account.accountLinking.unverifiedUsers ?? (sendsVerification ? 'revoke' : 'keep')

interface LinkConditions {
  /** What to do when the email address of the user was never verified. */
  readonly unverifiedUsers: UnverifiedRule
}

interface Linked {
  /** As they are then. */
  readonly user: UserRow
}

/**
 * Links an account, unless a rule or a hook rejects it. When the provider has verified the address of a user, it counts as verified from
 * then on.
 */
export async function insertLink(
  app: App,
  identity: Identity,
  user: UserRow,
  conditions: LinkConditions,
): Promise<Linked | Failure<'unable to link account'> | Failure<'changed'>> {
  const { profile } = identity
  const verifies = !user.emailVerified && profile.emailVerified && isSameEmail(profile.email, user.email)
  const update = userUpdate(app, { emailVerified: true })
  try {
    const writes = [accountOf(app, identity, user.id), ...(verifies ? [update] : [])] as const
    return await write(app, writes, async (tx, accountDraft, userDraft) => {
      const checked = await checkConditions(tx, user, conditions)
      if (typeof checked === 'object') return checked
      await insertAccount(tx, accountDraft)
      await recordEvent(tx, linked(accountDraft))
      if (userDraft) await updateUser(tx, user.id, userDraft as UserUpdate, user.email)
      await accountLinked(tx, user, { provider: identity.provider.declaration.name, hasRevoked: checked === 'revoked' })
      const updated = await findUserById(tx, user.id)
      return updated ? { user: updated } : failed('changed')
    })
  } catch (error) {
    if (app.database.isUniqueViolation(error)) return failed('changed')
    if (error instanceof ApiError || findRefusal(error)) return failed('unable to link account')
    throw error
  }
}

/**
 * Locks the user, and checks what may have changed since they were read. With `revoke` it ends what another person, who signed up
 * with this email address, may have prepared.
 */
async function checkConditions(tx: App, user: UserRow, { unverifiedUsers }: LinkConditions) {
  if (!(await lockUser(tx, user.id))) return failed('changed')
  const current = await findUserById(tx, user.id)
  if (current?.email !== user.email) return failed('changed')
  if (current.emailVerified || unverifiedUsers === 'keep') return 'unchanged'
  if (unverifiedUsers === 'reject') return failed('unable to link account')
  await revokeEarlierAccess(tx, user)
  await deletePasswordLinks(tx, { userId: user.id })
  return 'revoked'
}

/** Who asks for a link, as they were then. */
export interface LinkRequest {
  readonly userId: string
  readonly email: string
  readonly sessionId: string
}

/** The current user asks for a link. */
export const linkRequestOf = ({ user, session }: Pick<SessionAndUser, 'user' | 'session'>): LinkRequest => ({
  userId: user.id,
  email: user.email,
  sessionId: session.id,
})

/**
 * Of a provider whose sign-ins count as two factors: its account is on no probation, so a second factor on probation must not add it.
 * @throws ApiError SESSION_IS_NOT_FRESH
 */
export async function requireLinkProof(ctx: CallContext, providerId: string): Promise<void> {
  const { enabled, trustProviders } = ctx.config.twoFactor
  const isTrusted = trustProviders.some((trusted) => (typeof trusted === 'string' ? trusted : trusted.id) === providerId)
  if (enabled && isTrusted) await requireFresh(ctx, () => false, 'established')
}

/** Links the account of this identity to a user who is signed in (contract 03 §5). */
export async function linkIdentity(app: App, identity: Identity, link: LinkRequest) {
  const { allowDifferentEmails } = app.config.account.accountLinking
  const { email } = identity.profile
  try {
    // A known account is identified by its subject: linking it again needs no email address (contract 03 §3).
    const isKnown = !isUsableEmail(email) && (await findKnown(app, identity)) !== null
    if (!isKnown && email === null) return failed('email not found')
    if (!isKnown && !mayLink(app, identity)) return failed('linking not allowed')
    if (!isKnown && !allowDifferentEmails && !isSameEmail(email, link.email)) return failed('different email')
    const result = await linkOnce(app, identity, link, isKnown)
    // A concurrent request was faster.
    const repeated = hasChanged(result) ? await linkOnce(app, identity, link, isKnown) : result
    return hasChanged(repeated) ? failed('unable to link account') : repeated
  } catch (error) {
    if (findRefusal(error) || isCode(error, errors.UNAUTHORIZED.code)) return failed('unable to link account')
    throw error
  }
}

const findKnown = (app: App, { provider, profile }: Identity) => findSocialAccount(app, provider.id, profile.id)

async function linkOnce(app: App, identity: Identity, { userId, sessionId }: LinkRequest, isKnown: boolean) {
  const known = await findKnown(app, identity)
  if (known && (known.user.id !== userId || isOfOtherIssuer(known.account, identity))) return failed('account of another user')
  if (!(await hasSession(app, userId, sessionId))) return failed('unable to link account')
  if (known) return (await updateTokens(app, known.account, identity)) ? { user: known.user } : failed('unable to link account')
  const user = await findUserById(app, userId)
  // An account that was unlinked since then is not linked again by its subject alone.
  if (!user || isKnown) return failed('unable to link account')
  const outcome = await insertLink(app, identity, user, { unverifiedUsers: 'keep' })
  if (isFailure(outcome) || !app.config.account.accountLinking.updateUserInfoOnLink) return outcome
  const { name, image } = outcome.user
  const columns = () => ({ name: knownName(identity) ?? name, image: identity.profile.image ?? image })
  return { user: await updateProfile(app, identity, outcome.user, columns) }
}

/**
 * Updates a user from their provider profile. When a hook returns `false`, or a value does not fit or is in use, they stay as they
 * are: this must not prevent a sign-in.
 * @throws a refusal of a hook
 */
export async function updateProfile(
  app: App,
  { provider }: Identity,
  user: UserRow,
  columns: () => UserUpdate,
): Promise<UserRow> {
  try {
    return (await write(app, [userUpdate(app, columns())], (tx, draft) => updateUser(tx, user.id, draft))) ?? user
  } catch (error) {
    if (!(error instanceof ApiError) && !app.database.isUniqueViolation(error)) throw error
    app.log.warn({ providerId: provider.id, reason: errorReason(error) }, 'A user was not updated from the provider profile')
    return user
  }
}

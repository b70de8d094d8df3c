/**
 * What a verified identity at a provider leads to (contract 03 §4, §5): a session of its user, a new user, or one more linked
 * account. An identity is issuer and subject, never an email address alone (ASVS 6.8.1).
 */
import type { App } from '../../core/app.ts'
import { ApiError, findRefusal } from '../../core/errors.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { write } from '../../core/write.ts'
import { isEmailAddress } from '../../lib/text.ts'
import {
  type AccountRow,
  accountUpdate,
  findSocialAccount,
  insertAccount,
  socialAccountCreation,
  updateAccount,
} from '../accounts/index.ts'
import { readMappedFields } from '../custom-fields/index.ts'
import { canVerify, revokeEarlierAccess, sendVerificationMail } from '../email-verification/index.ts'
import { signIn } from '../sessions/index.ts'
import {
  findUserByEmail,
  findUserById,
  insertUser,
  lockUser,
  type UserUpdate,
  updateUser,
  userCreation,
  errors as userErrors,
  userUpdate,
} from '../users/index.ts'
import { deletePasswordLinks } from '../verifications/index.ts'
import type { ConfiguredProvider } from './configured-providers.ts'
import type { IdentifiedProfile } from './id-token.ts'
import { accountLinked } from './mails.ts'
import type { ProviderTokens } from './provider.ts'
import { tokenColumns } from './provider-tokens.ts'

/** A user whom a provider has identified, with an email address. */
export interface Identity extends IdentifiedProfile {
  readonly provider: ConfiguredProvider
  readonly email: string
  readonly tokens: ProviderTokens
}

/** The texts of the contract; as redirect codes with `_` for spaces. A hook may add its own message. */
export const failures = [
  'account not linked',
  'unable to link account',
  'signup disabled',
  'unable to create user',
  'unable to create session',
] as const
export interface Failure {
  readonly failure: string
}
const failed = (failure: (typeof failures)[number]): Failure => ({ failure })
const isFailure = (result: object): result is Failure => 'failure' in result

export interface SignedIn {
  readonly user: UserRow
  readonly session: SessionView
  readonly isNew: boolean
}

export interface SignInOptions {
  readonly requestSignUp?: boolean | undefined
  /** Target of the link in a verification email. */
  readonly callbackURL?: string | undefined
}

/** Signs in the user of this identity, or a new one. */
export async function signInByIdentity(
  ctx: CallContext,
  identity: Identity,
  options: SignInOptions,
): Promise<SignedIn | Failure> {
  const found = await findOrCreateUser(ctx, identity, options)
  if (isFailure(found)) return found
  try {
    const session = await signIn(ctx, found.user)
    return { ...found, session }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return failed('unable to create session')
  }
}

interface FoundUser {
  readonly user: UserRow
  readonly isNew: boolean
}

async function findOrCreateUser(
  app: App,
  identity: Identity,
  options: SignInOptions,
  isRepeated = false,
): Promise<FoundUser | Failure> {
  const known = await findSocialAccount(app, identity.provider.id, identity.profile.id)
  if (known) return (await useKnownAccount(app, identity, known)) ?? failed('account not linked')
  const user = await findUserByEmail(app, identity.email)
  if (user) return linkToUser(app, identity, user)
  const { disableSignUp, disableImplicitSignUp } = identity.provider.options
  if (disableSignUp || (disableImplicitSignUp && !options.requestSignUp)) return failed('signup disabled')
  const created = await createUser(app, identity, options)
  // A concurrent sign-in of the same user was faster.
  if (created !== 'exists') return created
  return isRepeated ? failed('unable to create user') : findOrCreateUser(app, identity, options, true)
}

interface KnownAccount {
  readonly account: AccountRow
  readonly user: UserRow
}

/** The provider that uses this ID now is another one than the provider of the account: its subjects are other users. */
const isOfOtherIssuer = (account: AccountRow, { issuer }: Identity): boolean =>
  account.issuer !== null && account.issuer !== issuer

/** @returns null when the account is that of another issuer, or was unlinked */
async function useKnownAccount(app: App, identity: Identity, { account, user }: KnownAccount): Promise<FoundUser | null> {
  if (isOfOtherIssuer(account, identity)) {
    app.log.warn(
      { providerId: account.providerId, issuer: identity.issuer },
      'An account was created with another issuer: not signed in',
    )
    return null
  }
  if (app.config.account.updateAccountOnSignIn && !(await updateTokens(app, account, identity))) return null
  if (!identity.provider.options.overrideUserInfoOnSignIn) return { user, isNew: false }
  return { user: await overrideUser(app, identity, user), isNew: false }
}

const updateTokens = (app: App, account: AccountRow, { tokens, issuer }: Identity): Promise<boolean> =>
  write(app, [accountUpdate(app, { ...tokenColumns(app, tokens), issuer })], (tx, draft) => updateAccount(tx, account, draft), {
    isOneStatement: true,
  })

async function overrideUser(app: App, identity: Identity, user: UserRow): Promise<UserRow> {
  const { profile, email } = identity
  const isSame = email.toLowerCase() === user.email
  const columns: UserUpdate = {
    ...readMappedFields(app.config.user.additionalFields, identity.fields),
    name: profile.name || email,
    image: profile.image,
    emailVerified: profile.emailVerified || (isSame && user.emailVerified),
  }
  const isTaken = !isSame && (await findUserByEmail(app, email)) !== null
  const update = userUpdate(app, isTaken ? columns : { ...columns, email: email.toLowerCase() })
  const updated = await write(app, [update], (tx, draft) => updateUser(tx, user.id, draft))
  return updated ?? user
}

/** Whether the provider has verified an address: some send a name in its place, which is not verified by anything. */
const verifiesEmail = ({ profile, email }: Identity): boolean => profile.emailVerified && isEmailAddress(email)

function mayLink(app: App, identity: Identity): boolean {
  const { enabled, trustedProviders } = app.config.account.accountLinking
  return enabled && (trustedProviders.includes(identity.provider.id) || verifiesEmail(identity))
}

async function linkToUser(app: App, identity: Identity, user: UserRow): Promise<FoundUser | Failure> {
  const isUnverified = !user.emailVerified
  const { unverifiedUsers } = app.config.account.accountLinking
  if (!mayLink(app, identity) || (isUnverified && unverifiedUsers === 'reject')) return failed('account not linked')
  const linked = await insertLink(app, identity, user, { revokesAccess: isUnverified && unverifiedUsers === 'revoke' })
  if (linked === null) return failed('unable to link account')
  if (!identity.provider.options.overrideUserInfoOnSignIn) return { user: linked, isNew: false }
  return { user: await overrideUser(app, identity, linked), isNew: false }
}

/**
 * Links an account. When the provider has verified the address of a user, it counts as verified from then on.
 * @param revokesAccess first ends what another person, who signed up with this address, may have prepared
 * @returns the user as they are then; null when it cannot be linked: a hook rejects it, or a concurrent request was faster
 */
async function insertLink(app: App, identity: Identity, user: UserRow, { revokesAccess }: { readonly revokesAccess: boolean }) {
  const verifies = !user.emailVerified && verifiesEmail(identity) && identity.email.toLowerCase() === user.email
  const account = accountOf(app, identity, user.id)
  const update = userUpdate(app, { emailVerified: true })
  try {
    return await write(app, [account, ...(verifies ? [update] : [])] as const, async (tx, accountDraft, userDraft) => {
      if (revokesAccess) {
        await revokeEarlierAccess(tx, user)
        await deletePasswordLinks(tx, { userId: user.id })
      }
      if (!(await lockUser(tx, user.id))) return null
      await insertAccount(tx, accountDraft)
      if (userDraft) await updateUser(tx, user.id, userDraft as UserUpdate, user.email)
      await accountLinked(tx, user, identity.provider.declaration.name)
      return findUserById(tx, user.id)
    })
  } catch (error) {
    if (error instanceof ApiError || findRefusal(error) || app.database.isUniqueViolation(error)) return null
    throw error
  }
}

const accountOf = (app: App, { provider, profile, issuer, tokens }: Identity, userId: string) =>
  socialAccountCreation(app, { userId, providerId: provider.id, accountId: profile.id, issuer, ...tokenColumns(app, tokens) })

/** The longest email address that every table of the wire contract can store (contract 03 §4). */
const maxEmailLength = 255

async function createUser(app: App, identity: Identity, { callbackURL }: SignInOptions): Promise<FoundUser | Failure | 'exists'> {
  const { profile, email } = identity
  if (email.length > maxEmailLength) return failed('unable to create user')
  const sendsLink = !profile.emailVerified && app.config.emailVerification.sendOnSignUp && canVerify(app) && isEmailAddress(email)
  try {
    const fields = readMappedFields(app.config.user.additionalFields, identity.fields)
    const given = { name: profile.name || email, email, emailVerified: profile.emailVerified, image: profile.image, fields }
    const creation = userCreation(app, given)
    const writes = [creation, accountOf(app, identity, creation.draft.id)] as const
    const user = await write(app, writes, async (tx, userDraft, accountDraft) => {
      const inserted = await insertUser(tx, userDraft)
      await insertAccount(tx, accountDraft)
      if (sendsLink) await sendVerificationMail(tx, inserted, { callbackURL })
      return inserted
    })
    return { user, isNew: true }
  } catch (error) {
    return creationFailure(app, error)
  }
}

function creationFailure(app: App, error: unknown): Failure | 'exists' {
  if (error instanceof ApiError && error.entry.code === userErrors.USER_ALREADY_EXISTS.code) return 'exists'
  const refusal = findRefusal(error)
  if (refusal) return { failure: refusal.message }
  if (error instanceof ApiError) return failed('unable to create user')
  if (app.database.isUniqueViolation(error)) return 'exists'
  throw error
}

/** The results of linking an account to the user who asks for it. */
export type LinkResult = 'linked' | 'not allowed' | 'different email' | 'of another user' | 'failed'

/** Links the account of this identity to a user who is signed in (contract 03 §5). @param link the user, as they asked for it */
export async function linkIdentity(app: App, identity: Identity, link: { userId: string; email: string }): Promise<LinkResult> {
  const { allowDifferentEmails, updateUserInfoOnLink } = app.config.account.accountLinking
  if (!mayLink(app, identity)) return 'not allowed'
  if (!allowDifferentEmails && identity.email.toLowerCase() !== link.email.toLowerCase()) return 'different email'
  const known = await findSocialAccount(app, identity.provider.id, identity.profile.id)
  if (known && (known.user.id !== link.userId || isOfOtherIssuer(known.account, identity))) return 'of another user'
  if (known) return (await updateTokens(app, known.account, identity)) ? 'linked' : 'failed'
  const user = await findUserById(app, link.userId)
  if (!user || !(await insertLink(app, identity, user, { revokesAccess: false }))) return 'failed'
  if (updateUserInfoOnLink) await updateFromProfile(app, identity, user)
  return 'linked'
}

async function updateFromProfile(app: App, { profile }: Identity, user: UserRow): Promise<void> {
  const columns = { name: profile.name || user.name, image: profile.image ?? user.image }
  await write(app, [userUpdate(app, columns)], (tx, draft) => updateUser(tx, user.id, draft))
}

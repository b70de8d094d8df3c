/**
 * What a verified identity at a provider leads to (contract 03 §4): a session of its user, or of a new user, or of the user with
 * the same email address, to whom it is linked.
 */
import type { App } from '../../core/app.ts'
import { ApiError, findRefusal } from '../../core/errors.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import type { SignInMethod } from '../../core/sign-in.ts'
import { admitsSignUp, emailChange, errors as signUpErrors } from '../../core/sign-up.ts'
import { write } from '../../core/write.ts'
import { type AccountRow, findSocialAccount, insertAccount, listAccounts, listAccountsOf } from '../accounts/index.ts'
import { readMappedFields } from '../custom-fields/index.ts'
import { canVerify, sendVerificationMail } from '../email-verification/index.ts'
import { errors as sessionErrors, signIn } from '../sessions/index.ts'
import { findUserByEmail, insertUser, type UserUpdate, userCreation, errors as userErrors } from '../users/index.ts'
import { configuredProviders } from './configured-providers.ts'
import {
  accountOf,
  type Failure,
  failed,
  hasChanged,
  type Identity,
  insertLink,
  isCode,
  isFailure,
  isOfOtherIssuer,
  isSameEmail,
  knownName,
  mayLink,
  ruleForUnverified,
  updateProfile,
  updateTokens,
} from './linking.ts'
import { isUsableEmail, maxEmailLength } from './reading.ts'

/** There is no account of this identity, and no email address to create a user with. */
export const missingEmail = 'email not found'
/** The sign-up policy rejects the new user. */
export const notAllowed = 'signup not allowed'

export interface SignedIn {
  readonly user: UserRow
  readonly session: SessionView
  readonly isNew: boolean
}

export interface SignInOptions {
  readonly requestSignUp?: boolean | undefined
  /** Where the browser continues; also the target of the link in a verification email. */
  readonly callbackURL?: string | undefined
  readonly newUserURL?: string | undefined
  readonly errorURL?: string | undefined
  /** Default: JSON. */
  readonly reply?: 'json' | 'redirect'
}

/** Signs in the user of this identity, or a new one. */
export async function signInByIdentity(
  ctx: CallContext,
  identity: Identity,
  options: SignInOptions,
): Promise<SignedIn | Failure> {
  try {
    const found = await findOrCreateUser(ctx, identity, options)
    if (isFailure(found)) return found
    const recheck = async (tx: App) => {
      const known = await findSocialAccount(tx, identity.provider.id, identity.profile.id)
      return known && !isOfOtherIssuer(known.account, identity) ? known.user : null
    }
    const { reply = 'json', callbackURL, newUserURL, errorURL } = options
    const targets = { callbackURL: (found.isNew && newUserURL) || callbackURL, errorURL }
    const proof = { ...provenBy(identity.provider), asserted: identity.amr, reply, ...targets }
    return { ...found, session: await signIn(ctx, found.user, proof, { recheck }) }
  } catch (error) {
    const refusal = findRefusal(error)
    if (refusal) return { failure: refusal.message }
    if (isCode(error, sessionErrors.FAILED_TO_CREATE_SESSION.code)) return failed('unable to create session')
    throw error
  }
}

/** What a sign-in with a provider proves. */
const provenBy = ({ id }: Pick<Identity['provider'], 'id'>) => ({ method: `social:${id}`, amr: ['fed'] })

export const signInMethod: SignInMethod = {
  name: 'social',
  exists: (config) => configuredProviders(config).length > 0,
  isAvailable: ({ config }, _user, accounts) => {
    const configured = new Set(configuredProviders(config).map(({ id }) => id))
    return accounts.some(({ providerId }) => configured.has(providerId))
  },
  expects: async (app, { id }) => {
    const linked = new Set((await listAccounts(app, id)).map(({ providerId }) => providerId))
    const proofs = configuredProviders(app.config)
      .filter((provider) => linked.has(provider.id))
      .map(provenBy)
    return { proofs, reason: proofs.length > 0 ? 'linked' : 'not-linked' }
  },
  findWays: async (app, users) => {
    const configured = new Set(configuredProviders(app.config).map(({ id }) => id))
    const accounts = await listAccountsOf(
      app,
      users.map(({ id }) => id),
    )
    const linked = accounts.filter(({ providerId }) => configured.has(providerId))
    const byUser = Map.groupBy(linked, ({ userId }) => userId)
    return new Map([...byUser].map(([id, own]) => [id, own.map(({ providerId }) => provenBy({ id: providerId }).method)]))
  },
}

interface FoundUser {
  readonly user: UserRow
  readonly isNew: boolean
}

/**
 * A concurrent request may be faster twice: a sign-up with the same address before the user is created, and then another first sign-in
 * before the account is linked. The third time the account is known.
 */
const mostAttempts = 3

async function findOrCreateUser(app: App, identity: Identity, options: SignInOptions, attempt = 1): Promise<FoundUser | Failure> {
  const known = await findSocialAccount(app, identity.provider.id, identity.profile.id)
  if (known) return (await useKnownAccount(app, identity, known)) ?? failed('account not linked')
  const { email } = identity.profile
  if (email === null) return failed(missingEmail)
  const user = await findUserByEmail(app, email)
  const result = user ? await linkToUser(app, identity, user) : await createUser(app, identity, email, options)
  if (!hasChanged(result)) return result
  if (attempt < mostAttempts) return findOrCreateUser(app, identity, options, attempt + 1)
  return failed(user ? 'unable to link account' : 'unable to create user')
}

interface KnownAccount {
  readonly account: AccountRow
  readonly user: UserRow
}

/** @returns null when the account belongs to another issuer, or was unlinked */
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

async function overrideUser(app: App, identity: Identity, user: UserRow): Promise<UserRow> {
  const { profile } = identity
  const email = isUsableEmail(profile.email) ? profile.email : user.email
  const isSame = isSameEmail(email, user.email)
  const isFree = isSame || (!(await findUserByEmail(app, email)) && (await mayHave(app, user, email)))
  const columns = (): UserUpdate => ({
    ...readMappedFields(app.config.user.additionalFields, identity.fields),
    name: knownName(identity) ?? user.name,
    image: profile.image,
    ...(isFree && { emailVerified: profile.emailVerified || (isSame && user.emailVerified) }),
    ...(isFree && !isSame && { email: email.toLowerCase() }),
  })
  return updateProfile(app, identity, user, columns)
}

/** Whether the sign-up policy permits a user to have an email address: no profile may give them one that it rejects. */
const mayHave = (app: App, user: UserRow, email: string): Promise<boolean> =>
  admitsSignUp(app, emailChange(user, email.toLowerCase()))

async function linkToUser(app: App, identity: Identity, user: UserRow): Promise<FoundUser | Failure> {
  const unverifiedUsers = ruleForUnverified(app.config, canVerify(app))
  // One name belongs to different users at different providers. A placeholder belongs to an account that was unlinked.
  if (!isUsableEmail(identity.profile.email) || !mayLink(app, identity)) return failed('account not linked')
  if (!user.emailVerified && unverifiedUsers === 'reject') return failed('account not linked')
  const linked = await insertLink(app, identity, user, { unverifiedUsers })
  if (isFailure(linked)) return linked
  if (!identity.provider.options.overrideUserInfoOnSignIn) return { ...linked, isNew: false }
  return { user: await overrideUser(app, identity, linked.user), isNew: false }
}

/** Whether this sign-in may create users. */
function maySignUp({ provider: { options } }: Identity, { requestSignUp }: SignInOptions): boolean {
  return !options.disableSignUp && (!options.disableImplicitSignUp || requestSignUp === true)
}

async function createUser(app: App, identity: Identity, email: string, options: SignInOptions): Promise<FoundUser | Failure> {
  const { profile } = identity
  if (!maySignUp(identity, options)) return failed('signup disabled')
  if (email.length > maxEmailLength) return failed('unable to create user')
  const way = { method: provenBy(identity.provider).method }
  if (!(await admitsSignUp(app, { ...way, email: email.toLowerCase() }))) return failed(notAllowed)
  const sendsLink = !profile.emailVerified && app.config.emailVerification.sendOnSignUp && canVerify(app) && isUsableEmail(email)
  try {
    const fields = readMappedFields(app.config.user.additionalFields, identity.fields)
    const given = { name: profile.name || email, email, emailVerified: profile.emailVerified, image: profile.image, fields }
    const creation = userCreation(app, given)
    const writes = [creation, accountOf(app, identity, creation.draft.id)] as const
    const user = await write(app, writes, async (tx, userDraft, accountDraft) => {
      const inserted = await insertUser(tx, userDraft, way)
      await insertAccount(tx, accountDraft)
      if (sendsLink) await sendVerificationMail(tx, inserted, { callbackURL: options.callbackURL })
      return inserted
    })
    return { user, isNew: true }
  } catch (error) {
    if (isCode(error, userErrors.USER_ALREADY_EXISTS.code) || app.database.isUniqueViolation(error)) return failed('changed')
    if (isCode(error, signUpErrors.SIGN_UP_NOT_ALLOWED.code)) return failed(notAllowed)
    if (error instanceof ApiError) return failed('unable to create user')
    throw error
  }
}

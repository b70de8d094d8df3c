/** Sign-in and linking with an ID token that an app got from the provider itself (contract 03 §1, 02 §7). */
import { decodeJwt } from 'jose'
import { ApiError, defineErrors, type ErrorEntry, errorWithValue } from '../../core/errors.ts'
import type { CallContext, SessionAndUser } from '../../core/request.ts'
import { errors as signUpErrors } from '../../core/sign-up.ts'
import { findSocialAccount } from '../accounts/index.ts'
import { errors as sessionErrors, shownToken } from '../sessions/index.ts'
import { errors as verificationErrors } from '../verifications/index.ts'
import { type ConfiguredProvider, findEndpoints, type ServerEndpoints, warnOf } from './configured-providers.ts'
import { acceptsIdTokens, verifyIdToken } from './id-token.ts'
import { missingEmail, notAllowed, type SignInOptions, signInByIdentity } from './identity.ts'
import { type Identity, linkIdentity, linkRequestOf } from './linking.ts'
import { fetchProfile } from './profile.ts'
import type { ProviderTokens } from './provider.ts'

export const errors = defineErrors({
  PROVIDER_NOT_FOUND: [404, 'Provider not found'],
  ID_TOKEN_NOT_SUPPORTED: [404, 'id_token not supported'],
  FAILED_TO_GET_USER_INFO: [401, 'Failed to get user info'],
  USER_EMAIL_NOT_FOUND: [401, 'User email not found'],
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: [401, 'Account not linked - linking not allowed'],
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: [401, 'Account not linked - different emails not allowed'],
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: [417, 'Account not linked - unable to create account'],
})

const invalidToken: ErrorEntry = { ...verificationErrors.INVALID_TOKEN, status: 401 }

/** The texts of `signInByIdentity`, and messages of hooks. */
const signInFailure = (message: string): ErrorEntry => errorWithValue('SOCIAL_SIGN_IN_FAILURE', 401, message)

const profileErrors = [errors.ID_TOKEN_NOT_SUPPORTED, invalidToken, errors.FAILED_TO_GET_USER_INFO, errors.USER_EMAIL_NOT_FOUND]
export const signInErrors = [
  errors.PROVIDER_NOT_FOUND,
  ...profileErrors,
  signInFailure('<failure>'),
  sessionErrors.FAILED_TO_CREATE_SESSION,
]
export const linkErrors = [
  errors.PROVIDER_NOT_FOUND,
  ...profileErrors,
  errors.ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED,
  errors.ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED,
  errors.ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT,
]

export interface GivenTokens {
  readonly token: string
  readonly nonce?: string | undefined
  readonly accessToken?: string | undefined
  readonly refreshToken?: string | undefined
  /** When the access token expires, in seconds or milliseconds since 1970. */
  readonly expiresAt?: number | undefined
  readonly scopes?: readonly string[] | undefined
  /** Name and email address, which Apple gives to the app at the first sign-in. */
  readonly user?: unknown
}

/** @throws ApiError one of `signInErrors` */
export async function signInWithIdToken(
  ctx: CallContext,
  provider: ConfiguredProvider,
  given: GivenTokens,
  options: SignInOptions,
) {
  const result = await signInByIdentity(ctx, await identify(ctx, provider, given), options)
  if ('failure' in result && result.failure === missingEmail) throw new ApiError(errors.USER_EMAIL_NOT_FOUND)
  if ('failure' in result && result.failure === notAllowed) throw new ApiError(signUpErrors.SIGN_UP_NOT_ALLOWED)
  if ('failure' in result) throw new ApiError(signInFailure(result.failure))
  return { redirect: false, token: shownToken(ctx, result.session), user: result.user }
}

/** @throws ApiError one of `linkErrors` */
export async function linkWithIdToken(
  ctx: CallContext,
  provider: ConfiguredProvider,
  given: GivenTokens,
  current: Pick<SessionAndUser, 'user' | 'session'>,
): Promise<void> {
  const identity = await identify(ctx, provider, given)
  const known = await findSocialAccount(ctx, provider.id, identity.profile.id)
  if (known?.user.id === current.user.id) return
  const result = await linkIdentity(ctx, identity, linkRequestOf(current))
  if ('failure' in result) throw new ApiError(linkErrorOf[result.failure])
}

const linkErrorOf = {
  [missingEmail]: errors.USER_EMAIL_NOT_FOUND,
  'linking not allowed': errors.ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED,
  'account of another user': errors.ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED,
  'different email': errors.ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED,
  'unable to link account': errors.ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT,
} as const

/** @throws ApiError one of `profileErrors` */
async function identify(ctx: CallContext, provider: ConfiguredProvider, given: GivenTokens): Promise<Identity> {
  if (!acceptsIdTokens(provider)) throw new ApiError(errors.ID_TOKEN_NOT_SUPPORTED)
  const endpoints = await findEndpoints(ctx, provider)
  const claims = await claimsOf(ctx, provider, endpoints, given).catch((error: unknown) => {
    warnOf(ctx, provider, 'An ID token was not accepted', error)
    return null
  })
  if (!claims) throw new ApiError(invalidToken)
  const tokens = tokensOf(given)
  const fetched = await fetchProfile(ctx, provider, { endpoints, tokens, claims, postedUser: given.user }).catch(
    (error: unknown) => {
      warnOf(ctx, provider, 'A provider sent no profile', error)
      return null
    },
  )
  if (!fetched) throw new ApiError(errors.FAILED_TO_GET_USER_INFO)
  return { ...fetched, provider, tokens }
}

/** @returns null when the token is not valid */
async function claimsOf(
  ctx: CallContext,
  provider: ConfiguredProvider,
  endpoints: ServerEndpoints,
  { token, nonce }: GivenTokens,
) {
  const { disableIdTokenSignIn, verifyIdToken: own } = provider.options
  if (disableIdTokenSignIn) return null
  if (!own) return verifyIdToken(ctx, provider, token, { endpoints, nonce, isOfApp: true })
  return (await own(token, nonce)) === true ? decodeJwt(token) : null
}

/** A token without an expiry would be refreshed at its first use. */
const tokensOf = ({ token, accessToken, refreshToken, expiresAt, scopes }: GivenTokens): ProviderTokens => ({
  idToken: token,
  accessToken,
  refreshToken,
  scopes,
  accessTokenExpiresAt: expiresAt === undefined ? undefined : validDate(expiresAt),
})

const lastTime = Date.UTC(9999, 0)
/** Apps send seconds, as in JWTs, or milliseconds. No time in milliseconds since 2001 is as small as one in seconds. */
const firstMilliseconds = 1e12
function validDate(given: number): Date | undefined {
  const time = given < firstMilliseconds ? given * 1000 : given
  return time > 0 && time < lastTime ? new Date(time) : undefined
}

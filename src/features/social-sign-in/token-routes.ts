/** Calls that use the tokens of a linked account (contract 02 §7). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, defineErrors, type ErrorEntry, errorWithValue } from '../../core/errors.ts'
import { session } from '../../core/permissions.ts'
import type { CallContext } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { type AccountRow, errors as accountErrors, listAccounts, scopesOf } from '../accounts/index.ts'
import { type ConfiguredProvider, findEndpoints, findProvider, warnOf } from './configured-providers.ts'
import { readClaims } from './id-token.ts'
import { fetchProfile } from './profile.ts'
import { canRefresh } from './protocol.ts'
import type { ProviderTokens } from './provider.ts'
import { refreshAccount, storedTokens } from './provider-tokens.ts'

export const tokenErrors = defineErrors({
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: [400, 'Failed to get a valid access token'],
  FAILED_TO_REFRESH_ACCESS_TOKEN: [400, 'Failed to refresh access token'],
})

/** A call needs the tokens of a provider that is not configured. */
const providerNotSupported = (providerId: string): ErrorEntry =>
  errorWithValue('PROVIDER_IS_NOT_SUPPORTED', 400, `Provider ${providerId} is not supported.`)

const refreshNotSupported = (providerId: string): ErrorEntry =>
  errorWithValue('PROVIDER_DOES_NOT_SUPPORT_REFRESH', 400, `Provider ${providerId} does not support token refreshing.`)

/** The provider of a linked account is not configured, or no longer. */
const providerNotConfigured = (providerId: string): ErrorEntry =>
  errorWithValue('PROVIDER_IS_NOT_CONFIGURED', 500, `Provider account provider is ${providerId} but it is not configured`)

const tokenRequest = z
  .object({
    // At most as long as its column, because the error response repeats it.
    providerId: z.string().max(64).optional(),
    accountId: z.string().optional().describe('The `id` that `/list-accounts` returns'),
    userId: z.string().optional().describe('Ignored: only accounts of the current user are used'),
  })
  .refine(({ providerId, accountId }) => providerId !== undefined || accountId !== undefined, { path: ['providerId'] })
  .meta({ examples: [{ providerId: 'github' }] })
type TokenRequest = z.output<typeof tokenRequest>

/** @throws ApiError ACCOUNT_NOT_FOUND */
async function getOwnAccount(app: App, userId: string, isMeant: (account: AccountRow) => boolean): Promise<AccountRow> {
  const account = (await listAccounts(app, userId)).find(isMeant)
  if (!account) throw new ApiError(accountErrors.ACCOUNT_NOT_FOUND)
  return account
}

/**
 * A named provider is looked up before the account, as the reference does; without one the account decides, as in 1.7.
 * @throws ApiError PROVIDER_IS_NOT_SUPPORTED, ACCOUNT_NOT_FOUND; with `needsRefresh` also PROVIDER_DOES_NOT_SUPPORT_REFRESH
 */
async function getAccountAndProvider(app: App, userId: string, { providerId, accountId }: TokenRequest, needsRefresh: boolean) {
  const isMeant = (account: AccountRow) =>
    (providerId === undefined || account.providerId === providerId) && (accountId === undefined || account.id === accountId)
  const known = providerId === undefined ? await getOwnAccount(app, userId, isMeant) : null
  const named = providerId ?? known?.providerId ?? ''
  const provider = findProvider(app, named)
  if (!provider) throw new ApiError(providerNotSupported(named))
  if (needsRefresh && !canRefresh(provider)) throw new ApiError(refreshNotSupported(named))
  return { provider, account: known ?? (await getOwnAccount(app, userId, isMeant)) }
}

/** Seconds that an access token must still be valid (contract 02 §7). */
const margin = 5

/** @returns the stored tokens, refreshed when they are about to expire @throws ApiError FAILED_TO_GET_A_VALID_ACCESS_TOKEN */
async function validTokens(ctx: CallContext, provider: ConfiguredProvider, account: AccountRow): Promise<ProviderTokens> {
  const failure = tokenErrors.FAILED_TO_GET_A_VALID_ACCESS_TOKEN
  const tokens = await guard(ctx, provider, failure, async () => storedTokens(ctx, account))
  const { refreshToken, accessTokenExpiresAt } = tokens
  const isDue = !accessTokenExpiresAt || accessTokenExpiresAt.getTime() < ctx.now().getTime() + margin * 1000
  if (!refreshToken || !isDue || !canRefresh(provider)) return tokens
  return guard(ctx, provider, failure, () => refreshAccount(ctx, provider, account))
}

/** @throws ApiError `failure` in place of what the provider, its library or a hook throws, which may contain tokens */
async function guard<T>(ctx: CallContext, provider: ConfiguredProvider, failure: ErrorEntry, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (ctx.database.isUnreachable(error)) throw error
    warnOf(ctx, provider, 'A provider did not refresh its tokens', error)
    throw new ApiError(failure)
  }
}

const tokenView = z.string().meta({ examples: ['4a0bC9dEf1gH'] })
const accessTokenView = {
  accessToken: tokenView.optional(),
  accessTokenExpiresAt: isoDate.optional(),
  refreshTokenExpiresAt: isoDate.optional(),
  refreshToken: tokenView.optional(),
  scopes: z.array(z.string().meta({ examples: ['read:user'] })),
  idToken: tokenView.optional(),
  tokenType: z
    .string()
    .optional()
    .meta({ examples: ['bearer'] }),
}
const shown = (tokens: ProviderTokens) => ({ ...tokens, scopes: [...(tokens.scopes ?? [])] })

const info = {
  user: z
    .looseObject({})
    .meta({ examples: [{ id: '583231', name: 'Ann Example', email: 'ann@example.com', emailVerified: true }] }),
  data: z.unknown().meta({ description: 'As the provider sent it', examples: [{ id: 583231, login: 'ann' }] }),
}
/** 1.7 added the account to the response, when it replaced the POST by a GET. */
const accountView = z.object({
  id: z.string(),
  providerId: z.string(),
  issuer: z
    .string()
    .nullable()
    .meta({ examples: ['https://github.com'] }),
  accountId: z.string(),
})

async function accountInfo(ctx: CallContext, userId: string, isMeant: (account: AccountRow) => boolean) {
  const account = await getOwnAccount(ctx, userId, isMeant)
  const provider = findProvider(ctx, account.providerId)
  if (!provider) throw new ApiError(providerNotConfigured(account.providerId))
  const { idToken: _, ...tokens } = await validTokens(ctx, provider, account)
  const fetched = await fetchStored(ctx, provider, account, tokens)
  if (!fetched) return null
  const { id, providerId, issuer, accountId } = account
  return {
    user: { ...fetched.profile, ...fetched.fields, id: fetched.profile.id },
    data: fetched.data,
    account: { id, providerId, issuer, accountId },
  }
}

/**
 * The ID token of the sign-in has expired long since; its claims are what the provider said then. They count only if the sign-in has
 * verified them.
 */
async function fetchStored(ctx: CallContext, provider: ConfiguredProvider, account: AccountRow, tokens: ProviderTokens) {
  try {
    const endpoints = await findEndpoints(ctx, provider)
    const claims = endpoints.jwksUri === undefined ? null : readClaims(storedTokens(ctx, account).idToken)
    return await fetchProfile(ctx, provider, { endpoints, tokens, claims })
  } catch (error) {
    if (ctx.database.isUnreachable(error)) throw error
    warnOf(ctx, provider, 'A provider sent no profile', error)
    return null
  }
}

const infoRoute = {
  description:
    'Returns the provider profile of a linked account of the current user. Fails when the account is not linked to the current user or its provider is not configured.',
  access: session(),
  whileImpersonating: 'allowed',
  errors: [accountErrors.ACCOUNT_NOT_FOUND, providerNotConfigured('<id>'), tokenErrors.FAILED_TO_GET_A_VALID_ACCESS_TOKEN],
} as const

const tokenSelection = 'Name the account by `accountId`, or the provider by `providerId`.'

export const tokenRoutes = {
  'POST /get-access-token': route({
    summary: 'Get a provider access token',
    description: `Returns the access token of a linked account, refreshed if it expires within 5 seconds. ${tokenSelection} Fails when the provider is not configured, the account is not linked to the current user, or the provider does not refresh the token.`,
    access: session(),
    sensitive: true,
    body: tokenRequest,
    returns: z.object(accessTokenView),
    errors: [providerNotSupported('<id>'), accountErrors.ACCOUNT_NOT_FOUND, tokenErrors.FAILED_TO_GET_A_VALID_ACCESS_TOKEN],
    handler: async (ctx) => {
      const { provider, account } = await getAccountAndProvider(ctx, ctx.user.id, ctx.body, false)
      const { refreshToken, ...tokens } = await validTokens(ctx, provider, account)
      return { ...tokens, scopes: scopesOf(account), ...(ctx.config.account.exposeRefreshToken && { refreshToken }) }
    },
  }),
  'POST /refresh-token': route({
    summary: 'Refresh provider tokens',
    description: `Gets new tokens of a linked account from its provider, stores and returns them. ${tokenSelection} Fails when the provider is not configured or has no refresh tokens, when the account is not linked to the current user, or when the provider does not refresh the tokens.`,
    access: session(),
    sensitive: true,
    body: tokenRequest,
    returns: z.object(accessTokenView),
    errors: [
      providerNotSupported('<id>'),
      refreshNotSupported('<id>'),
      accountErrors.ACCOUNT_NOT_FOUND,
      tokenErrors.FAILED_TO_REFRESH_ACCESS_TOKEN,
    ],
    handler: async (ctx) => {
      const { provider, account } = await getAccountAndProvider(ctx, ctx.user.id, ctx.body, true)
      const failure = tokenErrors.FAILED_TO_REFRESH_ACCESS_TOKEN
      return shown(await guard(ctx, provider, failure, () => refreshAccount(ctx, provider, account)))
    },
  }),
  'POST /account-info': route({
    summary: 'Get the provider profile of a linked account',
    ...infoRoute,
    body: z.object({ accountId: z.string().describe('The account ID at the provider') }),
    returns: z.object(info).nullable(),
    handler: (ctx) => accountInfo(ctx, ctx.user.id, ({ accountId }) => accountId === ctx.body.accountId),
  }),
  'GET /account-info': route({
    summary: 'Get the provider profile by account ID',
    ...infoRoute,
    query: z.object({ accountId: z.string().describe('The `id` that `/list-accounts` returns') }),
    returns: z.object({ ...info, account: accountView }).nullable(),
    handler: (ctx) => accountInfo(ctx, ctx.user.id, ({ id }) => id === ctx.query.accountId),
  }),
}

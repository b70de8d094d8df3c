import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry, errorWithValue } from '../../core/errors.ts'
import { anyone, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { type AccountRow, errors, listAccounts } from './account-store.ts'

/**
 * Finds a configured provider. Providers cannot be configured yet, so there is none.
 * @param otherwise the error for an unknown provider, which differs between calls
 * @throws ApiError
 */
function getProvider(id: string, otherwise: (id: string) => ErrorEntry): never {
  throw new ApiError(otherwise(id))
}

/** A call needs the tokens of a provider that is not configured. */
const providerNotSupported = (providerId: string): ErrorEntry =>
  errorWithValue('PROVIDER_IS_NOT_SUPPORTED', 400, `Provider ${providerId} is not supported.`)

/** The provider of a linked account is not configured, or no longer. */
const providerNotConfigured = (providerId: string): ErrorEntry =>
  errorWithValue('PROVIDER_IS_NOT_CONFIGURED', 500, `Provider account provider is ${providerId} but it is not configured`)

const optionalText = z.string().optional()

/** Tokens that an app got from the provider itself. */
const idToken = { token: z.string(), nonce: optionalText, accessToken: optionalText, refreshToken: optionalText }

const providerRedirect = {
  provider: z.string(),
  callbackURL: callbackURL.optional(),
  errorCallbackURL: callbackURL.optional(),
  requestSignUp: z.boolean().optional(),
  scopes: z.array(z.string()).optional(),
}

const signInRequest = z.object({
  ...providerRedirect,
  newUserCallbackURL: callbackURL.optional(),
  disableRedirect: z.boolean().optional(),
  idToken: z.object({ ...idToken, expiresAt: z.number().optional() }).optional(),
  loginHint: optionalText,
})

const linkRequest = z.object({
  ...providerRedirect,
  idToken: z.object({ ...idToken, scopes: z.array(z.string()).optional() }).optional(),
})

const tokenRequest = z
  .object({
    // At most as long as its column, because the error response repeats it.
    providerId: z.string().max(64).optional(),
    accountId: z.string().optional().describe('The `id` that `/list-accounts` returns'),
    userId: z.string().optional().describe('Ignored: only accounts of the current user are used'),
  })
  .refine(({ providerId, accountId }) => providerId !== undefined || accountId !== undefined)
  .meta({ examples: [{ providerId: 'github' }] })

/** @throws ApiError ACCOUNT_NOT_FOUND */
async function getOwnAccount(app: App, userId: string, isMeant: (account: AccountRow) => boolean): Promise<AccountRow> {
  const account = (await listAccounts(app, userId)).find(isMeant)
  if (!account) throw new ApiError(errors.ACCOUNT_NOT_FOUND)
  return account
}

/** A named provider is looked up before the account, as the reference does; without one the account decides, as in 1.7. */
async function getTokenProvider(app: App, userId: string, { providerId, accountId }: z.output<typeof tokenRequest>) {
  const named = providerId ?? (await getOwnAccount(app, userId, ({ id }) => id === accountId)).providerId
  return getProvider(named, providerNotSupported)
}

const tokenRoute = (summary: string, effect: string) =>
  route({
    summary,
    description: `${effect} Name the account by \`accountId\`, or the provider by \`providerId\`. Fails when the provider is not configured or the account is not linked to the current user.`,
    access: session(),
    body: tokenRequest,
    returns: z.never(),
    errors: [providerNotSupported('<id>'), errors.ACCOUNT_NOT_FOUND],
    handler: (ctx) => getTokenProvider(ctx, ctx.user.id, ctx.body),
  })

async function getInfoProvider(app: App, userId: string, isMeant: (account: AccountRow) => boolean) {
  const { providerId } = await getOwnAccount(app, userId, isMeant)
  return getProvider(providerId, providerNotConfigured)
}

const infoRoute = {
  description:
    'Returns the provider profile of a linked account of the current user. Fails when the account is not linked to the current user or its provider is not configured.',
  access: session(),
  returns: z.never(),
  errors: [errors.ACCOUNT_NOT_FOUND, providerNotConfigured('<id>')],
}

const providerNotFound = () => errors.PROVIDER_NOT_FOUND

/** None of these calls can succeed while no provider can be configured, so they return nothing. */
export const providerRoutes = {
  'POST /sign-in/social': route({
    summary: 'Sign in with a social account',
    description:
      'Starts sign-in with a social provider, or signs in with an ID token of the provider. Fails when the provider is not configured.',
    area: 'Sign-up and sign-in',
    access: anyone(),
    body: signInRequest,
    returns: z.never(),
    errors: [errors.PROVIDER_NOT_FOUND],
    handler: ({ body }) => getProvider(body.provider, providerNotFound),
  }),
  'POST /link-social': route({
    summary: 'Link a social account',
    description:
      'Links a social account to the current user. The user can then sign in with it. Fails when the provider is not configured.',
    access: session(),
    body: linkRequest,
    returns: z.never(),
    errors: [errors.PROVIDER_NOT_FOUND],
    handler: ({ body }) => getProvider(body.provider, providerNotFound),
  }),
  'POST /get-access-token': tokenRoute(
    'Get a provider access token',
    'Returns the access token of a linked account, refreshed if it has expired.',
  ),
  'POST /refresh-token': tokenRoute(
    'Refresh provider tokens',
    'Gets new tokens of a linked account from its provider and stores them.',
  ),
  'POST /account-info': route({
    summary: 'Get the provider profile of a linked account',
    ...infoRoute,
    body: z.object({ accountId: z.string().describe('The account ID at the provider') }),
    handler: (ctx) => getInfoProvider(ctx, ctx.user.id, ({ accountId }) => accountId === ctx.body.accountId),
  }),
  'GET /account-info': route({
    summary: 'Get the provider profile by account ID',
    ...infoRoute,
    query: z.object({ accountId: z.string().describe('The `id` that `/list-accounts` returns') }),
    handler: (ctx) => getInfoProvider(ctx, ctx.user.id, ({ id }) => id === ctx.query.accountId),
  }),
}

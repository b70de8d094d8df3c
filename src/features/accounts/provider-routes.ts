import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { type AccountRow, listAccounts } from './accounts.ts'
import { errors, providerNotConfigured, providerNotSupported } from './errors.ts'
import { getProvider } from './providers.ts'

const optionalText = z.string().optional()

/** What a program has got from the provider by itself. */
const idToken = { token: z.string(), nonce: optionalText, accessToken: optionalText, refreshToken: optionalText }

const journey = {
  provider: z.string(),
  callbackURL: callbackURL.optional(),
  errorCallbackURL: callbackURL.optional(),
  requestSignUp: z.boolean().optional(),
  scopes: z.array(z.string()).optional(),
}

const signInRequest = z.object({
  ...journey,
  newUserCallbackURL: callbackURL.optional(),
  disableRedirect: z.boolean().optional(),
  idToken: z.object({ ...idToken, expiresAt: z.number().optional() }).optional(),
  loginHint: optionalText,
})

const linkRequest = z.object({
  ...journey,
  idToken: z.object({ ...idToken, scopes: z.array(z.string()).optional() }).optional(),
})

const tokenRequest = z
  .object({
    // No longer than its column: the answer repeats it.
    providerId: z.string().max(64).optional(),
    accountId: z.string().optional().describe('The id that list-accounts shows'),
    userId: z.string().optional().describe('Not looked at: the accounts are those of the caller'),
  })
  .refine(({ providerId, accountId }) => providerId !== undefined || accountId !== undefined)

/** @throws ApiError ACCOUNT_NOT_FOUND */
async function getOwnAccount(app: App, userId: string, isMeant: (account: AccountRow) => boolean): Promise<AccountRow> {
  const account = (await listAccounts(app, userId)).find(isMeant)
  if (!account) throw new ApiError(errors.ACCOUNT_NOT_FOUND)
  return account
}

/** The provider is looked for before the account when it is named, as the reference does; without, as 1.7 does. */
async function getTokenProvider(app: App, userId: string, { providerId, accountId }: z.output<typeof tokenRequest>) {
  const named = providerId ?? (await getOwnAccount(app, userId, ({ id }) => id === accountId)).providerId
  return getProvider(named, providerNotSupported)
}

async function getInfoProvider(app: App, userId: string, isMeant: (account: AccountRow) => boolean) {
  const { providerId } = await getOwnAccount(app, userId, isMeant)
  return getProvider(providerId, providerNotConfigured)
}

const providerNotFound = () => errors.PROVIDER_NOT_FOUND

/** None of these can succeed before there is a provider, which their `returns` says. */
export const providerRoutes = {
  'POST /sign-in/social': route({
    summary: 'Sign in with an account of a provider',
    access: 'public',
    body: signInRequest,
    returns: z.never(),
    errors: [errors.PROVIDER_NOT_FOUND],
    handler: ({ body }) => getProvider(body.provider, providerNotFound),
  }),
  'POST /link-social': route({
    summary: 'Give the caller an account of a provider as one more way to sign in',
    access: 'session',
    body: linkRequest,
    returns: z.never(),
    errors: [errors.PROVIDER_NOT_FOUND],
    handler: ({ body }) => getProvider(body.provider, providerNotFound),
  }),
  'POST /get-access-token': route({
    summary: 'The access token that a provider gave for an account of the caller',
    access: 'session',
    body: tokenRequest,
    returns: z.never(),
    errors: [providerNotSupported('<id>'), errors.ACCOUNT_NOT_FOUND],
    handler: (ctx) => getTokenProvider(ctx, ctx.user.id, ctx.body),
  }),
  'POST /refresh-token': route({
    summary: 'New tokens of a provider for an account of the caller',
    access: 'session',
    body: tokenRequest,
    returns: z.never(),
    errors: [providerNotSupported('<id>'), errors.ACCOUNT_NOT_FOUND],
    handler: (ctx) => getTokenProvider(ctx, ctx.user.id, ctx.body),
  }),
  'POST /account-info': route({
    summary: 'What a provider knows of an account of the caller',
    access: 'session',
    body: z.object({ accountId: z.string().describe('The provider’s own id of the account') }),
    returns: z.never(),
    errors: [errors.ACCOUNT_NOT_FOUND, providerNotConfigured('<id>')],
    handler: (ctx) => getInfoProvider(ctx, ctx.user.id, ({ accountId }) => accountId === ctx.body.accountId),
  }),
  'GET /account-info': route({
    summary: 'What a provider knows of an account of the caller',
    access: 'session',
    query: z.object({ accountId: z.string().describe('The id that list-accounts shows') }),
    returns: z.never(),
    errors: [errors.ACCOUNT_NOT_FOUND, providerNotConfigured('<id>')],
    handler: (ctx) => getInfoProvider(ctx, ctx.user.id, ({ id }) => id === ctx.query.accountId),
  }),
}

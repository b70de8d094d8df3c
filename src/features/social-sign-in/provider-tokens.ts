/** Provider tokens in the account table: encrypted, and refreshed when they are about to expire. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Updateable } from 'kysely'
import { type App, memo } from '../../core/app.ts'
import { longText } from '../../core/schemas.ts'
import { maxTextBytes } from '../../core/table.ts'
import { write } from '../../core/write.ts'
import { definedMembers } from '../../lib/objects.ts'
import { type AccountRow, accountUpdate, findSocialAccount, scopesOf, updateAccount } from '../accounts/index.ts'
import type { Database } from '../index.ts'
import { claimToken, releaseToken } from '../verifications/index.ts'
import type { ConfiguredProvider } from './configured-providers.ts'
import { readClaims } from './id-token.ts'
import { refreshTokens } from './protocol.ts'
import type { ProviderTokens } from './provider.ts'

const purpose = 'provider token'

/** Distinguishes encrypted tokens from imported ones, also when their secret is not configured any more. */
const encrypted = 'encrypted:'

const sealed = { table: 'account', prefix: encrypted } as const

/** Each by itself: a provider that renews the access token may leave the others as they are. */
export const secretUses = {
  providerTokens: { ...sealed, column: 'accessToken', noun: 'access token of a provider' },
  providerRefreshTokens: { ...sealed, column: 'refreshToken', noun: 'refresh token of a provider' },
  providerIdTokens: { ...sealed, column: 'idToken', noun: 'ID token of a provider' },
} as const

type TokenColumns = Pick<
  Updateable<Database['account']>,
  'accessToken' | 'refreshToken' | 'idToken' | 'accessTokenExpiresAt' | 'refreshTokenExpiresAt' | 'scope'
>

/** A token as it is stored; null: it is too long. */
export function sealProviderToken(app: App, token: string): string | null {
  const sealed = encrypted + app.keyring.encrypt(purpose, token)
  return Buffer.byteLength(sealed) > maxTextBytes ? null : sealed
}

/**
 * The columns for new tokens. What the provider did not send stays as it is. A value that is too long for its column is left out, and
 * not the former one in its place: tokens are null then, and scopes count as not reported.
 */
export function tokenColumns(app: App, providerId: string, tokens: ProviderTokens): TokenColumns {
  const seal = (token: string | undefined) => (token === undefined ? undefined : sealProviderToken(app, token))
  const scope = tokens.scopes?.join(',')
  const columns: TokenColumns = {
    accessToken: seal(tokens.accessToken),
    refreshToken: seal(tokens.refreshToken),
    idToken: seal(tokens.idToken),
    accessTokenExpiresAt: tokens.accessTokenExpiresAt,
    refreshTokenExpiresAt: tokens.refreshTokenExpiresAt,
    scope: longText.safeParse(scope).data,
  }
  const members = Object.entries(columns).flatMap(([name, value]) => (value === null ? [name] : []))
  if (columns.scope !== scope) members.push('scope')
  if (members.length > 0) app.log.warn({ providerId, members }, 'Tokens of a provider are too long, and were left out')
  return definedMembers({
    ...columns,
    ...(columns.accessToken === null && { accessTokenExpiresAt: null }),
    ...(columns.refreshToken === null && { refreshTokenExpiresAt: null }),
  })
}

/** Rows that were imported from better-auth have tokens in plain text. @throws Error SECRET_UNKNOWN */
export function openToken(app: App, stored: string | null): string | undefined {
  if (!stored?.startsWith(encrypted)) return stored ?? undefined
  return app.keyring.decrypt(purpose, stored.slice(encrypted.length))
}

/** The stored tokens of an account. @throws Error if they were encrypted with a secret that is not configured any more */
export const storedTokens = (app: App, account: AccountRow): ProviderTokens => ({
  accessToken: openToken(app, account.accessToken),
  refreshToken: openToken(app, account.refreshToken),
  idToken: openToken(app, account.idToken),
  accessTokenExpiresAt: account.accessTokenExpiresAt ?? undefined,
  refreshTokenExpiresAt: account.refreshTokenExpiresAt ?? undefined,
  scopes: scopesOf(account),
})

/** Refreshes that are running in this process, by account. */
const running = memo((_: App) => new Map<string, Promise<ProviderTokens>>())

/**
 * Refreshes the tokens of an account, and stores them. Concurrent calls, also of other processes, share one refresh: many providers
 * revoke all tokens when a refresh token is used twice (RFC 9700 §4.14.2).
 * @param account as read before
 * @throws Error when there is no refresh token, or the provider rejects it
 */
export function refreshAccount(app: App, provider: ConfiguredProvider, account: AccountRow): Promise<ProviderTokens> {
  const shared = running(app).get(account.id)
  if (shared !== undefined) return shared
  const refresh = refreshClaimed(app, provider, account).finally(() => running(app).delete(account.id))
  running(app).set(account.id, refresh)
  return refresh
}

/** Together longer than an outbound request may take. */
const [waits, waitMs] = [150, 100]

async function refreshClaimed(app: App, provider: ConfiguredProvider, account: AccountRow): Promise<ProviderTokens> {
  const claim = `refresh ${account.id}`
  for (let wait = 0; !(await claimToken(app, claim)); wait += 1) {
    if (wait === waits) throw new Error('Another process is refreshing the tokens, and does not finish')
    await pause(waitMs)
  }
  try {
    return await refreshOnce(app, provider, account)
  } finally {
    await releaseToken(app, claim)
  }
}

async function refreshOnce(app: App, provider: ConfiguredProvider, { providerId, accountId, ...read }: AccountRow) {
  const account = (await findSocialAccount(app, providerId, accountId))?.account
  if (!account) throw new Error('The account was unlinked')
  const stored = storedTokens(app, account)
  // Another process has refreshed them since they were read.
  if (account.accessToken !== read.accessToken || account.refreshToken !== read.refreshToken) return stored
  if (stored.refreshToken === undefined) throw new Error('There is no refresh token')
  const tokens = await refreshTokens(app, provider, stored.refreshToken, stored.scopes ?? [])
  // OpenID Connect Core §12.2: the new ID token has the subject of the old one.
  const [before, after] = [readClaims(stored.idToken), readClaims(tokens.idToken)]
  if (before && after && before.sub !== after.sub) throw new Error('The provider sent tokens of another user')
  const columns = tokenColumns(app, providerId, { ...tokens, scopes: undefined })
  // The old expiry belongs to another token.
  const update = accountUpdate(app, { accessTokenExpiresAt: null, ...columns })
  const isStored = await write(app, [update], (tx, draft) => updateAccount(tx, account, draft), { isOneStatement: true })
  if (!isStored) throw new Error('The account was unlinked')
  if (columns.accessToken === null) throw new Error('The new access token is too long')
  // A member that the provider did not send must not hide a stored one.
  return { ...stored, accessTokenExpiresAt: undefined, ...definedMembers(tokens) }
}

/** Accounts: the sign-in methods of a user, one row for the password and one for each linked provider. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { emit, event, type Listeners } from '../../core/events.ts'
import { ofAccount } from '../../core/feature.ts'
import { freshSession, session } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { type SignInAccount, signInMethodsOf } from '../../core/sign-in.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { findUserById, lockUser } from '../users/index.ts'
import { type AccountRow, errors, isSocial, listAccounts } from './account-store.ts'
import { type PasswordEvent, requireNewPassword } from './new-password.ts'
import { passwordRemoved } from './password-removal.ts'
import { discardProviderTokens, scopesOf, unlinked } from './social-accounts.ts'

export * from './account-store.ts'
export * from './new-password.ts'
export * from './password-removal.ts'
export * from './social-accounts.ts'

export const area = 'Social accounts'

export const events = {
  /**
   * A new password is written. When it recovers the account, listeners end what else authenticates as the user, apart from sessions.
   * They return how much of it ended, and how much is left.
   */
  'password.changing': event<
    { readonly userId: string; readonly isRecovery: boolean },
    { readonly apiKeysEnded: number; readonly apiKeysLeft: number }
  >(),
  'password.changed': event<PasswordEvent>(),
  /**
   * A password was removed because another person than the owner of the email address may have set it. `isAnnounced`: another email
   * says so.
   */
  'password.removed': event<{ readonly userId: string; readonly isAnnounced: boolean }>(),
  /** A sign-in method was removed from a user who stays. */
  'account.unlinked': event<{ readonly userId: string; readonly providerId: string }>(),
}

export const on: Listeners = {
  'account.locking': async (tx, { userId, isPreview }) => {
    if (!isPreview) await requireNewPassword(tx, userId)
    return { linkedAccounts: await discardProviderTokens(tx, userId, isPreview) }
  },
}

export const auditActions = {
  'account.linked': ofAccount('A social account was linked to a user'),
  'account.unlinked': ofAccount('A social account was removed from a user'),
  'password.changed': ofAccount('A user changed their password, and gave the former one'),
  'password.reset': ofAccount('A password was set with a reset link'),
  'password.set': ofAccount('A password was set with a setup link, or by an operator or administrator'),
  'password.removed': ofAccount(
    'A password was removed: by its user or an administrator (`reason` is unlinked), or because it was set before the email address of the user was verified',
  ),
  'password.replacement-required': ofAccount(
    'An administrator or operator requires a new password before the next sign-in, or the account was locked',
  ),
}

/** With `providerId`: the account of that provider. Without: the account with this row id. */
const accountSelector = z
  .object({
    providerId: z.string().optional(),
    accountId: z
      .string()
      .optional()
      .describe('With `providerId`: the account ID at the provider. Without: the `id` that `/list-accounts` returns'),
  })
  .refine(({ providerId, accountId }) => providerId !== undefined || accountId !== undefined, { path: ['providerId'] })
  .meta({ examples: [{ providerId: 'github' }] })
type AccountChoice = z.output<typeof accountSelector>

/**
 * Whether a user could sign in, by any method that works under the configuration (contract 12 §9). Code that removes one locks the
 * user, and passes what is left.
 */
export async function canSignIn(app: App, user: UserRow, accounts: readonly SignInAccount[]): Promise<boolean> {
  for (const { isAvailable } of signInMethodsOf(app.features, app.config))
    if (await isAvailable?.(app, user, accounts)) return true
  return false
}

/**
 * Unlinks an account, but not the last sign-in method of the user, unless the configuration allows it.
 * @throws ApiError YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT, ACCOUNT_NOT_FOUND
 */
export function unlinkAccount(app: App, userId: string, choice: AccountChoice): Promise<void> {
  return transaction(app, async (inner) => {
    // "Not the last one" is a rule about several rows: of two concurrent requests, the second waits for the lock on the user.
    await lockUser(inner, userId)
    const user = await findUserById(inner, userId)
    const accounts = await listAccounts(inner, userId)
    const isRestricted = user !== null && !app.config.account.accountLinking.allowUnlinkingAll
    const isLast = accounts.length === 1 && isRestricted && !(await canSignIn(inner, user, []))
    if (isLast) throw new ApiError(errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT)
    const account = accounts.find((candidate) => matches(candidate, choice))
    if (!account) throw new ApiError(errors.ACCOUNT_NOT_FOUND)
    const others = accounts.filter(({ id }) => id !== account.id)
    // An account that does not sign in, such as one of a provider that is not configured any more, replaces none that does.
    if (isRestricted && (await canSignIn(inner, user, accounts)) && !(await canSignIn(inner, user, others)))
      throw new ApiError(errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT)
    await inner.db.deleteFrom('account').where('id', '=', account.id).execute()
    await recordEvent(inner, isSocial(account) ? unlinked(account) : passwordRemoved(userId, { reason: 'unlinked' }))
    await emit(inner, 'account.unlinked', { userId, providerId: account.providerId })
  })
}

function matches(account: AccountRow, { providerId, accountId }: AccountChoice): boolean {
  if (providerId === undefined) return account.id === accountId
  return account.providerId === providerId && (!accountId || account.accountId === accountId)
}

/** `provider` is the contract's name, `providerId` and `userId` those of later clients (contract 02 §7). */
const accountView = z
  .object({
    id: z.string(),
    provider: z.string(),
    providerId: z.string(),
    userId: z.string(),
    accountId: z.string(),
    scopes: z.array(z.string()),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .meta({ title: 'LinkedAccount' })

export const routes = {
  'GET /list-accounts': route({
    summary: 'List linked accounts',
    description:
      'Returns the sign-in methods of the current user: one entry for the password (`credential`) and one for each social account.',
    access: session(),
    returns: z.array(accountView),
    handler: async (ctx) =>
      (await listAccounts(ctx, ctx.user.id)).map(({ scope, ...account }) => ({
        ...account,
        provider: account.providerId,
        scopes: scopesOf({ scope }),
      })),
  }),
  'POST /unlink-account': route({
    summary: 'Unlink an account',
    description:
      'Removes a sign-in method from the current user. Name it by `providerId`, with or without `accountId`. Fails when it is the last one or does not exist.',
    access: freshSession(),
    stepUp: 'established',
    sensitive: true,
    body: accountSelector,
    returns: z.object({ status: z.literal(true) }),
    errors: [errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT, errors.ACCOUNT_NOT_FOUND],
    handler: async (ctx) => {
      await unlinkAccount(ctx, ctx.user.id, ctx.body)
      return { status: true as const }
    },
  }),
  'POST /remove-password': route({
    summary: 'Remove the password',
    description:
      'Removes the password of the current user, who then signs in with a passkey, a social account or another method. Fails when they have no password, or no other method.',
    area: 'Passwords',
    access: freshSession(),
    stepUp: 'established',
    sensitive: true,
    returns: z.object({ status: z.literal(true) }),
    errors: [errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT, errors.ACCOUNT_NOT_FOUND],
    handler: async (ctx) => {
      await unlinkAccount(ctx, ctx.user.id, { providerId: 'credential' })
      return { status: true as const }
    },
  }),
}

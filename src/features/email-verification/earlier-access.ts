/**
 * Access to an account from before its email address was verified. An attacker may have signed up with the address of another
 * person and be waiting for that person to verify it. So the page of a verification link asks in a browser that is not known to be
 * that of the user, and its visitor may end everything from before (contract 01 §4).
 */
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { emit } from '../../core/events.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { signCookie } from '../../lib/cookie.ts'
import { deleteSocialAccounts, type EndedAccess, removePassword } from '../accounts/index.ts'
import { hostedPath } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { revokeSessions } from '../sessions/index.ts'
import { findUserById, lockUser } from '../users/index.ts'
import { canVerify } from './verification-links.ts'

/**
 * Remembers the browser of a user who gave their password but gets no session, so that it is known when it opens the verification
 * link. Whether it does so must not depend on whether the email address was known.
 */
export function rememberBrowser(ctx: CallContext, userId: string): void {
  const { emailOTP, magicLink } = ctx.config
  const { revokeEarlierAccess, expiresIn } = ctx.config.emailVerification
  const isUsed = revokeEarlierAccess || hostedPath(ctx.config, '/verify-email') !== null
  if (!(isUsed && canVerify(ctx)) && !emailOTP.enabled && !magicLink.enabled) return
  cookieDefinition(ctx.config, 'sign_up').set(ctx.cookies, signCookie(userId, ctx.keyring), expiresIn)
}

/** What listeners have ended, as they count it. */
export interface EndedCounts {
  readonly apiKeysEnded: number
  readonly passkeysEnded: number
  readonly secondFactorsEnded: number
  readonly trustedBrowsersEnded: number
}

/** The same, as events and emails show it. */
interface EndedMethods {
  readonly apiKeys: number
  readonly passkeys: number
  readonly secondFactors: number
  readonly trustedBrowsers: number
}

/** Whether this browser is signed in as the user, or is the one in which they gave their password. */
async function isBrowserOf(ctx: CallContext, { id }: UserRow): Promise<boolean> {
  if (ctx.request.signedCookies(cookieDefinition(ctx.config, 'sign_up').name).includes(id)) return true
  return (await ctx.identify({ refresh: false }))?.user.id === id
}

/** Whether the owner of the email address, who opens a link now, may be another person than the user who signed up. */
export const isStranger = async (ctx: CallContext, user: UserRow): Promise<boolean> =>
  !user.emailVerified && !(await isBrowserOf(ctx, user))

/**
 * Whether the user opens the link, or a script of our own or a trusted origin does (Fetch Metadata). An image, a frame or a script
 * of another page must not sign its visitor in to the account of the link (ASVS 7.6.2). Browsers send site and destination with each
 * request; programs send neither, though Node's `fetch` sends a mode.
 */
export function isOpenedByUser({ request, headers }: CallContext): boolean {
  const [site, destination] = [request.header('sec-fetch-site'), request.header('sec-fetch-dest')]
  if (site === undefined && destination === undefined) return true
  // Only responses to trusted origins have this header.
  if (destination === 'empty') return site === 'same-origin' || 'access-control-allow-origin' in headers
  return destination === 'document' && request.header('sec-fetch-mode') === 'navigate'
}

/**
 * Ends it, unless the email address is verified already, or no longer that of the user. Call it first in the transaction that
 * verifies the address.
 * @param endPassword in the same transaction, with what has ended before; default: removes the password
 * @returns what it has ended; null: nothing, because of the email address
 */
export async function revokeEarlierAccess(
  tx: App,
  { id, email }: UserRow,
  endPassword: (tx: App, userId: string, ended: EndedAccess) => Promise<unknown> = (inner, userId) =>
    removePassword(inner, userId),
): Promise<(EndedAccess & EndedMethods) | null> {
  // The lock also rejects a sign-in that is verifying the earlier password now.
  if (!(await lockUser(tx, id))) return null
  const current = await findUserById(tx, id)
  if (!current || current.emailVerified || current.email !== email) return null
  // First, because the end of all sessions ends the trust in browsers too, which is counted here.
  const methods = await removeEarlierMethods(tx, id)
  const ended = { sessions: await revokeSessions(tx, { userId: id }, { reason: 'email-verified' }), ...methods }
  await endPassword(tx, id, ended)
  return ended
}

/** What a new password by a reset link or code ends. */
export const endedByReset = ({ emailAndPassword, apiKey }: Config) => ({
  sessions: emailAndPassword.revokeSessionsOnPasswordReset,
  apiKeys: apiKey.enabled && !apiKey.keepOnPasswordReset,
})

/**
 * Ends what a reset ends by itself, in its transaction: sessions, unless the configuration keeps them.
 * @param isByStranger the owner of the email address may be another person than the user: sessions end in any case, and sign-in methods
 * and API keys too
 */
export async function endAccessByReset(tx: App, userId: string, isByStranger = false): Promise<EndedAccess> {
  const endsSessions = isByStranger || endedByReset(tx.config).sessions
  const sessions = endsSessions ? await revokeSessions(tx, { userId }, { reason: 'password-changed' }) : 0
  return { sessions, apiKeys: isByStranger ? (await removeEarlierMethods(tx, userId)).apiKeys : 0 }
}

/**
 * Removes the sign-in methods that an attacker may have added, other than the password, and API keys. In a transaction that has locked
 * the user.
 * @returns how many there were of those that other features have
 */
async function removeEarlierMethods(tx: App, userId: string): Promise<EndedMethods> {
  await deleteSocialAccounts(tx, userId)
  const ended = await emit(tx, 'earlier-access.revoked', { userId })
  const { apiKeysEnded = 0, passkeysEnded = 0, secondFactorsEnded = 0, trustedBrowsersEnded = 0 } = ended
  return {
    ...{ apiKeys: apiKeysEnded, passkeys: passkeysEnded },
    ...{ secondFactors: secondFactorsEnded, trustedBrowsers: trustedBrowsersEnded },
  }
}

/**
 * Challenges that have no row before they are answered: the sign-in page asks for one on each view. The cookie has an id with the
 * time, and the challenge is a keyed hash of it. A used one is written, in the transaction that it permits.
 */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { ApiError } from '../../core/errors.ts'
import type { Job } from '../../core/feature.ts'
import type { CallContext } from '../../core/request.ts'
import { command } from '../../core/statement.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { transaction } from '../../core/transaction.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { signCookie } from '../../lib/cookie.ts'
import { type ResolvedUser, resolvedUser } from './function-options.ts'
import { errors, keyedBytes } from './store.ts'

type Ceremony = 'registration' | 'authentication'

/** Whom a challenge is for: no one in particular, a user, a visitor who signs up, or the user that the application has named. */
export interface Subject {
  /** The user's id, or the token of the sign-up. */
  readonly userId?: string
  readonly context?: string
  /** Has the id of `userId`. It travels in the cookie, encrypted, because nothing is stored. */
  readonly resolved?: ResolvedUser
  /** The handle with which the authenticator stores the passkey. */
  readonly handle?: string
}

const lifetime = 300
const marks = { registration: 'r', authentication: 'a' } as const
const randomLength = 24
const timeLength = 8

interface Issued {
  readonly id: string
  /** See `ownerTags`. */
  readonly owner: string
  readonly expiresAt: Date
}

const cookieOf = ({ config }: App) =>
  cookieDefinition(config, 'better-auth-passkey', '', config.passkey.advanced.webAuthnChallengeCookie)

const resolvedPurpose = 'passkey user without a session'

/** Say in the cookie whom the challenge is for, without the id of the user. The newest first, as below. */
const ownerTags = ({ keyring }: App, { userId, context, resolved }: Subject): readonly string[] => {
  if (resolved !== undefined) return [`o${keyring.encrypt(resolvedPurpose, JSON.stringify(resolved))}`]
  if (context !== undefined) return [`c${context}`]
  return userId === undefined ? [''] : keyring.hashes('passkey owner', userId).map((hash) => `u${keyedBytes(hash).slice(0, 16)}`)
}

/** The newest first: one of a secret that was replaced in the meantime still holds. */
const challengesOf = ({ keyring }: App, ceremony: Ceremony, id: string, { userId = '', context = '', handle = '' }: Subject) =>
  keyring.hashes('passkey challenge', [id, ceremony, userId, context, handle].join(' ')).map(keyedBytes)

function readIssued(ctx: CallContext, ceremony: Ceremony): Issued | null {
  for (const value of ctx.request.signedCookies(cookieOf(ctx).name)) {
    const [id = '', mark, ...rest] = value.split('.')
    const owner = rest.join('.')
    const issuedAt = Number.parseInt(id.slice(randomLength), 16) * 1000
    const expiresAt = new Date(issuedAt + lifetime * 1000)
    if (mark === marks[ceremony] && id.length === randomLength + timeLength && expiresAt > ctx.now())
      return { id, owner, expiresAt }
  }
  return null
}

/**
 * The challenge for the options of a ceremony. A valid one of the same kind is kept for half its life, so that two tabs, or autofill and
 * the button, do not break each other.
 * @returns base64url
 */
export function openChallenge(ctx: CallContext, ceremony: Ceremony, subject: Subject): string {
  const owners = ownerTags(ctx, subject)
  const known = readIssued(ctx, ceremony)
  const isYoung = known !== null && known.expiresAt.getTime() - ctx.now().getTime() > (lifetime / 2) * 1000
  const time = Math.floor(ctx.now().getTime() / 1000).toString(16)
  const id = isYoung && owners.includes(known.owner) ? known.id : ctx.random.token(randomLength) + time.padStart(timeLength, '0')
  if (id !== known?.id) {
    const value = [id, marks[ceremony], owners[0]].join('.')
    cookieOf(ctx).set(ctx.cookies, signCookie(value, ctx.keyring), lifetime)
  }
  return challengesOf(ctx, ceremony, id, subject)[0] ?? ''
}

/** The token of the sign-up that this browser registers a passkey for; null when it registers none, or one of a user. */
export function readContext(ctx: CallContext): string | null {
  const owner = readIssued(ctx, 'registration')?.owner
  return owner?.startsWith('c') ? owner.slice(1) : null
}

const ofResolved = resolvedUser.extend({ context: z.string().nullable(), handle: z.string().optional() })

/** @throws Error for a cookie of a secret that is not configured any more, whose signature is not accepted either */
const openResolved = ({ keyring }: App, owner: string): ResolvedUser | null =>
  owner.startsWith('o') ? ofResolved.parse(JSON.parse(keyring.decrypt(resolvedPurpose, owner.slice(1)))) : null

/**
 * The user whom the application has named when this browser requested the options.
 * @throws ApiError CHALLENGE_NOT_FOUND without a challenge, SESSION_REQUIRED for one that is for someone else
 */
export function readResolved(ctx: CallContext): ResolvedUser {
  const issued = readIssued(ctx, 'registration')
  if (!issued) throw new ApiError(errors.CHALLENGE_NOT_FOUND)
  const resolved = openResolved(ctx, issued.owner)
  if (!resolved) throw new ApiError(errors.SESSION_REQUIRED)
  return resolved
}

/** @throws ApiError CHALLENGE_NOT_FOUND when this browser has none of the ceremony, or it has expired */
export function readChallenge(ctx: CallContext, ceremony: Ceremony) {
  const issued = readIssued(ctx, ceremony)
  if (!issued) throw new ApiError(errors.CHALLENGE_NOT_FOUND)
  const { id, owner, expiresAt } = issued
  return {
    id,
    expiresAt,
    /** Whether it was issued to no one in particular. */
    isOpen: owner === '',
    isOf: (subject: Subject): boolean =>
      subject.resolved ? openResolved(ctx, owner)?.id === subject.userId : ownerTags(ctx, subject).includes(owner),
    /** Whether this call has used it already. */
    isUsed: false,
    /** What the response of the browser may contain, base64url. */
    expected: (subject: Subject): readonly string[] => challengesOf(ctx, ceremony, id, subject),
  }
}
export type ReadChallenge = ReturnType<typeof readChallenge>

const insertUsed = command((app, row: { id: string; key: string; expiresAt: Date }) =>
  app.db.insertInto('usedChallenge').values(row),
)

/**
 * Uses a challenge, in the transaction of what it proves. Of concurrent calls one succeeds: the unique key decides.
 * @throws ApiError CHALLENGE_NOT_FOUND for the others
 */
export async function claimChallenge(
  tx: App,
  { id, expiresAt, isUsed }: Pick<ReadChallenge, 'id' | 'expiresAt' | 'isUsed'>,
): Promise<void> {
  if (isUsed) return
  const row = { id: tx.random.id(), key: `passkey:${id}`, expiresAt }
  if (!(await insertUnlessExists(tx, { execute: () => insertUsed(tx, row) }))) throw new ApiError(errors.CHALLENGE_NOT_FOUND)
}

/**
 * Uses a challenge before a function of the configuration is called, which must not be called twice for one, and not inside a
 * transaction.
 * @returns the challenge, which `claimChallenge` then accepts
 * @throws ApiError CHALLENGE_NOT_FOUND for one that was used
 */
export async function claimBefore(ctx: CallContext, challenge: ReadChallenge): Promise<ReadChallenge> {
  await transaction(ctx, (tx) => claimChallenge(tx, challenge))
  clearChallenge(ctx)
  return { ...challenge, isUsed: true }
}

export const clearChallenge = (ctx: CallContext): void => cookieOf(ctx).clear(ctx.cookies)

export const jobs = {
  usedChallenges: { every: 300, run: (app, signal) => sweepEnded(app, signal, { table: 'usedChallenge', column: 'expiresAt' }) },
} satisfies Record<string, Job>

/** The challenge between a first factor and its session: demanded, found again by its cookie, and cancelled (contract 11 §3). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { isoDate } from '../../core/schemas.ts'
import type { Challenge, Proof, SignInChallenge } from '../../core/sign-in.ts'
import { statement } from '../../core/statement.ts'
import { afterCommit, transaction } from '../../core/transaction.ts'
import { signCookie } from '../../lib/cookie.ts'
import { userAgentOf } from '../../lib/device.ts'
import { networkOf } from '../../lib/ip.ts'
import { tokenAlphabet } from '../../lib/text.ts'
import { withParameter } from '../../lib/url.ts'
import { recordEvent } from '../audit/index.ts'
import { isPossiblyBrowser } from '../bearer/index.ts'
import { hostedPath } from '../dashboard/index.ts'
import { admitUser, leaveForChallenge } from '../sessions/index.ts'
import { countSoon } from '../statistics/index.ts'
import { acceptedBy, decideChallenge, explainChallenge } from './decision.ts'
import { enableQualifying } from './enabling.ts'
import { lastMethodOf, methodNames, methodsOf } from './methods.ts'
import { errors, hasSecondFactor, methodView } from './model.ts'
import { cancelReset, findPendingReset } from './pending-resets.ts'
import { isTrustedBrowser, mayTrust } from './trusted-devices.ts'

const page = '/two-factor'

/** A client may have another clock than the server. */
export const expiresIn = z.int().meta({ description: 'Seconds until `expiresAt`', examples: [600] })

const described = z.object({
  kind: z.literal('verify'),
  expiresAt: isoDate,
  expiresIn,
  methods: z.array(methodView),
  trustDevice: z.boolean().meta({ description: 'Whether the user may trust this browser' }),
  token: z.string().optional().meta({ description: 'In place of the cookie, as `challengeToken`; only for programs' }),
})

/** Wrong codes that end a challenge. */
export const mostFailures = 5
/** Of one user from one network: a thief who knows the password cannot end the challenge of the owner by new ones. */
const mostPending = 5
const purpose = 'sign-in challenge'

const definition = (app: Pick<App, 'config'>) => cookieDefinition(app.config, 'two_factor')
export const clearChallengeCookie = (ctx: CallContext): void => definition(ctx).clear(ctx.cookies)

export const challenge = {
  name: 'two-factor',
  kinds: ['first-factor'] as const,
  page,
  returns: z.object({
    twoFactorRedirect: z.literal(true),
    twoFactorMethods: z.array(z.string()),
    challenge: described,
  }),
  demand: async (ctx, user, proof) => {
    const { result, reason } = decideChallenge(ctx, user, proof)
    if (result === 'none') return hasSecondFactor(user) ? { accepted: { reason } } : null
    if (result === 'accepted' && hasSecondFactor(user) && (await findPendingReset(ctx, user.id)))
      await transaction(ctx, (tx) => cancelReset(tx, user.id))
    if (result === 'accepted') return acceptedBy(ctx, proof)
    if (result === 'verify' && (await isTrustedBrowser(ctx, user, proof))) return { accepted: { reason: 'trusted-browser' } }
    const challenged = result === 'verify' ? user : await enableQualifying(ctx, user)
    return challenged && openChallenge(ctx, challenged, { ...proof, reason })
  },
  explain: explainChallenge,
} satisfies SignInChallenge

async function openChallenge(ctx: CallContext, user: UserRow, proof: Proof): Promise<Challenge> {
  if (proof.reply === 'none') return { body: {}, location: '' }
  const { twoFactorCookieMaxAge: seconds } = ctx.config.twoFactor
  const { value, expiresAt } = await storeChallenge(ctx, user, proof, { kind: 'verify', seconds })
  const methods = await methodsOf(ctx, user, { proof, last: lastMethodOf(ctx) })
  const isProgram = ctx.config.bearer.enabled && !isPossiblyBrowser(ctx.request)
  return {
    body: {
      twoFactorRedirect: true,
      twoFactorMethods: methodNames(methods),
      challenge: {
        ...{ kind: 'verify', expiresAt, expiresIn: seconds, methods, trustDevice: mayTrust(ctx, user) },
        ...(isProgram && { token: value }),
      },
    },
    location: locationOf(ctx, proof),
  }
}

/** Where a link or a social sign-in continues: the page for the second factor, or the application with an error. */
const locationOf = (app: App, proof: Proof): string =>
  pageOf(app, page, proof) ?? withParameter(proof.errorURL ?? proof.callbackURL ?? '/', 'error', 'two_factor_required')

/** The page on which a challenge is answered, that of the application or a hosted one; null when there is none. */
export function pageOf({ config }: App, path: string, { callbackURL }: Pick<Proof, 'callbackURL'>): string | null {
  const own = config.twoFactor.pageURL ?? hostedPath(config, path)
  return own === null || callbackURL === undefined ? own : withParameter(own, 'callbackURL', callbackURL)
}

type ChallengeKind = 'verify' | 'setup'

interface NewChallenge {
  readonly kind: ChallengeKind
  /** For which it can be answered. */
  readonly seconds: number
  /** For the audit log. */
  readonly rule?: string | null
  /** Whether a code to the mailbox must be given first. */
  readonly needsCode?: boolean
}

interface StoredChallenge extends NewChallenge {
  readonly ctx: CallContext
  readonly user: UserRow
  readonly proof: Proof
  readonly value: string
  readonly expiresAt: Date
  readonly sessionId: string | null
}

/** Stores a challenge, and writes its cookie, of which `value` is the value; in a transaction, after its commit. */
export async function storeChallenge(ctx: CallContext, user: UserRow, proof: Proof, given: NewChallenge) {
  const sessionId = await leaveForChallenge(ctx, user.id, proof.remember)
  const value = `2fa-${ctx.random.token(20, tokenAlphabet)}`
  const expiresAt = new Date(ctx.now().getTime() + given.seconds * 1000)
  await transaction(ctx, (tx) => insertChallenge(tx, { ...given, ctx, user, proof, value, expiresAt, sessionId }))
  await afterCommit(ctx, async () => {
    definition(ctx).set(ctx.cookies, signCookie(value, ctx.keyring), given.seconds)
    countChallenge(ctx, given.kind, 'opened')
  })
  return { id: ctx.keyring.hash(purpose, value), value, expiresAt }
}

async function insertChallenge(tx: App, given: StoredChallenge): Promise<void> {
  const { ctx, user, proof, value, expiresAt, sessionId, kind, needsCode = false, rule } = given
  const networkKey = tx.keyring.hash('challenge network', networkOf(ctx.request.networkAddress()))
  const row = {
    id: tx.keyring.hash(purpose, value),
    userId: user.id,
    kind,
    codeProvenAt: needsCode ? null : tx.now(),
    proof: JSON.stringify(proof),
    accessRevision: user.accessRevision,
    ...{ sessionId, failures: 0, device: userAgentOf(ctx.request).slice(0, 1000), networkKey },
    ...{ ipAddress: ctx.request.address() || null, createdAt: tx.now(), expiresAt },
  }
  await tx.db.insertInto('signInChallenge').values(row).execute()
  const pending = tx.db
    .selectFrom('signInChallenge')
    .select('id')
    .where('userId', '=', user.id)
    .where('networkKey', '=', networkKey)
  const oldest = await pending.orderBy('createdAt', 'desc').orderBy('id').offset(mostPending).limit(100).execute()
  const ended = oldest.map(({ id }) => id)
  if (ended.length > 0) await tx.db.deleteFrom('signInChallenge').where('id', 'in', ended).execute()
  const target = { type: 'user', id: user.id }
  const { method, reason } = proof
  await recordEvent(tx, { action: 'two-factor.challenged', target, details: { method, reason, rule } })
}

const findPending = statement(
  { challenge: 'signInChallenge', user: 'user' },
  (db, { ids, now }: { ids: readonly string[]; now: Date }) =>
    db
      .selectFrom('signInChallenge as challenge')
      .innerJoin('user', 'user.id', 'challenge.userId')
      .where('challenge.id', 'in', ids)
      .where('challenge.expiresAt', '>', now)
      .where('challenge.failures', '<=', mostFailures),
)

/** For the metrics, and for the statistics. Not in a transaction. */
export function countChallenge(app: App, kind: string, outcome: 'opened' | 'passed' | 'failed' | 'cancelled' | 'expired'): void {
  app.metrics.count('challenge', { kind, outcome })
  countSoon(app, 'challenge by outcome', `${kind} ${outcome}`)
}

export type PendingChallenge = Awaited<ReturnType<typeof findPending>>[number]['challenge'] & {
  readonly user: UserRow
  /** Of the first factor. */
  readonly first: Proof
}

/**
 * The pending challenge of the client.
 * @param token as given in place of the cookie
 * @param kind null: of any kind
 * @returns null when there is none, it is over, or its user is banned, deleted or has changed how they sign in
 */
export async function findChallenge(
  ctx: CallContext,
  token: string | undefined,
  kind: ChallengeKind | null = 'verify',
): Promise<PendingChallenge | null> {
  const values = token === undefined ? ctx.request.signedCookies(definition(ctx).name) : [token]
  if (values.length === 0) return null
  const ids = values.flatMap((value) => ctx.keyring.hashes(purpose, value))
  const [found] = await findPending(ctx, { ids, now: ctx.now() })
  if (!found || found.user.accessRevision !== found.challenge.accessRevision) return null
  if (kind !== null && found.challenge.kind !== kind) return null
  const first: Proof = JSON.parse(found.challenge.proof)
  return (await isAdmitted(ctx, found.user, first)) ? { ...found.challenge, user: found.user, first } : null
}

/** As before the challenge: the user may have been banned since. */
const isAdmitted = (ctx: CallContext, user: UserRow, proof: Proof): Promise<boolean> =>
  admitUser(ctx, user, proof).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false
      throw error
    },
  )

/**
 * Counts an attempt to answer a challenge, before anything is compared.
 * @throws ApiError TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE; the challenge is over
 */
export async function countAttempt(ctx: CallContext, { id, kind }: Pick<PendingChallenge, 'id' | 'kind'>): Promise<void> {
  const counting = ctx.db
    .updateTable('signInChallenge')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('id', '=', id)
  const counted = await counting.where('failures', '<', mostFailures).executeTakeFirst()
  if (counted.numUpdatedRows > 0n) return
  // The row stays until it expires: an answer that was counted before may still be right.
  const ended = await counting.where('failures', '=', mostFailures).executeTakeFirst()
  if (ended.numUpdatedRows > 0n) countChallenge(ctx, kind, 'failed')
  clearChallengeCookie(ctx)
  throw new ApiError(errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE)
}

/** Uses a challenge, in the transaction that writes its session. @throws ApiError INVALID_TWO_FACTOR_COOKIE to all but one */
export async function claimChallenge(tx: App, { id }: Pick<PendingChallenge, 'id'>): Promise<void> {
  const deleted = await tx.db.deleteFrom('signInChallenge').where('id', '=', id).executeTakeFirst()
  if (deleted.numDeletedRows === 0n) throw new ApiError(errors.INVALID_TWO_FACTOR_COOKIE)
}

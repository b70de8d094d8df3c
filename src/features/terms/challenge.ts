/** The challenge between a proof and its session: a sign-in waits until its user accepts what they have not accepted yet. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import type { Challenge, Proof, SignInChallenge } from '../../core/sign-in.ts'
import { afterCommit, transaction } from '../../core/transaction.ts'
import { signCookie } from '../../lib/cookie.ts'
import { tokenAlphabet } from '../../lib/text.ts'
import { withParameter } from '../../lib/url.ts'
import { isPossiblyBrowser } from '../bearer/index.ts'
import { hostedPath } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { admitUser, leaveForChallenge, resumeSignIn } from '../sessions/index.ts'
import { findUserById } from '../users/index.ts'
import { acceptedBy, dueFor, mayPostpone, type TermsDocument } from './documents.ts'
import { errors } from './model.ts'

const name = 'terms'
const page = '/terms'
const purpose = 'terms challenge'

const localized = z.union([z.string(), z.record(z.string(), z.string())]).meta({
  description: 'A text, or one per language',
  examples: [{ en: 'Privacy policy', de: 'Datenschutzerklärung' }],
})

export const documentView = z.object({
  id: z.string().meta({ examples: ['privacy'] }),
  version: z.string().meta({ examples: ['2027-01'] }),
  title: localized,
  url: z.string().meta({ description: 'Where the text can be read', examples: ['https://example.com/privacy/2027-01'] }),
  hash: z.string().nullable().meta({ description: 'SHA-256 of the text, in hexadecimal digits' }),
  requiredFrom: isoDate.nullable().meta({ description: 'From when sign-ins demand it; null: since ever' }),
  postponableUntil: isoDate.nullable().meta({ description: 'Until when users who signed up before may postpone it' }),
})

export const dueView = documentView.extend({
  changes: localized.nullable().meta({ description: 'What is new, for a user who has accepted another version' }),
  acceptedVersion: z
    .string()
    .nullable()
    .meta({ description: 'The version that the user has accepted last', examples: ['2026-03'] }),
})

export const describeDocument = ({ file: _, changes: __, requiredFrom, ...document }: TermsDocument) => ({
  ...document,
  requiredFrom: requiredFrom === null ? null : new Date(requiredFrom),
})

export function describeDue(user: UserRow, due: readonly TermsDocument[]) {
  const accepted = acceptedBy(user)
  return due.map((document) => {
    const acceptedVersion = accepted[document.id] ?? null
    return { ...describeDocument(document), changes: acceptedVersion === null ? null : document.changes, acceptedVersion }
  })
}

/** `redirect` and `url`: the published client of better-auth opens the page by itself. */
const body = z.object({
  redirect: z.boolean().meta({ description: 'Whether clients should open `url`' }),
  url: z
    .string()
    .optional()
    .meta({ description: 'The page on which users accept', examples: ['https://accounts.example.com/terms'] }),
  challenge: z.object({
    kind: z.literal(name),
    expiresAt: isoDate,
    expiresIn: z.int().meta({ description: 'Seconds until `expiresAt`', examples: [1800] }),
    documents: z.array(dueView),
    postpone: z.boolean().meta({ description: 'Whether the user may postpone them' }),
    token: z.string().optional().meta({ description: 'In place of the cookie, as `challengeToken`; only for programs' }),
  }),
})

export const challenge = {
  name,
  kinds: ['first-factor', 'new-user'] as const,
  exists: ({ terms }: Config) => terms.documents.length > 0,
  page,
  returns: body,
  demand: async (ctx, user, proof) => {
    const due = dueFor(ctx, user)
    return due.length === 0 ? null : openChallenge(ctx, user, proof, due)
  },
  explain: async (app, user) => {
    const due = dueFor(app, user)
    if (due.length === 0) return { steps: [{ step: 'terms', result: 'none', reason: 'terms-accepted' }] }
    const reason = due.map(({ id, version }) => `${id}:${version}`).join(',')
    return { steps: [{ step: 'terms', result: mayPostpone(app, user, due) ? 'postponable' : 'challenge', reason }] }
  },
} satisfies SignInChallenge

const definition = (app: Pick<App, 'config'>) => cookieDefinition(app.config, 'terms')
export const clearTermsCookie = (ctx: CallContext): void => definition(ctx).clear(ctx.cookies)

async function openChallenge(ctx: CallContext, user: UserRow, proof: Proof, due: readonly TermsDocument[]): Promise<Challenge> {
  if (proof.reply === 'none') return { body: {}, location: '' }
  const { value, expiresAt } = await storeChallenge(ctx, user, proof)
  const path = pageOf(ctx, page, proof.reply === 'json' ? { callbackURL: proof.callbackURL ?? appOf(ctx) } : proof)
  const url = path === null ? undefined : new URL(path, apiURL(ctx.config)).href
  const isProgram = ctx.config.bearer.enabled && !isPossiblyBrowser(ctx.request)
  return {
    body: {
      ...{ redirect: url !== undefined, url },
      challenge: {
        ...{ kind: name, expiresAt, expiresIn: ctx.config.terms.pendingMaxAge },
        ...{ documents: describeDue(user, due), postpone: mayPostpone(ctx, user, due) },
        ...(isProgram && { token: value }),
      },
    },
    location: path ?? withParameter(proof.errorURL ?? proof.callbackURL ?? '/', 'error', 'terms_required'),
  }
}

/** Where a page of another origin that has signed in gets its user back, when it names no `callbackURL`; undefined: a page of our own. */
function appOf({ config, request }: CallContext): string | undefined {
  const origin = request.header('origin')
  const isWeb = origin !== undefined && /^https?:\/\//.test(origin)
  return isWeb && origin !== new URL(apiURL(config)).origin ? `${origin}/` : undefined
}

/** The page on which users answer, of the application or a hosted one; null when there is none. */
export function pageOf({ config }: App, path: string, { callbackURL }: Pick<Proof, 'callbackURL'>): string | null {
  const own = config.terms.pageURL ?? hostedPath(config, path)
  return own === null || callbackURL === undefined ? own : withParameter(own, 'callbackURL', callbackURL)
}

/** Stores a sign-in, and writes its cookie, of which `value` is the value; in a transaction, after its commit. */
async function storeChallenge(ctx: CallContext, user: UserRow, proof: Proof) {
  const seconds = ctx.config.terms.pendingMaxAge
  const sessionId = await leaveForChallenge(ctx, user.id, proof.remember)
  const value = `terms-${ctx.random.token(20, tokenAlphabet)}`
  const createdAt = ctx.now()
  const expiresAt = new Date(createdAt.getTime() + seconds * 1000)
  const row = {
    id: ctx.keyring.hash(purpose, value),
    ...{ userId: user.id, proof: JSON.stringify(proof), accessRevision: user.accessRevision, sessionId, createdAt, expiresAt },
  }
  await transaction(ctx, async (tx) => void (await tx.db.insertInto('termsChallenge').values(row).execute()))
  await afterCommit(ctx, async () => {
    definition(ctx).set(ctx.cookies, signCookie(value, ctx.keyring), seconds)
    ctx.metrics.count('challenge', { kind: name, outcome: 'opened' })
  })
  return { value, expiresAt }
}

export interface PendingTerms {
  readonly id: string
  readonly user: UserRow
  readonly proof: Proof
  readonly accessRevision: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

/**
 * The sign-in of this client that waits.
 * @param token as given in place of the cookie
 * @returns null when there is none, it is over, its user is banned, deleted or has changed how they sign in, or the client has the
 * session of another user
 */
export async function findPending(ctx: CallContext, token: string | undefined): Promise<PendingTerms | null> {
  const values = token === undefined ? ctx.request.signedCookies(definition(ctx).name) : [token]
  if (values.length === 0) return null
  const ids = values.flatMap((value) => ctx.keyring.hashes(purpose, value))
  const waiting = ctx.db.selectFrom('termsChallenge').selectAll().where('id', 'in', ids).where('expiresAt', '>', ctx.now())
  const found = await waiting.orderBy('createdAt', 'desc').executeTakeFirst()
  const user = found && (await findUserById(ctx, found.userId))
  if (!found || !user || user.accessRevision !== found.accessRevision) return null
  const identity = await ctx.identify()
  if (identity && identity.session.id !== found.sessionId) return null
  const proof: Proof = JSON.parse(found.proof)
  return (await isAdmitted(ctx, user, proof)) ? { ...found, user, proof } : null
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

/** @throws ApiError INVALID_TERMS_COOKIE */
export async function requirePending(ctx: CallContext, token: string | undefined): Promise<PendingTerms> {
  const pending = await findPending(ctx, token)
  if (pending) {
    ctx.subject.userId = pending.user.id
    return pending
  }
  clearTermsCookie(ctx)
  throw new ApiError(errors.INVALID_TERMS_COOKIE)
}

/** Ends a sign-in that waits. @returns false for all concurrent calls but one */
export async function endPending({ db }: App, { id }: Pick<PendingTerms, 'id'>): Promise<boolean> {
  return (await db.deleteFrom('termsChallenge').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n
}

/** @throws ApiError INVALID_TERMS_COOKIE to all concurrent calls but one */
async function claimPending(tx: App, pending: PendingTerms): Promise<void> {
  if (!(await endPending(tx, pending))) throw new ApiError(errors.INVALID_TERMS_COOKIE)
}

/**
 * Goes on with a sign-in. Of concurrent answers one gets the session.
 * @param work in the transaction that writes the session
 * @throws ApiError INVALID_TERMS_COOKIE, FAILED_TO_CREATE_SESSION
 */
export async function resumePending(
  ctx: CallContext,
  pending: PendingTerms,
  work: (tx: App) => Promise<void>,
): Promise<SessionAndUser> {
  const { user, proof, accessRevision } = pending
  const claim = async (tx: App) => {
    await claimPending(tx, pending)
    await work(tx)
    return null
  }
  const answer = { name, rejection: errors.INVALID_TERMS_COOKIE, claim }
  const created = await resumeSignIn(ctx, { id: user.id, accessRevision }, proof, answer).catch((error: unknown) => {
    if (error instanceof ApiError && error.entry === answer.rejection) clearTermsCookie(ctx)
    throw error
  })
  clearTermsCookie(ctx)
  ctx.metrics.count('challenge', { kind: name, outcome: 'passed' })
  return created
}

/** Signs tokens of users (RFC 7519), and remembers those that may be returned again. */
import { type JWTPayload, SignJWT } from 'jose'
import { type App, memo } from '../../core/app.ts'
import { isReply } from '../../core/reply.ts'
import type { SessionAndUser } from '../../core/request.ts'
import { createExpiringMap } from '../../lib/expiring-map.ts'
import { isObject, isRecord } from '../../lib/objects.ts'
import { describeSession } from '../sessions/index.ts'
import { expiryOf, partiesOf, type TokenSession } from './config.ts'
import { importPrivateKey } from './key-pairs.ts'
import type { KeyRow } from './key-states.ts'
import { currentSigningKey } from './keys.ts'

const withoutToken = ({ token: _, ...session }: Readonly<Record<string, unknown>>) => session

/** Session and user as they are in get-session, but for the session token. */
export function describeCurrent(app: App, current: SessionAndUser): TokenSession {
  const { session, user } = describeSession(app, current)
  return { session: withoutToken(session), user }
}

/** Session and user of the result of get-session. @returns null without a session */
export function currentOf(result: unknown): TokenSession | null {
  const value = isReply(result) && result.kind === 'json' ? result.value : null
  if (!isRecord(value) || !isRecord(value.session) || !isRecord(value.user)) return null
  return { user: value.user as TokenSession['user'], session: withoutToken(value.session) }
}

async function payloadOf({ config }: App, current: TokenSession): Promise<object> {
  const { definePayload } = config.jwt.jwt
  const payload: unknown = definePayload ? await definePayload(current) : current.user
  if (!isObject(payload) || Array.isArray(payload)) throw new TypeError('jwt.jwt.definePayload must return an object')
  return payload
}

async function subjectOf({ config }: App, current: TokenSession): Promise<string> {
  const { getSubject } = config.jwt.jwt
  const subject: unknown = getSubject ? await getSubject(current) : current.user.id
  if (typeof subject !== 'string' || subject === '') throw new TypeError('jwt.jwt.getSubject must return a text')
  return subject
}

/** RFC 8693 §4.1: who acts as the user, so that a service can recognize an impersonation. */
const actorClaim = ({ session: { impersonatedBy } }: TokenSession) =>
  typeof impersonatedBy === 'string' ? { act: { sub: impersonatedBy } } : {}

const parties = memo((app: App) => partiesOf(app.config))

/** What a token says but for its times, and the key that signs it. */
interface Content {
  readonly claims: JWTPayload
  readonly subject: string
  readonly key: KeyRow
}

/** @throws Error when a function of the configuration throws or returns what no token can have, or there is no key to sign with */
async function contentOf(app: App, current: TokenSession): Promise<Content> {
  const [payload, subject] = [await payloadOf(app, current), await subjectOf(app, current)]
  return { claims: { ...payload, ...actorClaim(current) }, subject, key: await currentSigningKey(app) }
}

async function sign(app: App, { claims, subject, key }: Content, now: Date): Promise<string> {
  const { issuer, audience } = parties(app)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.algorithm, kid: key.id })
    .setIssuedAt(Math.floor(now.getTime() / 1000))
    .setIssuer(issuer)
    .setAudience(typeof audience === 'string' ? audience : [...audience])
    .setExpirationTime(Math.floor(expiryOf(app.config, now) / 1000))
    .setSubject(subject)
    .sign(await importPrivateKey(app, key))
}

/**
 * A new token of the current user, in compact form; its header has `alg` and `kid`.
 * @throws Error as `contentOf`
 */
export const signToken = async (app: App, current: TokenSession): Promise<string> =>
  sign(app, await contentOf(app, current), app.now())

interface SignedToken {
  readonly token: string
  /** The content as text. */
  readonly content: string
  readonly issuedAt: number
}

/** Tokens in memory, one for each of the sessions that were used last. */
const mostTokens = 5000
/** A token is returned again during this part of its lifetime, so that clients get it with most of it left. */
const reusedPart = 1 / 4

const signedTokens = memo((_: App) => createExpiringMap<SignedToken>(mostTokens))

/**
 * A token of the current user for each response of get-session: one that was signed for this session before, if a new one would
 * say the same. All that it says is made for each call, because `definePayload` may read anything.
 * @param longest characters; a longer token is not kept
 * @throws Error as `contentOf`
 */
export async function reuseToken(app: App, current: TokenSession, longest: number): Promise<string> {
  const found = await contentOf(app, current)
  const content = JSON.stringify([found.key.id, found.subject, found.claims])
  const sessionId = String(current.session.id)
  const now = app.now()
  const issuedAt = now.getTime()
  const known = signedTokens(app).get(sessionId, issuedAt)
  // After a clock was set back, the time of issue would be in the future.
  if (known?.content === content && known.issuedAt <= issuedAt) return known.token
  const token = await sign(app, found, now)
  const reusedUntil = issuedAt + (expiryOf(app.config, now) - issuedAt) * reusedPart
  if (token.length <= longest) signedTokens(app).set(sessionId, { token, content, issuedAt }, reusedUntil, issuedAt)
  return token
}

/** Discards the tokens of sessions that end: no client can get them any more. */
export function discardTokens(app: App, sessionIds: readonly string[]): void {
  for (const id of sessionIds) signedTokens(app).delete(id)
}

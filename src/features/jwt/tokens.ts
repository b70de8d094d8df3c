/** Signs tokens of users (RFC 7519). */
import { SignJWT } from 'jose'
import { type App, memo } from '../../core/app.ts'
import { isReply } from '../../core/reply.ts'
import type { SessionAndUser } from '../../core/request.ts'
import { columnsOf } from '../../core/table.ts'
import { isObject, isRecord } from '../../lib/objects.ts'
import { fullSession } from '../sessions/index.ts'
import { describeUser } from '../users/index.ts'
import { expiryOf, partiesOf, type TokenSession } from './config.ts'
import { importPrivateKey } from './key-pairs.ts'
import { currentSigningKey } from './keys.ts'

const sessionView = memo((app: App) => fullSession({ session: columnsOf(app, 'session') }))

const withoutToken = ({ token: _, ...session }: Readonly<Record<string, unknown>>) => session

/** Session and user as they are in get-session, but for the session token. */
export const describeCurrent = (app: App, { session, user }: SessionAndUser): TokenSession => ({
  user: describeUser(app, user),
  session: withoutToken({ ...Object(sessionView(app).parse(session)) }),
})

/**
 * Session and user of the result of get-session, also when it is from the cached copy.
 * @returns null without a session
 */
export function currentOf(app: App, result: unknown): TokenSession | null {
  if (!isReply(result)) return result ? describeCurrent(app, result as SessionAndUser) : null
  const value = result.kind === 'json' ? result.value : null
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

/**
 * A token of the current user, in compact form; its header has `alg` and `kid`.
 * @throws Error when a function of the configuration throws or returns what no token can have, or there is no key to sign with
 */
export async function signToken(app: App, current: TokenSession): Promise<string> {
  const [payload, subject] = [await payloadOf(app, current), await subjectOf(app, current)]
  const key = await currentSigningKey(app)
  const { issuer, audience } = partiesOf(app.config)
  const now = app.now()
  return new SignJWT({ ...payload, ...actorClaim(current) })
    .setProtectedHeader({ alg: key.algorithm, kid: key.id })
    .setIssuedAt(Math.floor(now.getTime() / 1000))
    .setIssuer(issuer)
    .setAudience(typeof audience === 'string' ? audience : [...audience])
    .setExpirationTime(Math.floor(expiryOf(app.config, now) / 1000))
    .setSubject(subject)
    .sign(await importPrivateKey(app, key))
}

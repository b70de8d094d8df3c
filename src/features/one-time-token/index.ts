/** One-time tokens: they transfer the session of a user to another browser or app (contract 06 §13). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { callback, section } from '../../core/config.ts'
import { ApiError, defineErrors, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { ofAccount } from '../../core/feature.ts'
import { anyone, session } from '../../core/permissions.ts'
import type { CallContext, SessionAndUser } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import type { Tables } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { tokenAlphabet } from '../../lib/text.ts'
import { recordEvent } from '../audit/index.ts'
import { isPossiblyBrowser } from '../bearer/index.ts'
import type { Config } from '../index.ts'
import { adoptSession, findLiveSession, fullSession, errors as sessionErrors, shownToken } from '../sessions/index.ts'
import { type DescribedUser, describeUser, fullUser } from '../users/index.ts'
import {
  createVerification,
  deleteVerifications,
  takeVerification,
  errors as verificationErrors,
} from '../verifications/index.ts'

export const area = 'One-time tokens'

export const plugin = 'one-time-token'

/** Whose session a one-time token is for. */
export interface TokenOwner {
  readonly user: DescribedUser
  readonly sessionId: string
}

const longestToken = 200
/** Shorter tokens could be guessed while they are valid. */
const shortestToken = 16

export const config = {
  oneTimeToken: section('Tokens that transfer a session to another browser or app, once', {
    expiresIn: z.number().positive().max(60).default(3).describe('Lifetime of a token in minutes'),
    disableClientRequest: z
      .boolean()
      .default(false)
      .describe(
        'Let only servers create tokens: requests with a bearer token that no browser sends (`bearer` must be enabled); browsers get 400',
      ),
    generateToken: callback<(owner: TokenOwner) => string | Promise<string>>()
      .optional()
      .describe(
        `Makes the token: ${shortestToken} to ${longestToken} characters that cannot be guessed; default: 32 random characters`,
      ),
  }),
}

export const enabled = ({ oneTimeToken }: Config): boolean => oneTimeToken.enabled

export const errors = defineErrors({
  CLIENT_REQUESTS_ARE_DISABLED: [400, 'Client requests are disabled'],
  TOKEN_EXPIRED: [400, 'Token expired'],
})

/** The same code as for links, whose message the contract writes in lower case. */
const invalidToken: ErrorEntry = { ...verificationErrors.INVALID_TOKEN, message: 'Invalid token' }

export const auditActions = {
  'session.transferred': ofAccount('A one-time token gave the session of a user to another client'),
}

const purpose = 'one-time-token'

/** @throws Error when the function of the configuration returns what cannot be a token */
async function makeToken(app: App, { user, session }: SessionAndUser): Promise<string> {
  const { generateToken } = app.config.oneTimeToken
  if (!generateToken) return app.random.token(32, tokenAlphabet)
  const made: unknown = await generateToken({ user: describeUser(app, user), sessionId: session.id })
  if (typeof made !== 'string' || made.length < shortestToken || made.length > longestToken)
    throw new Error(`oneTimeToken.generateToken must return a text of ${shortestToken} to ${longestToken} characters`)
  return made
}

/** The row has a hash of the token, and the session token encrypted for it: neither can be read from the row. */
async function createToken(app: App, current: SessionAndUser, sessionToken: string): Promise<string> {
  const token = await makeToken(app, current)
  const value = app.keyring.encryptFor(purpose, token, sessionToken)
  await createVerification(app, {
    purpose,
    token,
    value,
    subject: current.user.id,
    expiresIn: app.config.oneTimeToken.expiresIn * 60,
  })
  return token
}

/**
 * Uses a token. Of concurrent calls, one gets the session.
 * @throws ApiError INVALID_TOKEN, TOKEN_EXPIRED, SESSION_NOT_FOUND
 */
async function useToken(ctx: CallContext, token: string): Promise<SessionAndUser> {
  const outcome = await transaction(ctx, async (tx) => {
    const taken = await takeVerification(tx, purpose, token)
    if (!taken) return invalidToken
    if (taken.isExpired) return errors.TOKEN_EXPIRED
    const found = await findLiveSession(tx, tx.keyring.decryptFor(purpose, token, taken.value))
    if (!found || found.session.impersonatedBy) return sessionErrors.SESSION_NOT_FOUND
    const { id, userId } = found.session
    await recordEvent(tx, { action: 'session.transferred', target: { type: 'session', id }, userId })
    return found
  })
  if ('session' in outcome) return outcome
  ctx.subject.hasFailed = true
  throw new ApiError(outcome)
}

/** A thief may have created one in time. */
export const on: Listeners = {
  'password.changing': async (tx, { userId, isRecovery }) => {
    if (isRecovery) await deleteVerifications(tx, [purpose], userId)
  },
}

export const routes = {
  'GET /one-time-token/generate': route({
    summary: 'Create a one-time token',
    description:
      'Creates a token with which another browser or app gets the current session, once and within `oneTimeToken.expiresIn` minutes. Not allowed during an impersonation.',
    access: session(),
    whileReadOnly: 'rejected',
    sensitive: true,
    returns: z.object({ token: z.string() }),
    errors: [errors.CLIENT_REQUESTS_ARE_DISABLED, verificationErrors.FAILED_TO_CREATE_VERIFICATION],
    handler: async (ctx) => {
      const credential = ctx.credential()
      const isServer = credential?.kind === 'bearer' && !isPossiblyBrowser(ctx.request)
      if (ctx.config.oneTimeToken.disableClientRequest && !isServer) throw new ApiError(errors.CLIENT_REQUESTS_ARE_DISABLED)
      if (!credential?.sessionToken) throw new ApiError(kernelErrors.UNAUTHORIZED)
      return { token: await createToken(ctx, ctx, credential.sessionToken) }
    },
  }),
  'POST /one-time-token/verify': route({
    summary: 'Use a one-time token',
    description:
      'Returns the session of a one-time token with its user, and sets the session cookie. Fails when the token is unknown, expired or already used, or the session has ended.',
    access: anyone(),
    signsIn: ['existing-session'],
    body: z.object({ token: z.string().max(longestToken) }),
    returns: (_config: Config, tables: Tables) => z.object({ session: fullSession(tables), user: fullUser(tables) }),
    errors: [invalidToken, errors.TOKEN_EXPIRED, sessionErrors.SESSION_NOT_FOUND],
    handler: async (ctx) => {
      const { session, user } = await useToken(ctx, ctx.body.token)
      await adoptSession(ctx, { session, user }, 'one-time-token')
      return { session: { ...session, token: shownToken(ctx, session) }, user }
    },
  }),
}

/** Usernames: users choose one, and sign in with it instead of their email address. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { type ConfigIssue, callback, section } from '../../core/config.ts'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { settings, type UserFields } from '../../core/feature.ts'
import { anyone, requireFresh, requireOwnSession, sensitiveCalls } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { statement } from '../../core/statement.ts'
import { index, nullable, string, unique } from '../../core/table.ts'
import { isWellFormed } from '../../lib/text.ts'
import { authenticateByPassword, errors as passwordErrors, requireVerifiedEmail } from '../email-password/index.ts'
import type { Config } from '../index.ts'
import { errors as sessionErrors, shownToken, signIn } from '../sessions/index.ts'
import { userView } from '../users/index.ts'
import { errors as verificationErrors } from '../verifications/index.ts'
import { columnLength, errors, readUsername, ruleErrors } from './rules.ts'

export { errors } from './rules.ts'

export const area = 'Sign-up and sign-in'

export const plugin = 'username'

export const config = {
  username: section('Usernames, with which users can sign in instead of their email address', {
    minUsernameLength: z.int().min(1).max(64).default(3).describe('Minimum length of a username'),
    maxUsernameLength: z.int().min(1).max(64).default(30).describe('Maximum length of a username'),
    usernameValidator: callback<(username: string) => boolean | Promise<boolean>>()
      .optional()
      .describe('Function that returns whether a username is valid; default: ASCII letters, digits, underscores and dots'),
  }),
}

export const enabled = (config: Config) => config.username.enabled

export function checkConfig({ username, emailAndPassword }: Config): ConfigIssue[] {
  const issues: ConfigIssue[] = []
  if (username.minUsernameLength > username.maxUsernameLength) {
    const message = 'The minimum length exceeds the maximum.'
    issues.push({ id: 'username-bounds', path: 'username.minUsernameLength', message })
  }
  if (!emailAndPassword.enabled) {
    const message = 'Users could not sign in with their username, because password sign-in is disabled.'
    issues.push({ id: 'username-without-passwords', path: 'username', message, hint: 'Set emailAndPassword.enabled.' })
  }
  return issues
}

/** `username`: in lower case, for comparison. `displayUsername`: as typed. */
export const tables = {
  user: {
    username: nullable(unique(string({ length: columnLength }))),
    displayUsername: nullable(string({ length: columnLength })),
  },
}

export const indexes = { user: [index('displayUsername', 'id')] }

/** Whether a sign-up stored its username would reveal whether its email address was known. */
const hasAtSignUp = ({ emailAndPassword }: Config): boolean => !emailAndPassword.antiEnumeration

export const publicSettings = settings(
  { username: z.object({ minLength: z.int(), maxLength: z.int(), atSignUp: z.boolean() }).nullable() },
  (config) => {
    const { enabled, minUsernameLength: minLength, maxUsernameLength: maxLength } = config.username
    return { username: enabled ? { minLength, maxLength, atSignUp: hasAtSignUp(config) } : null }
  },
)

const fields = {
  username: z.string().nullable().optional(),
  displayUsername: z
    .string()
    .max(columnLength)
    .refine((text) => isWellFormed(text) && !/\p{Cc}/u.test(text))
    .nullable()
    .optional(),
}
const given = z.object(fields)

export const userFields: UserFields = {
  shape: (config, source) => (source === 'sign-up' && !hasAtSignUp(config) ? {} : fields),
  read: async (app, body, source) => {
    if (source === 'sign-up' && !hasAtSignUp(app.config)) return {}
    const { username, displayUsername } = given.parse(body)
    if (username === undefined) return displayUsername === undefined ? {} : { displayUsername }
    if (username === null) return { username, displayUsername: null }
    return { username: await readUsername(app, username), displayUsername: displayUsername || username }
  },
}

const findByUsername = statement({ user: 'user' }, (db, { username }: { username: string }) =>
  db.selectFrom('user').where('user.username', '=', username),
)

/** @param username as stored */
async function findUserByUsername(app: App, username: string): Promise<UserRow | null> {
  const [found] = await findByUsername(app, { username })
  return found?.user ?? null
}

/** @throws ApiError USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER when another user than `ownId` has it */
async function requireFree(app: App, username: string, ownId: string | undefined): Promise<void> {
  const owner = await findUserByUsername(app, username)
  if (owner && owner.id !== ownId) throw new ApiError(errors.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER)
}

const typedUsername = (body: unknown): string | null => {
  const typed: unknown = Reflect.get(Object(body), 'username')
  return typeof typed === 'string' ? typed : null
}

/** The checks come before those of the call (contract 00 §2). */
export const before = {
  'POST /sign-up/email': async (ctx: CallContext, { body }: { readonly body: unknown }) => {
    const typed = typedUsername(body)
    if (typed !== null && hasAtSignUp(ctx.config)) await requireFree(ctx, await readUsername(ctx, typed), undefined)
  },
  'POST /update-user': async (ctx: CallContext, { body }: { readonly body: unknown }) => {
    if (Reflect.get(Object(body), 'username') === undefined) return
    const typed = typedUsername(body)
    const username = typed === null ? null : await readUsername(ctx, typed)
    const current = await ctx.identify()
    // Without a session the call is rejected anyway.
    if (!current) return
    requireOwnSession(current)
    if (username !== current.user.username) await requireFresh(ctx, sensitiveCalls, username === null ? 'recent' : undefined)
    if (username !== null) await requireFree(ctx, username, current.user.id)
  },
}

export const on: Listeners = {
  'user.conflicting': async (app, { userId, columns: { username } }) => {
    if (username) await requireFree(app, username, userId)
  },
}

const taken = [...ruleErrors, errors.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER]

export const rejections = {
  'POST /sign-up/email': taken,
  'POST /passkey/sign-up': taken,
  'POST /passkey/verify-registration': taken,
  'POST /update-user': [...taken, kernelErrors.SESSION_IS_NOT_FRESH],
  'POST /admin/create-user': taken,
  'POST /admin/update-user': taken,
}

/** Of the same code as at the other sign-ins; clients of this call compare its text (contract 06 §10). */
const notVerified: ErrorEntry = { ...passwordErrors.EMAIL_NOT_VERIFIED, message: 'email not verified' }
const noSession: ErrorEntry = { ...sessionErrors.FAILED_TO_CREATE_SESSION, status: 500 }

export const routes = {
  'POST /sign-in/username': route({
    summary: 'Sign in with a username',
    description:
      'Creates a session and sets the session cookie. Returns the session token and the user. Fails with the same error for an unknown username and for a wrong password, with an error about the form of the username, and with 429 after too many failures: they count together with those of the user’s email address. With `PASSWORD_MUST_BE_REPLACED`, a reset link was sent.',
    access: anyone(),
    signsIn: ['first-factor'],
    body: z.object({ username: z.string(), password: z.string(), rememberMe: z.boolean().optional() }),
    returns: z.object({ token: z.string(), user: userView.extend({ username: z.string().nullable() }) }),
    errors: [
      errors.INVALID_USERNAME_OR_PASSWORD,
      ...ruleErrors,
      notVerified,
      passwordErrors.PASSWORD_MUST_BE_REPLACED,
      noSession,
      verificationErrors.FAILED_TO_CREATE_VERIFICATION,
    ],
    handler: async (ctx) => {
      const { username, password, rememberMe: remember = true } = ctx.body
      if (!username || !password) throw new ApiError(errors.INVALID_USERNAME_OR_PASSWORD)
      const name = await readUsername(ctx, username)
      // No email address has a space, so that an unknown username takes the same work and counts its failures too.
      const email = (await findUserByUsername(ctx, name))?.email ?? `username ${name}`
      const { user, proof, recheck } = await authenticateByPassword(ctx, email, password, errors.INVALID_USERNAME_OR_PASSWORD)
      await requireVerifiedEmail(ctx, user, { rejection: notVerified })
      const session = await signIn(ctx, user, { ...proof, remember }, { rejectionStatus: 500, recheck })
      return { token: shownToken(ctx, session), user }
    },
  }),
  'POST /is-username-available': route({
    summary: 'Check whether a username is available',
    description:
      'Returns whether no user has this username. Another user may take it before it is used. Fails when the username is too short, too long or invalid.',
    access: anyone(),
    whileReadOnly: 'served',
    body: z.object({ username: z.string() }).meta({ examples: [{ username: 'ann_smith' }] }),
    returns: z.object({ available: z.boolean() }),
    errors: ruleErrors,
    rateLimit: { window: 60, max: 30 },
    handler: async (ctx) => ({ available: (await findUserByUsername(ctx, await readUsername(ctx, ctx.body.username))) === null }),
  }),
}

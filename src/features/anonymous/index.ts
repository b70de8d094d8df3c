/** Anonymous users: a session without a sign-up, whose data is handed over when the user signs in (contract 06 §11). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { callback, section } from '../../core/config.ts'
import { ApiError, defineErrors, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { anyone, session } from '../../core/permissions.ts'
import type { CallContext, SessionAndUser } from '../../core/request.ts'
import { apiURL, route } from '../../core/route.ts'
import type { SignInMethod } from '../../core/sign-in.ts'
import { boolean, index, nullable } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import type { Config } from '../index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { clearSessionCookies, prepareNewUser, errors as sessionErrors, shownToken, signIn } from '../sessions/index.ts'
import { deleteUser, insertUser, userCreation, errors as userErrors, userView } from '../users/index.ts'
import { addressOf, isStillAnonymous, type LinkedAccounts, linkAnonymousUser } from './linking.ts'

export type { LinkedAccounts } from './linking.ts'

export const area = 'Sign-up and sign-in'

export const plugin = 'anonymous'

export const tables = { user: { isAnonymous: nullable(boolean()) } }
export const indexes = { user: [index('isAnonymous', 'id')] }

export const config = {
  anonymous: section('Users without an account, until they sign in', {
    emailDomainName: z
      .string()
      .regex(/^[a-z0-9.-]{1,200}$/i)
      .optional()
      .describe('Domain of their email addresses, which get no mail; default: the host of `baseURL`'),
    generateName: callback<() => string | Promise<string>>()
      .optional()
      .describe('Returns the name of a new user; default: `Anonymous`'),
    onLinkAccount: callback<(accounts: LinkedAccounts) => unknown>()
      .optional()
      .describe(
        'Called when an anonymous user signs in as another user, to hand their data over; if it throws, the anonymous user is kept',
      ),
    disableDeleteAnonymousUser: z
      .boolean()
      .default(false)
      .describe('Keep the anonymous user after `onLinkAccount`; `false`: delete the user'),
  }),
}

export const enabled = ({ anonymous }: Config): boolean => anonymous.enabled

export const signInMethod: SignInMethod = { name: 'anonymous' }

export const errors = defineErrors({
  COULD_NOT_CREATE_SESSION: [400, 'Could not create session'],
  ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY: [400, 'Anonymous users cannot sign in again anonymously'],
  USER_IS_NOT_ANONYMOUS: [403, 'User is not anonymous'],
  DELETE_ANONYMOUS_USER_DISABLED: [400, 'Deleting anonymous users is disabled'],
})

const creationFailed: ErrorEntry = { ...userErrors.FAILED_TO_CREATE_USER, status: 500 }

export const auditActions = { 'anonymous-user.linked': 'An anonymous user signed in as another user' }

export const on: Listeners = {
  'client.signed-in': async (_, { ctx, current, former }) => {
    if (former && !former.session.impersonatedBy && !current.user.isAnonymous) await linkAnonymousUser(ctx, former, current)
  },
}

const longestName = 1000

/** @throws Error when the function of the configuration returns no text */
async function makeName({ config }: App): Promise<string> {
  const name: unknown = (await config.anonymous.generateName?.()) ?? 'Anonymous'
  if (typeof name !== 'string' || name.length > longestName) throw new Error('anonymous.generateName must return a text')
  return name
}

const domainOf = ({ config }: App): string => config.anonymous.emailDomainName ?? new URL(apiURL(config)).hostname

/** User and session in one transaction, so that no failed sign-in leaves a user behind; with a challenge, the user remains. */
async function createAnonymousUser(ctx: CallContext): Promise<SessionAndUser> {
  const user = userCreation(ctx, {
    name: await makeName(ctx),
    email: addressOf(ctx.random.id(), domainOf(ctx)),
    fields: { isAnonymous: true },
  })
  const proof = { kind: 'new-user', method: signInMethod.name, amr: [] } as const
  const options = { rejectionStatus: 400 } as const
  const insert = (tx: App, draft: typeof user.draft) => insertUser(tx, draft, { method: signInMethod.name })
  const entry = await prepareNewUser(ctx, user.draft.id, proof, options)
  if (!entry) {
    const alone = await write(ctx, [user], insert)
    return { session: await signIn(ctx, alone, proof, options), user: alone }
  }
  const created = await write(ctx, [user, entry.session.creation], async (tx, userDraft, draft) =>
    entry.session.insert(tx, draft, await insert(tx, userDraft)),
  )
  return { session: await entry.finish(created), user: created.user }
}

/** A rejection with the code of the contract. */
function asDeclared(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { code } = error.entry
  if (code === userErrors.FAILED_TO_CREATE_USER.code || code === userErrors.USER_ALREADY_EXISTS.code)
    return new ApiError(creationFailed, { cause: error })
  return code === sessionErrors.FAILED_TO_CREATE_SESSION.code
    ? new ApiError(errors.COULD_NOT_CREATE_SESSION, { cause: error })
    : error
}

export const routes = {
  'POST /sign-in/anonymous': route({
    summary: 'Sign in without an account',
    description:
      'Creates an anonymous user and a session, and sets the session cookie. When the user signs in or up later in the same browser, `anonymous.onLinkAccount` is called and the anonymous user is deleted. Fails for an anonymous user.',
    access: anyone(),
    signsIn: ['new-user'],
    createsUsers: true,
    isSignUp: true,
    returns: z.object({ token: z.string(), user: userView.omit({ image: true }) }),
    errors: [errors.ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY, errors.COULD_NOT_CREATE_SESSION, creationFailed],
    handler: async (ctx) => {
      const current = await ctx.identify({ refresh: false })
      if (current?.user.isAnonymous) throw new ApiError(errors.ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY)
      const { session, user } = await createAnonymousUser(ctx).catch((error: unknown) => {
        throw asDeclared(error)
      })
      return { token: shownToken(ctx, session), user }
    },
  }),
  'POST /delete-anonymous-user': route({
    summary: 'Delete the anonymous user',
    description:
      'Deletes the current user with all their data, and clears the session cookie. Fails for a user who has a sign-in method of their own, and with `anonymous.disableDeleteAnonymousUser`. Needs no `user.deleteUser`.',
    access: session(),
    stepUp: 'established',
    sensitive: true,
    returns: z.object({ success: z.literal(true) }),
    errors: [
      errors.DELETE_ANONYMOUS_USER_DISABLED,
      errors.USER_IS_NOT_ANONYMOUS,
      organizationErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    handler: async (ctx) => {
      if (ctx.config.anonymous.disableDeleteAnonymousUser) throw new ApiError(errors.DELETE_ANONYMOUS_USER_DISABLED)
      if (!(await isStillAnonymous(ctx, ctx.user))) throw new ApiError(errors.USER_IS_NOT_ANONYMOUS)
      await transaction(ctx, async (tx) => {
        // Another call may have deleted it.
        if (!(await deleteUser(tx, ctx.user.id))) throw new ApiError(kernelErrors.UNAUTHORIZED)
      })
      clearSessionCookies(ctx)
      return { success: true as const }
    },
  }),
}

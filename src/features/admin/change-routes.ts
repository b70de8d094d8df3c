/** Calls that create, change and remove users (contract 05 §2). */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import type { Feature } from '../../core/feature.ts'
import { comparableTime } from '../../core/pages.ts'
import { allows, freshPermission, grantsOf } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { longText } from '../../core/schemas.ts'
import { requireSignUp } from '../../core/sign-up.ts'
import type { Tables } from '../../core/table.ts'
import { write } from '../../core/write.ts'
import { isReachableEmail } from '../../lib/placeholder-email.ts'
import { errors as accountErrors } from '../accounts/index.ts'
import { checkPasswordLength, newUserWithPassword, errors as passwordErrors } from '../email-password/index.ts'
import type { Config } from '../index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { checkNewPassword, errors as ruleErrors } from '../password-rules/index.ts'
import { roleInput } from '../roles/index.ts'
import { findUserByEmail, fullUser, insertUser, typedEmail, userCreation, errors as userErrors } from '../users/index.ts'
import { banUser, unbanUser } from './bans.ts'
import { checkGivenRole, removeUser, setRoleOf } from './changes.ts'
import { creationFailed, errors, userExists, userId } from './model.ts'
import { columnsOf, type UserData, updateUserOf, userData } from './user-update.ts'

const oneUser = z.object({ userId })
const userReturned = (_config: Config, tables: Tables) => z.object({ user: fullUser(tables) })

const roleErrors = [
  organizationErrors.ROLE_NOT_FOUND,
  errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE,
  errors.YOU_CANNOT_DEMOTE_YOURSELF,
]
const changeErrors = [errors.USER_NOT_FOUND, userErrors.FAILED_TO_UPDATE_USER]

/** @throws ApiError ROLE_NOT_FOUND; YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE, also for a role that permits more than the administrator's */
async function checkRoleOfNew(ctx: CallContext, administrator: UserRow, role: string | undefined): Promise<void> {
  if (role === undefined || role === ctx.config.admin.defaultRole) return
  if (!allows(await grantsOf(ctx, administrator), { user: ['set-role'] }))
    throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE)
  await checkGivenRole(ctx, administrator, role)
}

const creationTime = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .pipe(comparableTime)

const newUser = (config: Config, tables: Tables, features: readonly Feature[]) =>
  z.object({
    email: typedEmail,
    password: z.string().optional().describe('Without a password, the user needs a reset link to set one'),
    name: longText,
    role: roleInput.optional(),
    overrideSignUpPolicy: z
      .boolean()
      .optional()
      .describe('Create the user although the sign-up policy rejects the email address; recorded in the audit log'),
    data: userData(config, tables, features).extend({ createdAt: creationTime.optional() }).optional(),
  })
type NewUserInput = z.output<ReturnType<typeof newUser>>

/** @throws ApiError SIGN_UP_NOT_ALLOWED, those of the password, FAILED_TO_CREATE_USER, FAILED_TO_CREATE_ACCOUNT, User already exists */
async function createUser(ctx: CallContext, input: NewUserInput): Promise<UserRow> {
  const { createdAt, ...more } = input.data ?? {}
  const data: UserData = { email: input.email, name: input.name, ...more }
  const role = data.role ?? input.role
  const { name = '', email = '', emailVerified, image, ...fields } = await columnsOf(ctx, data)
  const { password } = input
  if (password !== undefined) {
    checkPasswordLength(ctx, password)
    await checkNewPassword(ctx, password, { email, name })
  }
  const way = { source: 'administrator', overrides: input.overrideSignUpPolicy === true } as const
  await requireSignUp(ctx, { ...way, email: email.toLowerCase() })
  if (await findUserByEmail(ctx, email)) throw new ApiError(userExists)
  const given = {
    name,
    email,
    emailVerified: emailVerified ?? false,
    image: image ?? null,
    createdAt,
    fields: { ...fields, ...(role !== undefined && { role }) },
  }
  if (password === undefined) return write(ctx, [userCreation(ctx, given)], (tx, draft) => insertUser(tx, draft, way))
  const { creations, insert } = newUserWithPassword(ctx, given, await ctx.hasher.hash(password), way)
  return write(ctx, creations, insert)
}

/** Concurrent calls with one email address: the unique key decides. */
function asCreationError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.entry.code === userExists.code) return new ApiError(userExists, { cause: error })
  return error.entry.code === creationFailed.code ? new ApiError(creationFailed, { cause: error }) : error
}

export const changeRoutes = {
  'POST /admin/set-role': route({
    summary: 'Set the roles of a user',
    description:
      'Sets one or more roles, effective immediately. Fails when there is no such role, when a role permits more than the roles of the current user, or when they would lose their own permission to set roles.',
    access: freshPermission({ user: ['set-role'] }, errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE),
    stepUp: 'recent',
    body: z
      .object({ userId, role: roleInput })
      .meta({ examples: [{ userId: '5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS', role: 'admin' }] }),
    returns: userReturned,
    errors: [...changeErrors, ...roleErrors],
    handler: async (ctx) => ({ user: await setRoleOf(ctx, ctx.user, ctx.body.userId, ctx.body.role) }),
  }),
  'POST /admin/create-user': route({
    summary: 'Create a user',
    description:
      'Creates a user, with a password if one is given. `data` sets additional fields, `emailVerified`, `image` and `createdAt`; any other member is an error that names it. A role other than the default one needs the permission to set roles. Fails when the sign-up policy rejects the email address (`details` has the reason) and `overrideSignUpPolicy` is not true, when the email address is already used or the password does not meet the password rules.',
    access: freshPermission({ user: ['create'] }, errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS),
    stepUp: 'recent',
    createsUsers: true,
    body: newUser,
    returns: userReturned,
    errors: [
      userErrors.INVALID_EMAIL,
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      ...Object.values(ruleErrors),
      errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE,
      organizationErrors.ROLE_NOT_FOUND,
      userExists,
      creationFailed,
      accountErrors.FAILED_TO_CREATE_ACCOUNT,
    ],
    handler: async (ctx) => {
      const email = ctx.body.data?.email ?? ctx.body.email
      if (![ctx.body.email, email].every(isReachableEmail)) throw new ApiError(userErrors.INVALID_EMAIL)
      await checkRoleOfNew(ctx, ctx.user, ctx.body.data?.role ?? ctx.body.role)
      const user = await createUser(ctx, ctx.body).catch((error: unknown) => {
        throw asCreationError(error)
      })
      return { user }
    },
  }),
  'POST /admin/update-user': route({
    summary: 'Update a user',
    description:
      'Updates the name, email address, image, role, additional fields, and username or phone number of a user, also fields that users cannot set themselves. A new email address is unverified unless `emailVerified` is given. Fails for any other column, and when the email address is already used.',
    access: freshPermission({ user: ['update'] }, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS),
    stepUp: 'recent',
    body: (config: Config, tables: Tables, features: readonly Feature[]) =>
      z.object({ userId, data: userData(config, tables, features) }),
    returns: (_config: Config, tables: Tables) => fullUser(tables),
    errors: [...changeErrors, ...roleErrors, errors.NO_DATA_TO_UPDATE, userErrors.INVALID_EMAIL, userExists],
    handler: (ctx) => updateUserOf(ctx, ctx.user, ctx.body.userId, ctx.body.data),
  }),
  'POST /admin/ban-user': route({
    summary: 'Ban a user',
    description:
      'Bans a user until the ban expires or is lifted, revokes all their sessions and notifies them at a verified email address. Returns the user and the number of revoked sessions. Fails for the own account.',
    access: freshPermission({ user: ['ban'] }, errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS),
    stepUp: 'recent',
    body: z.object({
      userId,
      banReason: z.string().max(1000).optional(),
      banExpiresIn: z.number().nonnegative().max(3_155_760_000).optional().describe('Seconds; absent or 0: as configured'),
    }),
    returns: (config: Config, tables: Tables) => userReturned(config, tables).extend({ sessionsRevoked: z.int() }),
    errors: [...changeErrors, errors.YOU_CANNOT_BAN_YOURSELF],
    handler: (ctx) => {
      const { userId, banReason: reason, banExpiresIn: expiresIn } = ctx.body
      return banUser(ctx, ctx.user, { userId, reason, expiresIn })
    },
  }),
  'POST /admin/unban-user': route({
    summary: 'Lift the ban of a user',
    description: 'Lets a banned user sign in again.',
    access: freshPermission({ user: ['ban'] }, errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS),
    body: oneUser,
    returns: userReturned,
    errors: changeErrors,
    handler: async (ctx) => ({ user: await unbanUser(ctx, ctx.user, ctx.body.userId) }),
  }),
  'POST /admin/remove-user': route({
    summary: 'Remove a user',
    description:
      'Deletes a user with all their data. Succeeds for an unknown user. Fails for the own account, and when the user is the only owner of an organization with other members.',
    access: freshPermission({ user: ['delete'] }, errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS),
    stepUp: 'recent',
    body: oneUser,
    returns: z.object({ success: z.literal(true) }),
    errors: [errors.YOU_CANNOT_REMOVE_YOURSELF, organizationErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER],
    handler: async (ctx) => {
      await removeUser(ctx, ctx.user, ctx.body.userId)
      return { success: true as const }
    },
  }),
}

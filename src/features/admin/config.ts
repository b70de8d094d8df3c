/** The options of administration, in the names of the wire contract (05 §1). */
import { z } from 'zod'
import { type ConfigIssue, section } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import type { EnabledFeature } from '../../core/feature.ts'
import { mergePermissions, unknownAction } from '../../core/table.ts'
import type { Config } from '../index.ts'
import { actionsByResource, declaredRoles, roleName } from '../roles/index.ts'

export const config = {
  ...cookieOptions('admin_session'),
  admin: section('Administration of users: roles, bans and impersonation', {
    defaultRole: roleName.default('user').describe('Role of a new user'),
    adminRoles: z
      .union([roleName.transform((role) => [role]), z.array(roleName)])
      .default(['admin'])
      .describe('Roles of administrators: only with `allowImpersonatingAdmins` can they be impersonated'),
    adminUserIds: z.array(z.string().min(1).max(36)).default([]).describe('IDs of users who have every permission'),
    ac: actionsByResource
      .optional()
      .describe(
        'Resources and actions of your application that roles may permit, such as { report: ["read"] }, in addition to the built-in ones',
      ),
    roles: z
      .record(roleName, actionsByResource)
      .optional()
      .describe('Roles in place of `admin`, which permits everything, and `user`, which permits nothing: actions by resource'),
    defaultBanReason: z.string().min(1).max(1000).default('No reason').describe('Reason of a ban without one'),
    defaultBanExpiresIn: z.int().positive().optional().describe('Length of a ban in seconds; default: until it is lifted'),
    bannedUserMessage: z
      .string()
      .min(1)
      .max(500)
      .default('You have been banned from this application. Please contact support if you believe this is an error.')
      .describe('What a banned user reads at sign-in'),
    impersonationSessionDuration: z
      .int()
      .min(60)
      .max(3600)
      .default(3600)
      .describe('Lifetime of an impersonation in seconds, one hour at most'),
    allowImpersonatingAdmins: z
      .boolean()
      .default(false)
      .describe('Allow impersonating users with one of `adminRoles` or `adminUserIds`, as better-auth 1.2 does'),
    requireImpersonationReason: z
      .boolean()
      .default(false)
      .describe('Reject an impersonation without a reason; the published clients send none, the hosted pages always do'),
    notifyOfImpersonation: z
      .boolean()
      .default(false)
      .describe(
        'Send users with a verified email address a notice when an administrator starts to act as them; it names neither the administrator nor the reason',
      ),
    requireFreshSession: z
      .boolean()
      .default(true)
      .describe(
        'Require that the administrator authenticated within `session.freshAge` for calls that create or change users, roles, bans, passwords and keys, remove or export data, or revoke sessions (ASVS 7.5.1)',
      ),
    impersonationRequiresFreshSession: z
      .boolean()
      .default(true)
      .describe('Require that the administrator authenticated within `session.freshAge` to impersonate a user'),
    allowSettingPasswords: z
      .boolean()
      .default(true)
      .describe('Allow administrators to set passwords; `false`: they can only send reset links (ASVS 6.4.6)'),
    forcePasswordChange: z
      .boolean()
      .default(false)
      .describe('A user must replace a password that an administrator set at the next sign-in'),
    bulkActionLimit: z.int().min(1).max(50_000).default(10_000).describe('Users that one bulk action changes at most'),
    listTimeout: z.int().min(100).max(60_000).default(2000).describe('Milliseconds after which a list or search is canceled'),
  }),
}

export const enabled = ({ admin }: Config): boolean => admin.enabled

export function checkConfig({ admin, seed }: Config, features: readonly EnabledFeature[]): ConfigIssue[] {
  const known = mergePermissions(features)
  const hint = 'Declare it in admin.ac.'
  const unknown = Object.entries(admin.roles ?? {}).flatMap(([role, permissions]) =>
    Object.entries(permissions).flatMap(([resource, actions]) =>
      actions
        .filter((action) => !known[resource]?.includes(action))
        .map((action) => ({
          id: 'admin-role-action',
          path: `admin.roles.${role}.${resource}`,
          message: unknownAction(known, resource, action),
          hint,
        })),
    ),
  )
  const doubled = Object.keys(admin.roles ?? {})
    .filter((role) => Object.hasOwn(seed.roles, role))
    .map((role) => ({
      id: 'admin-role-seeded',
      path: `admin.roles.${role}`,
      message: `The role "${role}" is also declared in seed.roles.`,
      hint: 'Declare it in one of them.',
    }))
  return [...unknown, ...doubled, ...checkDefaultRole({ admin, seed }, features)]
}

/** Everyone who signs up gets the default role, also one that `latchkey seed` writes in place of a built-in one. */
function checkDefaultRole({ admin, seed }: Pick<Config, 'admin' | 'seed'>, features: readonly EnabledFeature[]): ConfigIssue[] {
  const { defaultRole: role, adminRoles } = admin
  const path = 'admin.defaultRole'
  const hint = 'Give another role to your administrators, with `latchkey users set-role` or seed.admins.'
  if (adminRoles.includes(role)) {
    const message = `Every new user would be an administrator: adminRoles contains "${role}".`
    return [{ id: 'default-role-administrator', path, message, hint }]
  }
  // Custom roles may leave out `user`: when it is declared later, it is checked here.
  if (role !== 'user' && !declaredRoles({ admin, seed }).includes(role)) {
    const message = `There is no role "${role}".`
    return [{ id: 'default-role-unknown', path, message, hint: 'Declare it in admin.roles or seed.roles.' }]
  }
  // Also those that `ac` repeats, as the examples of better-auth do.
  const administrative = mergePermissions(features.map(({ builtInPermissions: permissions = {} }) => ({ permissions })))
  const builtIn = { admin: administrative, user: {} }
  const roles: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>[] = [admin.roles ?? builtIn, seed.roles]
  const permitted = roles.flatMap((declared) => (Object.hasOwn(declared, role) ? Object.entries(declared[role] ?? {}) : []))
  const [found] = permitted.flatMap(([resource, actions]) =>
    actions.filter((action) => administrative[resource]?.includes(action)).map((action) => `${resource}:${action}`),
  )
  if (found === undefined) return []
  const message = `Every new user could administer others: the role "${role}" permits ${found}.`
  return [{ id: 'default-role-administrator', path, message, hint }]
}

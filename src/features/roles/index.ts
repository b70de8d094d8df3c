/** Roles as rows: their permissions are declared in the configuration and written by `latchkey seed`. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { type ConfigIssue, group } from '../../core/config.ts'
import { emit } from '../../core/events.ts'
import { type Feature, ofAccount } from '../../core/feature.ts'
import { grantsOf, session } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import type { SeedOptions, SeedResult } from '../../core/seed.ts'
import { countRows, statement } from '../../core/statement.ts'
import {
  hidden,
  id,
  json,
  mergePermissions,
  nullable,
  string,
  type Tables,
  timestamp,
  unique,
  unknownAction,
} from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { isObject } from '../../lib/objects.ts'
import { counted } from '../../lib/text.ts'
import { type AuditEvent, recordEvent, recordEvents } from '../audit/index.ts'
import type { Config } from '../index.ts'

export const area = 'User profile'

type Permissions = Readonly<Record<string, readonly string[]>>

export const tables = {
  role: {
    id: id(),
    name: unique(string({ length: 64 })),
    permissions: json<Record<string, string[]>>(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  /** A comma-separated list of role names. Only this feature updates it. */
  user: { role: nullable(string({ length: 255 })) },
}

/** Only applications of the admin plugin know the role of a user (contract 05 §1). */
export const configuredTables = ({ admin }: Config): Tables => (admin.enabled ? {} : { user: { role: hidden(tables.user.role) } })

export const auditActions = {
  'role.created': 'A role was created by `latchkey seed`',
  'role.updated': 'The permissions of a role were changed by `latchkey seed`',
  'role.deleted': 'A role was deleted by `latchkey seed`',
  'user.role-changed': ofAccount('The role of a user was changed'),
}

export const roleName = z.string().regex(/^[\w-]{1,64}$/, 'Expected letters, digits, _ and -, 64 at most')

/** One role, a comma-separated list, or several: read as a list joined by commas, without spaces around names, each role once. */
export const roleInput = z
  .union([z.string(), z.array(z.string()).max(64)])
  .transform((role) =>
    [
      ...new Set(
        [role]
          .flat()
          .join(',')
          .split(',')
          .map((name) => name.trim()),
      ),
    ]
      .filter((name) => name !== '')
      .join(','),
  )
  .refine((role) => role.length > 0 && role.length <= 255)

/** What a role permits, as the configuration declares it; also the rows of better-auth's `createAccessControl`, whose actions are in `statements`. */
export const actionsByResource = z.preprocess(
  (value) => (isObject(value) && 'statements' in value ? value.statements : value),
  z.record(z.string(), z.array(z.string())),
)

export const config = {
  seed: group('Roles, administrators and organizations that `latchkey seed` creates', {
    roles: z
      .record(roleName, z.record(z.string(), z.array(z.string())))
      .default({})
      .describe('Permissions of each role: actions by resource, such as { support: { user: ["list"] } }'),
  }),
}

export function checkConfig({ seed }: Config, enabled: readonly Feature[]): ConfigIssue[] {
  const allowed = mergePermissions(enabled)
  const hint = `Allowed: ${Object.entries(allowed)
    .flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`))
    .join(', ')}.`
  return Object.entries(seed.roles).flatMap(([name, permissions]) =>
    Object.entries(permissions).flatMap(([resource, actions]) => {
      const path = `seed.roles.${name}.${resource}`
      const isUnknown = (action: string) => !allowed[resource]?.includes(action)
      const unknown = actions.filter(isUnknown).map((action) => unknownAction(allowed, resource, action))
      const repeated = actions.filter((action, position) => actions.indexOf(action) !== position)
      return [
        ...unknown.map((message) => ({ id: 'seed-role-permission', path, message, hint })),
        ...repeated.map((action) => ({ id: 'seed-role-action', path, message: `The action "${action}" is listed twice.` })),
      ]
    }),
  )
}

const findByName = statement({ role: 'role' }, (db, { names }: { names: readonly string[] }) =>
  db.selectFrom('role').where('role.name', 'in', names),
)

/** Of these names, the stored roles: one without a row permits nothing. */
export async function findStoredRoles(app: App, names: readonly string[]) {
  return names.length === 0 ? [] : (await findByName(app, { names })).map(({ role }) => role)
}

/** What the stored rows of the user's roles permit. With administration that feature reads them, together with configured roles. */
export async function grants(app: App, { role }: Pick<UserRow, 'role'>): Promise<readonly Permissions[]> {
  if (!role || app.config.admin.enabled) return []
  return (await findStoredRoles(app, role.split(','))).map(({ permissions }) => permissions)
}

/** Takes effect immediately, also for sessions with the former role in a cookie (ASVS 8.3.2). @param role comma-separated names */
export async function setUserRole(app: App, userId: string, role: string): Promise<void> {
  await transaction(app, async (inner) => {
    const former = await inner.db.selectFrom('user').select('role').where('id', '=', userId).executeTakeFirst()
    await inner.db.updateTable('user').set({ role }).where('id', '=', userId).execute()
    await emit(inner, 'user.updated', { userId })
    const details = { from: former?.role ?? null, to: role }
    await recordEvent(inner, { action: 'user.role-changed', target: { type: 'user', id: userId }, details })
  })
}

/** The names of roles in the configuration: seeded ones, and with administration those of `admin.roles` or the built-in ones. */
export const declaredRoles = ({ seed, admin }: Pick<Config, 'seed' | 'admin'>): string[] => [
  ...Object.keys(seed.roles),
  ...(admin.enabled ? Object.keys(admin.roles ?? { admin: {}, user: {} }) : []),
]

/** Returns the names of a comma-separated list that are neither declared in the configuration nor stored. */
export async function findUnknownRoles(app: App, role: string): Promise<string[]> {
  return withoutStoredRoles(
    app,
    role.split(',').filter((name) => !declaredRoles(app.config).includes(name)),
  )
}

/** Of these names, those that no stored role has. */
export async function withoutStoredRoles(app: App, names: readonly string[]): Promise<string[]> {
  const stored = await findStoredRoles(app, names)
  return names.filter((name) => !stored.some((role) => role.name === name))
}

/** Writes the declared roles. When several pipelines run it at the same time, the unique key lets only one create each role. */
export async function seed(app: App, { dryRun, prune }: SeedOptions): Promise<SeedResult[]> {
  const declared = app.config.seed.roles
  const results: SeedResult[] = []
  for (const [name, permissions] of Object.entries(declared)) results.push(await seedRole(app, name, permissions, dryRun))
  if (prune) results.push(...(await pruneRoles(app, Object.keys(declared), dryRun)))
  return results
}

async function seedRole(app: App, name: string, permissions: Permissions, dryRun: boolean): Promise<SeedResult> {
  const found = await app.db.selectFrom('role').select('permissions').where('name', '=', name).executeTakeFirst()
  if (!found) {
    const users = await countUsers(app, name)
    // A concurrent run has created it, and then users with it.
    if (users > 0 && (await findStoredRoles(app, [name])).length > 0) return { kind: 'role', name, outcome: 'unchanged' }
    const detail = users > 0 ? { detail: `${counted(users, 'user')} already ${users === 1 ? 'has' : 'have'} it`, users } : {}
    const isCreated = dryRun || (await insertRole(app, name, permissions))
    return { kind: 'role', name, outcome: isCreated ? 'created' : 'unchanged', ...detail }
  }
  if (canonical(found.permissions) === canonical(permissions)) return { kind: 'role', name, outcome: 'unchanged' }
  if (!dryRun) {
    const changed = { permissions: JSON.stringify(permissions), updatedAt: app.now() }
    await transaction(app, async (tx) => {
      await tx.db.updateTable('role').set(changed).where('name', '=', name).execute()
      await recordEvent(tx, roleEvent('role.updated', name, { permissions }))
    })
  }
  return { kind: 'role', name, outcome: 'changed', detail: 'permissions' }
}

const roleEvent = (action: AuditEvent['action'], name: string, details: object = {}): AuditEvent => ({
  ...{ action, target: { type: 'role', id: name } },
  details: { ...details },
})

/** @returns false when another process has created it in between */
function insertRole(app: App, name: string, permissions: Permissions): Promise<boolean> {
  const now = app.now()
  const role = { id: app.random.id(), name, permissions: JSON.stringify(permissions), createdAt: now, updatedAt: now }
  return transaction(app, async (tx) => {
    const isInserted = await insertUnlessExists(tx, tx.db.insertInto('role').values(role))
    if (isInserted) await recordEvent(tx, roleEvent('role.created', name, { permissions }))
    return isInserted
  })
}

async function pruneRoles(app: App, declared: readonly string[], dryRun: boolean): Promise<SeedResult[]> {
  const rows = await app.db.selectFrom('role').select('name').orderBy('name').execute()
  const stale = rows.map(({ name }) => name).filter((name) => !declared.includes(name))
  const counts = await Promise.all(stale.map((name) => countUsers(app, name)))
  if (!dryRun && stale.length > 0)
    await transaction(app, async (tx) => {
      await tx.db.deleteFrom('role').where('name', 'in', stale).execute()
      await recordEvents(
        tx,
        stale.map((name) => roleEvent('role.deleted', name)),
      )
    })
  return stale.map((name, position) => {
    const users = counts[position] ?? 0
    const detail = users > 0 ? { detail: `${counted(users, 'user')} still ${users === 1 ? 'has' : 'have'} it`, users } : {}
    return { kind: 'role', name, outcome: 'removed', ...detail }
  })
}

/** Number of users with this role among theirs. */
const countUsers = (app: App, name: string): Promise<number> => countRows(app.db.selectFrom('user').where(hasRole('role', name)))

/** A condition: whether the comma-separated list in this column has the role, in the same case. `like` of SQLite ignores case. */
export const hasRole = (column: string, name: string) =>
  sql<boolean>`instr(concat(',', ${sql.ref(column)}, ','), ${`,${name},`}) > 0`

/** The order of resources and actions has no meaning. */
const canonical = (permissions: Permissions) =>
  JSON.stringify(
    Object.entries(permissions)
      .map(([resource, actions]) => [resource, [...actions].sort()] as const)
      .sort(([one], [other]) => one.localeCompare(other, 'en')),
  )

export const routes = {
  'GET /list-permissions': route({
    summary: 'List own permissions',
    description:
      'Returns what each role of the current user permits: actions by resource. A page uses it to show only what the user may open; every call checks the permissions itself.',
    access: session(),
    returns: z
      .array(z.record(z.string(), z.array(z.string()).readonly()).readonly())
      .meta({ examples: [[{ provider: ['list'] }]] }),
    handler: async (ctx) => [...(await grantsOf(ctx, ctx.user))],
  }),
}

/** Checks the roles of users. */
import type { OpenApp } from '../../app.ts'
import type { Config } from '../../features/index.ts'
import { declaredRoles } from '../../features/roles/index.ts'
import { check, type Finding } from './finding.ts'

type Opened = OpenApp['database']

/** Names in the list of a user's roles that are not roles permit nothing, until a role of that name is created. */
export function checkRoleNames(given: readonly (string | null)[], stored: readonly string[], config: Config): Finding {
  const { ok, warning } = check('role-names', 'Roles of users')
  const known = [...stored, ...declaredRoles(config)]
  const names = new Set(given.flatMap((role) => (role ? role.split(',') : [])))
  const unknown = [...names].filter((name) => !known.includes(name)).sort()
  if (unknown.length === 0) return ok('Every role exists')
  const shown = unknown.slice(0, 10).map((name) => JSON.stringify(name))
  const rest = unknown.length > shown.length ? `, and ${unknown.length - shown.length} more` : ''
  return warning(
    `Users have roles that do not exist: ${shown.join(', ')}${rest}. They permit nothing, until a role of that name is created`,
    'List the users: `latchkey users list --role <name>`. Set their roles: `latchkey users set-role <user> <roles>`.',
  )
}

export async function checkAdministrators({ db }: Opened, config: Config): Promise<Finding[]> {
  const { admin } = config
  if (!admin.enabled) return []
  const roles = await db.selectFrom('user').select('role').distinct().execute()
  const stored = await db.selectFrom('role').select('name').execute()
  const names = checkRoleNames(
    roles.map(({ role }) => role),
    stored.map(({ name }) => name),
    config,
  )
  return [await findAdministrators(db, config, roles), names]
}

export const isAdministratorRole = ({ admin }: Config, role: string | null): boolean =>
  (role || admin.defaultRole).split(',').some((name) => admin.adminRoles.includes(name))

export const administratorRoles = ({ admin }: Config): string => admin.adminRoles.join(' or ')

async function findAdministrators(
  db: Opened['db'],
  config: Config,
  roles: readonly { readonly role: string | null }[],
): Promise<Finding> {
  const { ok, warning } = check('administrators', 'Administrators')
  const { admin } = config
  if (admin.adminUserIds.length > 0) {
    const found = await db.selectFrom('user').select('id').where('id', 'in', admin.adminUserIds).limit(1).execute()
    if (found.length > 0) return ok('At least one user of admin.adminUserIds exists')
  }
  const names = administratorRoles(config)
  if (roles.some(({ role }) => isAdministratorRole(config, role))) return ok(`At least one user has the role ${names}`)
  const [role = 'admin'] = admin.adminRoles
  const fix = `Create one: \`latchkey users create --role ${role} --email <address> --name <name>\`; or \`latchkey users set-role <user> ${role}\`.`
  return warning(`No user has the role ${names}`, fix)
}

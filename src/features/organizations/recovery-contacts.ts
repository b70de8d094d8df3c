/** Whom a member who has lost their second factor can ask: administrators of organizations whose policy shows them (contract 11 §12). */
import type { App } from '../../core/app.ts'
import { allows } from '../../core/permissions.ts'
import { hasRole } from '../roles/index.ts'
import { listRoles } from './permissions.ts'
import { permitsPolicies } from './second-factor-policy.ts'

/** Organizations that are named, and names of each. */
const mostOrganizations = 5
const mostNames = 5

export interface RecoveryContacts {
  /** The name of the organization. */
  readonly organization: string
  /** Of administrators, in no certain order; at most five. */
  readonly names: string[]
}

/**
 * The administrators whom a user can ask, by organization: the members who may change the organization. For a user who has proven a
 * first factor; names only.
 */
export async function findRecoveryContacts(app: App, userId: string): Promise<RecoveryContacts[]> {
  if (!app.config.organization.enabled || !permitsPolicies(app.config)) return []
  const organizations = await app.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['organization.id', 'organization.name'])
    .where('member.userId', '=', userId)
    .where('organization.twoFactorShowAdministrators', '=', true)
    .where('organization.deletedAt', 'is', null)
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .limit(mostOrganizations)
    .execute()
  if (organizations.length === 0) return []
  const roles = (await listRoles(app)).filter(({ permission }) => allows([permission], { organization: ['update'] }))
  const names = roles.map(({ role }) => role)
  const found: RecoveryContacts[] = []
  for (const { id, name } of organizations)
    found.push({ organization: name, names: await findAdministrators(app, { organizationId: id, userId, roles: names }) })
  return found.filter((contacts) => contacts.names.length > 0)
}

interface Sought {
  readonly organizationId: string
  /** The user who asks, and is not named. */
  readonly userId: string
  readonly roles: readonly string[]
}

async function findAdministrators(app: App, { organizationId, userId, roles }: Sought): Promise<string[]> {
  if (roles.length === 0) return []
  const others = app.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .selectAll('user')
    .where('member.organizationId', '=', organizationId)
    .where('member.userId', '<>', userId)
    .limit(mostNames)
  // By the index first: in nearly every organization it finds some, and the members need not be scanned.
  const exact = await others.where('member.role', 'in', roles).orderBy('member.role').orderBy('member.id').execute()
  const found =
    exact.length > 0
      ? exact
      : await others
          .where(({ or }) => or(roles.map((role) => hasRole('member.role', role))))
          .orderBy('member.id')
          .execute()
  return found.filter(({ banned }) => banned !== true).map(({ name }) => name)
}

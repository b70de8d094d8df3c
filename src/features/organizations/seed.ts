/** Writes the organizations of `seed.organizations`: what is missing or differs, and nothing else. It never removes anything. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import type { SeedOptions, SeedResult } from '../../core/seed.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { counted } from '../../lib/text.ts'
import { hasRole } from '../roles/index.ts'
import { findUsersByEmailOrId } from '../users/index.ts'
import { addMember, updateMemberRole } from './members.ts'
import { errors, type MemberRow, type OrganizationRow } from './model.ts'
import { createOrganization, updateOrganization } from './organizations.ts'
import { configuredRoles, isCreator } from './permissions.ts'
import { differs, setPolicy } from './second-factor-policy.ts'
import { type Declared, emailsOf } from './seed-checks.ts'
import { findMember, findOrganization, findOrganizationBySlug, lockOrganization } from './store.ts'
import { addTeamMember, findTeamMember } from './team-members.ts'
import { createTeam, maximumTeams, teamLimit } from './teams.ts'

/** Each step is a transaction of its own, so that an interrupted run is completed by the next one. */
export async function seed(app: App, { dryRun, prune }: SeedOptions): Promise<SeedResult[]> {
  const results = prune && dryRun ? await findPrunedRoles(app) : []
  for (const declared of app.config.seed.organizations) results.push(...(await seedOrganization(app, declared, dryRun)))
  return results
}

/** Roles that `--prune` deletes and members still have: what they permit would be lost. In the plan only, since `roles` deletes them. */
async function findPrunedRoles(app: App): Promise<SeedResult[]> {
  const kept = { ...app.config.seed.roles, ...configuredRoles(app.config) }
  const rows = await app.db.selectFrom('role').select('name').orderBy('name').execute()
  const results: SeedResult[] = []
  for (const { name } of rows.filter((row) => !Object.hasOwn(kept, row.name))) {
    const users = await countRows(app.db.selectFrom('member').where(hasRole('role', name)))
    const detail = `${counted(users, 'member')} of organizations still ${users === 1 ? 'has' : 'have'} it`
    if (users > 0) results.push({ kind: 'role', name, outcome: 'removed', detail, users })
  }
  return results
}

/** What the steps for one organization share. */
interface Target {
  readonly slug: string
  /** Null in a dry run, when it would be created. */
  readonly organization: OrganizationRow | null
  /** By lower-cased email address. */
  readonly users: ReadonlyMap<string, UserRow>
  /** Ids by name; in a dry run also of teams that would be created. */
  readonly teams: Map<string, string>
  readonly dryRun: boolean
}

async function seedOrganization(app: App, declared: Declared, dryRun: boolean): Promise<SeedResult[]> {
  const users = new Map((await findUsersByEmailOrId(app, emailsOf(declared), [])).map((user) => [user.email, user]))
  const { organization, ...first } = await seedItself(app, declared, users, dryRun)
  const rows = organization ? await readTeams(app, organization.id) : []
  const target: Target = {
    slug: declared.slug,
    organization,
    users,
    dryRun,
    teams: new Map(rows.map(({ name, id }) => [name, id])),
  }
  const results = [first.result, ...(await seedPolicy(app, target, declared))]
  for (const team of declared.teams) results.push(await seedTeam(app, target, team))
  if (organization) {
    const owner = await seedMember(app, target, { email: declared.owner, role: app.config.organization.creatorRole })
    if (owner.outcome !== 'unchanged') results.push(owner)
  }
  for (const member of declared.members) results.push(await seedMember(app, target, member))
  return results
}

const readTeams = (app: App, organizationId: string) =>
  app.db
    .selectFrom('team')
    .select(['id', 'name'])
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

interface Seeded {
  readonly organization: OrganizationRow | null
  readonly result: SeedResult
}

async function seedItself(app: App, declared: Declared, users: Target['users'], dryRun: boolean): Promise<Seeded> {
  const { name, slug, owner } = declared
  const result = { kind: 'organization', name: slug }
  const known = await findOrganizationBySlug(app, slug)
  if (known) {
    await checkMembers(app, known, users)
    return rename(app, known, name, dryRun)
  }
  if (dryRun) return { organization: null, result: { ...result, outcome: 'created', ...missingUser(app, users, owner) } }
  try {
    const { organization } = await createOrganization(app, getUser(users, owner), { name, slug })
    return { organization, result: { ...result, outcome: 'created' } }
  } catch (error) {
    // Another pipeline has created it in between.
    const organization = isError(error, 'ORGANIZATION_ALREADY_EXISTS') ? await findOrganizationBySlug(app, slug) : null
    if (organization) return { organization, result: { ...result, outcome: 'unchanged' } }
    throw error
  }
}

/**
 * Users choose slugs, so an organization of another user could have this one; seeding would then make members of strangers there.
 * @throws ApiError USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION when none of the declared users is a member
 */
async function checkMembers(app: App, { id, slug }: OrganizationRow, users: Target['users']): Promise<void> {
  for (const user of users.values()) if (await findMember(app, id, user.id)) return
  const { creatorRole } = app.config.organization
  const message = `The organization ${slug} belongs to others: no declared user is a member. To use it, run latchkey orgs add-member ${slug} <email> --role ${creatorRole}`
  throw new ApiError({ ...errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, message })
}

async function rename(app: App, organization: OrganizationRow, name: string, dryRun: boolean): Promise<Seeded> {
  const { id, slug } = organization
  const result = { kind: 'organization', name: slug }
  const changed = { ...result, outcome: 'changed', detail: `name ${organization.name} → ${name}` } as const
  if (organization.name !== name && dryRun) return { organization, result: changed }
  const isChanged =
    organization.name !== name &&
    (await locked(app, id, async (tx) => {
      if ((await findOrganization(tx, id))?.name === name) return false
      await updateOrganization(tx, id, { name })
      return true
    }))
  return { organization, result: isChanged ? changed : { ...result, outcome: 'unchanged' } }
}

/** With the organization locked, so that a step that another pipeline has made in between is not made twice. */
const locked = <T>(app: App, organizationId: string, work: (tx: App) => Promise<T>): Promise<T> =>
  transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    return work(tx)
  })

/** As the operator declares it, also when no member has a second factor. */
async function seedPolicy(app: App, { slug, organization, dryRun }: Target, { twoFactor }: Declared): Promise<SeedResult[]> {
  if (!twoFactor || (organization && !differs(app, organization, twoFactor))) return []
  const { required, graceDays = 0, showAdministrators } = twoFactor
  if (!organization && !required && !showAdministrators) return []
  const demanded = required ? `second factor required, ${counted(graceDays, 'day')} of grace` : 'second factor not required'
  const detail =
    showAdministrators === undefined ? demanded : `${demanded}, administrators ${showAdministrators ? 'shown' : 'not shown'}`
  if (organization && !dryRun) await setPolicy(app, organization.id, twoFactor)
  return [{ kind: 'policy', name: slug, outcome: 'changed', detail }]
}

async function seedTeam(app: App, { slug, organization, teams, dryRun }: Target, name: string): Promise<SeedResult> {
  const result = { kind: 'team', name: `${slug}/${name}` }
  if (teams.has(name)) return { ...result, outcome: 'unchanged' }
  if (dryRun || !organization) {
    teams.set(name, '')
    return { ...result, outcome: 'created' }
  }
  const { id: organizationId } = organization
  const limit = await maximumTeams(app, organizationId, null)
  const [id, outcome] = await locked(app, organizationId, async (tx) => {
    const made = (await readTeams(tx, organizationId)).findLast((team) => team.name === name)
    return made
      ? ([made.id, 'unchanged'] as const)
      : ([(await createTeam(tx, organizationId, name, limit)).id, 'created'] as const)
  })
  teams.set(name, id)
  return { ...result, outcome }
}

type DeclaredMember = Pick<Declared['members'][number], 'email' | 'role' | 'team'>

async function seedMember(app: App, target: Target, declared: DeclaredMember): Promise<SeedResult> {
  const { slug, organization, users, dryRun, teams } = target
  const { email, role, team } = declared
  const result = { kind: 'member', name: `${slug}/${email}` }
  const created = { ...result, outcome: 'created', detail: team === undefined ? role : `${role}, team ${team}` } as const
  const user = users.get(email.toLowerCase())
  const member = user && organization ? await findMember(app, organization.id, user.id) : null
  if (dryRun && !member) return { ...created, ...missingUser(app, users, email) }
  if (!organization) return created
  if (member) return { ...result, ...(await correctMember(app, target, declared, member)) }
  const userId = getUser(users, email).id
  try {
    const teamId = team === undefined ? undefined : teams.get(team)
    await addMember(app, { organizationId: organization.id, userId, role, teamIds: teamId ? [teamId] : [] })
    return created
  } catch (error) {
    const isAdded = isError(error, 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION')
    const added = isAdded ? await findMember(app, organization.id, userId) : null
    if (added) return { ...result, ...(await correctMember(app, target, declared, added)) }
    throw error
  }
}

/** Sets the declared role and team. Without a declared team, the member keeps theirs; an owner may have more roles. */
async function correctMember(
  app: App,
  { organization, teams, dryRun }: Target,
  { role, team }: DeclaredMember,
  member: MemberRow,
): Promise<Pick<SeedResult, 'outcome' | 'detail'>> {
  const { organizationId, userId, id: memberId } = member
  const teamId = team === undefined ? null : (teams.get(team) ?? null)
  const isRight = (row: MemberRow) =>
    row.role === role || (role === app.config.organization.creatorRole && isCreator(app.config, row.role))
  const isPlaced = async (inner: App) =>
    team === undefined || (!!teamId && (await findTeamMember(inner, teamId, userId)) !== null)
  const details = [
    ...(isRight(member) ? [] : [`role ${member.role} → ${role}`]),
    ...((await isPlaced(app)) ? [] : [`team ${team}`]),
  ]
  if (details.length === 0) return { outcome: 'unchanged' }
  const changed = { outcome: 'changed', detail: details.join('; ') } as const
  if (dryRun || !organization) return changed
  const limit = teamId === null ? undefined : await teamLimit(app, organizationId, teamId, null)
  const isChanged = await locked(app, organizationId, async (tx) => {
    const current = await findMember(tx, organizationId, userId)
    const isThere = await isPlaced(tx)
    if (!current || (isRight(current) && isThere)) return false
    if (!isRight(current)) await updateMemberRole(tx, { organizationId, memberId, role, by: null })
    if (teamId !== null && !isThere) await addTeamMember(tx, { organizationId, teamId, userId }, limit)
    return true
  })
  return isChanged ? changed : { outcome: 'unchanged' }
}

const isError = (error: unknown, code: keyof typeof errors): boolean =>
  error instanceof ApiError && error.entry.code === errors[code].code

/** Administrators are created before organizations. */
const missingUser = ({ config }: App, users: Target['users'], email: string): Pick<SeedResult, 'missingUser'> =>
  users.has(email.toLowerCase()) || config.seed.admins.some((admin) => admin.email.toLowerCase() === email.toLowerCase())
    ? {}
    : { missingUser: email }

/** @throws ApiError USER_NOT_FOUND when they were deleted since the plan was made */
function getUser(users: Target['users'], email: string): UserRow {
  const user = users.get(email.toLowerCase())
  if (!user) throw new ApiError({ ...errors.USER_NOT_FOUND, message: `There is no user ${email}` })
  return user
}

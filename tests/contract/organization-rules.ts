/** Which rows a call may change, by the contract: a model for properties, which shares no code with the product. */
import { roles, type Snapshot } from './organization-world.ts'

type Row = Snapshot[string][number]

/** A row that a call has created (`before` is null), deleted (`after` is null) or updated. */
export interface Change {
  readonly table: string
  readonly before: Row | null
  readonly after: Row | null
}

export function changesBetween(before: Snapshot, after: Snapshot): Change[] {
  return Object.keys(after).flatMap((table) => {
    const [former, current] = [rowsById(before[table]), rowsById(after[table])]
    return [...new Set([...former.keys(), ...current.keys()])]
      .map((id) => ({ table, before: former.get(id) ?? null, after: current.get(id) ?? null }))
      .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
  })
}

const rowsById = (rows: readonly Row[] = []): ReadonlyMap<unknown, Row> => new Map(rows.map((row) => [row.id, row]))

export interface Circumstances {
  /** Null: signed out. */
  readonly caller: { readonly id: string; readonly email: string } | null
  readonly before: Snapshot
  readonly after: Snapshot
  readonly changes: readonly Change[]
}

export function mayMake(change: Change, { caller, before, after, changes }: Circumstances): boolean {
  const row = change.before ?? change.after ?? {}
  const organizationId = organizationOf(change.table, row, { ...before, ...after })
  const kind = change.before ? (change.after ? 'updated' : 'deleted') : 'created'
  if (!caller) return false
  const roleIn = ({ member = [] }: Snapshot) =>
    member.find((one) => one.userId === caller.id && one.organizationId === organizationId)?.role as string | undefined
  const role = roleIn(before)
  const may = (resource: string, action: string) => permits(role, resource, action)
  const isNew = !before.organization?.some(({ id }) => id === organizationId) && roleIn(after) === 'owner'
  const isDeleted =
    kind === 'deleted' && may('organization', 'delete') && !after.organization?.some(({ id }) => id === organizationId)
  if (change.table === 'session') return maySetActive(change, caller.id, after, changes)
  if (isNew || isDeleted) return true
  const others = () =>
    changes.some((other) => other !== change && (other.after ?? other.before)?.organizationId === organizationId)
  switch (change.table) {
    case 'organization':
      if (differ(change, ['revision'])) return role !== undefined || others()
      return kind === 'updated' && (differ(change, ['memberCount', 'revision']) ? others() : may('organization', 'update'))
    case 'team':
      return may('team', kind.replace(/d$/, ''))
    case 'organizationRole':
      return may('ac', kind.replace(/d$/, ''))
    case 'teamMember':
      return mayChangeTeamMember(change, { id: caller.id, may, changes })
    case 'member':
      return mayChangeMember(change, { id: caller.id, role, may, changes })
    case 'invitation':
      return mayChangeInvitation(change, { email: caller.email, role, may, after })
    default:
      return false
  }
}

/** Of a row. A member of a team is in the organization of the team, which the call may have deleted. */
function organizationOf(table: string, row: Row, { team = [] }: Snapshot): string {
  const owner = table === 'teamMember' ? team.find(({ id }) => id === row.teamId) : row
  return (table === 'organization' ? row.id : owner?.organizationId) as string
}

/** With a membership that begins or ends, or a team that ends; else by a user who may change it. */
function mayChangeTeamMember(
  { before, after }: Change,
  { id, may, changes }: { id: string; may: May; changes: readonly Change[] },
) {
  const { memberId, teamId, userId } = after ?? before ?? {}
  const isOf = (other: Change, table: string, rowId: unknown) =>
    other.table === table && (other.after ?? other.before)?.id === rowId
  const follows = changes.some((other) => isOf(other, 'member', memberId) && !(other.before && other.after))
  const isRemoved = changes.some((other) => isOf(other, 'team', teamId) && !other.after)
  if (before && after) return false
  return (
    (follows && (!after || userId === id || may('member', 'create'))) ||
    (isRemoved && !after) ||
    may('member', 'update') ||
    may('team', 'update')
  )
}

const permits = (role: string | undefined, resource: string, action: string): boolean =>
  (role ?? '').split(',').some((name) => roles[name]?.[resource]?.includes(action))

/** Whether a user with these roles may give these: no more than their own permit, and the creator's only with it. */
function mayGive(own: string | undefined, given: string): boolean {
  const needed = given.split(',').map((name) => Object.entries(roles[name] ?? {}))
  // One role has to permit all of each.
  return needed.every(
    (permissions) =>
      permissions.length === 0 ||
      (own ?? '')
        .split(',')
        .some((name) => permissions.every(([resource, actions]) => actions.every((action) => permits(name, resource, action)))),
  )
}

/** Whether these columns are the only ones that differ. */
function differ({ before, after }: Change, columns: readonly string[]): boolean {
  const changed = Object.keys(after ?? {}).filter((key) => JSON.stringify(before?.[key]) !== JSON.stringify(after?.[key]))
  return changed.every((key) => columns.includes(key))
}

type May = (resource: string, action: string) => boolean
interface Acting {
  readonly role: string | undefined
  readonly may: May
}

function mayChangeMember(
  change: Change,
  { id, role, may, changes }: Acting & { id: string; changes: readonly Change[] },
): boolean {
  const { before, after } = change
  if (!before) {
    const accepted = changes.find(({ table, after: row }) => table === 'invitation' && row?.status === 'accepted')?.after
    return after?.userId === id && accepted?.role === after.role && accepted?.organizationId === after?.organizationId
  }
  const isOwner = (roles: unknown) => String(roles).split(',').includes('owner')
  if (!after) return before.userId === id || (may('member', 'delete') && (!isOwner(before.role) || isOwner(role)))
  if (differ(change, ['teamId'])) return may('member', 'update') || may('team', 'update') || may('team', 'delete')
  const isProtected = isOwner(before.role) || isOwner(after.role)
  return (
    differ(change, ['role']) && may('member', 'update') && (!isProtected || isOwner(role)) && mayGive(role, String(after.role))
  )
}

function mayChangeInvitation(
  change: Change,
  { email, role, may, after: current }: Acting & { email: string; after: Snapshot },
): boolean {
  const { before, after } = change
  const mayInvite = may('invitation', 'create')
  if (!after) return false
  if (!before) return mayInvite && after.status === 'pending' && mayGive(role, String(after.role))
  if (differ(change, ['teamId'])) return may('team', 'delete')
  if (differ(change, ['pendingEmail'])) return mayInvite && after.pendingEmail === null
  if (before.status !== 'pending') return false
  if (after.status === 'accepted' || after.status === 'rejected') return before.email === email && before.pendingEmail === email
  if (after.status === 'canceled') return may('invitation', 'cancel') || isBeyond(change, current, may)
  return mayInvite && mayGive(role, String(after.role)) && after.email === before.email
}

/** Whether its inviter, whose role this user may set, has one that does not permit what it gives: also when it is the same as before. */
function isBeyond({ before }: Change, { member = [] }: Snapshot, may: May): boolean {
  const inviter = member.find((row) => row.userId === before?.inviterId && row.organizationId === before?.organizationId)
  const role = inviter?.role as string | undefined
  return may('member', 'update') && !!inviter && !(permits(role, 'invitation', 'create') && mayGive(role, String(before?.role)))
}

/** Users set their own; that of another user is cleared when its organization is deleted, or its user is no longer a member. */
function maySetActive(change: Change, callerId: string, after: Snapshot, changes: readonly Change[]): boolean {
  const { before, after: current } = change
  if (!before || !current || !differ(change, ['activeOrganizationId', 'activeTeamId', 'updatedAt'])) return false
  const { userId, activeOrganizationId: active } = current
  if (userId === callerId) {
    return active === null || (after.member ?? []).some((row) => row.userId === callerId && row.organizationId === active)
  }
  const left = ({ table, before: row, after: kept }: Change) =>
    !kept &&
    ((table === 'member' && row?.userId === userId && row?.organizationId === before.activeOrganizationId) ||
      (table === 'organization' && row?.id === before.activeOrganizationId))
  return active === null && changes.some(left)
}

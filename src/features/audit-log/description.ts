/** Events with the names of those whom they are about: looked up when they are read, because events contain none. */
import type { App } from '../../core/app.ts'
import type { EventRow } from '../audit/index.ts'

interface Person {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly image: string | null
}

interface Names {
  readonly users: ReadonlyMap<string, Person>
  readonly organizations: ReadonlyMap<string, { readonly id: string; readonly name: string; readonly slug: string }>
  /** Of teams and invitations. */
  readonly others: ReadonlyMap<string, string>
}

const outcomes = { succeeded: 'succeeded', failed: 'failed', denied: 'denied' } as const
const kinds = { user: 'user', operator: 'operator', system: 'system', anonymous: 'anonymous' } as const

/** The events as responses contain them. One query for each kind of name, however many events there are. */
export async function describeEvents(app: App, rows: readonly EventRow[]) {
  const names = await findNames(app, rows)
  return rows.map((row) => describe(row, names))
}
export type DescribedEvent = Awaited<ReturnType<typeof describeEvents>>[number]

function describe(row: EventRow, { users, organizations, others }: Names) {
  const { id, createdAt, action, actorId, actorName, targetType, targetId, organizationId, ipAddress, requestId, details, hash } =
    row
  const person = (userId: string | null) => (userId === null ? null : describePerson(users.get(userId), userId))
  const actor = person(actorId)
  const targetName = targetId && (users.get(targetId)?.name ?? organizations.get(targetId)?.name ?? others.get(targetId))
  const organization =
    organizationId === null ? null : (organizations.get(organizationId) ?? { id: organizationId, name: null, slug: null })
  return {
    id,
    createdAt,
    action,
    outcome: outcomes[row.outcome as keyof typeof outcomes],
    actor: {
      kind: kinds[row.actorKind as keyof typeof kinds],
      id: actorId,
      name: actor?.name ?? actorName,
      email: actor?.email ?? null,
      image: (actorId && users.get(actorId)?.image) || null,
    },
    impersonatedBy: person(row.impersonatedBy),
    target: targetType && targetId ? { type: targetType, id: targetId, name: targetName || null } : null,
    user: person(row.userId),
    organization,
    ipAddress,
    requestId,
    details,
    sequence: row.sequence === null ? null : Number(row.sequence),
    hash,
  }
}

const describePerson = (user: Person | undefined, id: string) => ({ id, name: user?.name ?? null, email: user?.email ?? null })

async function findNames(app: App, rows: readonly EventRow[]): Promise<Names> {
  const { enabled, teams } = app.config.organization
  const targets = (type: string) => rows.map((row) => (row.targetType === type ? row.targetId : null))
  const [userIds, organizationIds, teamIds, invitationIds] = [
    unique(
      rows.flatMap(({ actorId, impersonatedBy, userId }) => [actorId, impersonatedBy, userId]),
      targets('user'),
    ),
    unique(
      rows.map(({ organizationId }) => organizationId),
      targets('organization'),
    ),
    unique(targets('team')),
    unique(targets('invitation')),
  ]
  const [users, organizations, foundTeams, invitations] = await Promise.all([
    read(userIds, (ids) => app.db.selectFrom('user').select(['id', 'name', 'email', 'image']).where('id', 'in', ids).execute()),
    read(enabled ? organizationIds : [], (ids) =>
      app.db.selectFrom('organization').select(['id', 'name', 'slug']).where('id', 'in', ids).execute(),
    ),
    read(enabled && teams.enabled ? teamIds : [], (ids) =>
      app.db.selectFrom('team').select(['id', 'name']).where('id', 'in', ids).execute(),
    ),
    read(enabled ? invitationIds : [], (ids) =>
      app.db.selectFrom('invitation').select(['id', 'email as name']).where('id', 'in', ids).execute(),
    ),
  ])
  return {
    users: byId(users),
    organizations: byId(organizations),
    others: new Map([...foundTeams, ...invitations].map(({ id, name }) => [id, name])),
  }
}

const unique = (...ids: readonly (readonly (string | null)[])[]): string[] => [...new Set(ids.flat().filter((id) => id !== null))]
const byId = <R extends { readonly id: string }>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]))
const read = async <R>(ids: readonly string[], query: (ids: readonly string[]) => Promise<R[]>): Promise<R[]> =>
  ids.length > 0 ? query(ids) : []

/** An event as members of its organization see it: nothing about the installation, and no email address of a user. */
export const forOrganization = (event: DescribedEvent): DescribedEvent => ({
  ...event,
  actor: { ...event.actor, email: null, name: event.actor.kind === 'user' ? event.actor.name : null },
  impersonatedBy: null,
  user: event.user && { ...event.user, email: null },
  ipAddress: null,
  requestId: null,
  sequence: null,
  hash: null,
})

/** Queries of every list: each filter and order, and pairs of them, with values that are rare, frequent, only old, or unknown. */
import { createHash } from 'node:crypto'
import { userQuery } from '../../src/features/admin/user-query.ts'
import { memberQuery } from '../../src/features/organizations/index.ts'

export type Query = Readonly<Record<string, string>>
/** Alternatives, of which a query has one at most. */
type Dimension = readonly Query[]

/** As `idOf` in the database. */
export const rowId = (table: string, number: number): string =>
  createHash('sha256').update(`${table} ${number}`).digest('hex').slice(0, 32)

const oneOf = (name: string, ...values: readonly string[]): Dimension => values.map((value) => ({ [name]: value }))

/** Values of each column of users: frequent or ordinary, and unknown. @param now when the newest row was created */
const columnValues = (now: Date): Readonly<Record<string, readonly string[]>> => {
  const times = [3600, 90_000].map((seconds) => new Date(now.getTime() - seconds * 1000).toISOString())
  return {
    id: [rowId('user', 500), 'unknown'],
    name: ['Name 000500', 'Unknown'],
    email: ['user000500@example.com', 'unknown@example.com'],
    emailVerified: ['true', 'false'],
    image: ['https://images.example.com/000500', 'unknown'],
    createdAt: times,
    updatedAt: times,
    lastSignInAt: times,
    role: ['user', 'editor', 'admin', 'unknown'],
    banned: ['true', 'false'],
    banReason: ['spam 7', 'unknown'],
    banExpires: [new Date(now.getTime() + 90_000_000).toISOString()],
    lockedAt: times,
    lockReason: ['reason 7', 'unknown'],
    username: ['user000500', 'unknown'],
    displayUsername: ['User000500', 'unknown'],
    phoneNumber: ['+49151000500', '+49'],
    phoneNumberVerified: ['true', 'false'],
    isAnonymous: ['true'],
    twoFactorEnabled: ['true', 'false'],
    company: ['Company 500', 'unknown'],
    level: ['500', '-1'],
  }
}

const timeOrNumber = [
  'createdAt',
  'updatedAt',
  'lastSignInAt',
  'banExpires',
  'lockedAt',
  'level',
  'emailVerified',
  'banned',
  'phoneNumberVerified',
  'isAnonymous',
  'twoFactorEnabled',
]
const isPattern = (operator: string) => ['contains', 'starts_with', 'ends_with'].includes(operator)

/** Every column that a response has, with every operator. */
function userFilters(columns: readonly string[], now: Date): Dimension {
  const samples = columnValues(now)
  return columns.flatMap((filterField) =>
    userQuery.shape.filterOperator.unwrap().options.flatMap((filterOperator) => {
      if (isPattern(filterOperator) && timeOrNumber.includes(filterField)) return []
      const values = samples[filterField]
      if (!values) throw new Error(`The column ${filterField} has no values in the cases of lists`)
      // Each value for equality, and one for each other comparison.
      const compared = filterOperator === 'eq' ? values : values.slice(0, 1)
      return compared.map((filterValue) => ({ filterField, filterOperator, filterValue }))
    }),
  )
}

const directions = ['asc', 'desc']
const orders = (columns: readonly string[]): Dimension =>
  columns.flatMap((sortBy) => directions.map((sortDirection) => ({ sortBy, sortDirection })))

const memberDimensions = (organization: Query): Dimension[] => {
  const { filterField, filterOperator, sortBy } = memberQuery.shape
  const samples: Readonly<Record<string, readonly string[]>> = {
    id: [rowId('member', 500), 'unknown'],
    userId: [rowId('user', 500), 'unknown'],
    role: ['admin', 'member', 'unknown'],
    teamId: [rowId('team', 3), 'unknown'],
    createdAt: ['2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z'],
    twoFactorEnabled: ['true', 'false'],
  }
  const filters = filterField
    .unwrap()
    .options.flatMap((field) =>
      filterOperator
        .unwrap()
        .options.flatMap((operator) =>
          (field === 'createdAt' && isPattern(operator)) || (field === 'twoFactorEnabled' && !['eq', 'ne'].includes(operator))
            ? []
            : (samples[field] ?? [])
                .slice(0, operator === 'eq' ? 3 : 1)
                .map((filterValue) => ({ filterField: field, filterOperator: operator, filterValue })),
        ),
    )
  return [
    [organization],
    orders(sortBy.unwrap().options),
    filters,
    oneOf('search', 'Name 0005', 'Name', 'user000500', 'unknown', rowId('user', 500)),
    oneOf('teamId', rowId('team', 3), 'unknown'),
    oneOf('offset', '5000'),
  ]
}

/** By path. @param columns of users, as responses name them */
export function listCases(columns: readonly string[], now: Date): Readonly<Record<string, readonly Dimension[]>> {
  const times = [3600, 90_000].map((seconds) => new Date(now.getTime() - seconds * 1000).toISOString())
  const organization = { organizationId: rowId('organization', 0) }
  const eventFilters = [
    oneOf('action', 'user.signed-in', 'user.banned', 'unknown', 'user.signed-in,user.banned,sign-in.failed'),
    oneOf('outcome', 'failed', 'denied', 'succeeded,denied'),
    oneOf('actorKind', 'operator', 'user', 'system', 'operator,system'),
    oneOf('actorId', rowId('user', 0), rowId('user', 501), 'unknown'),
    oneOf('userId', rowId('user', 0), rowId('user', 501), 'unknown'),
    oneOf('targetType', 'user', 'apikey', 'unknown'),
    oneOf('targetId', rowId('session', 0), 'unknown'),
    oneOf('organizationId', rowId('organization', 0), 'unknown'),
    oneOf('ipAddress', '192.0.2.1', '192.0.2.200'),
    oneOf('requestId', 'request 5', 'unknown'),
    oneOf('createdAfter', ...times),
    oneOf('createdBefore', ...times),
    oneOf('search', 'user000001@example.com', rowId('user', 0), '192.0.2.1', 'unknown'),
  ]
  return {
    '/admin/list-users': [
      userFilters(columns, now),
      orders(columns),
      oneOf('searchValue', '000500', 'example', 'unknown').flatMap((search) =>
        userQuery.shape.searchField
          .unwrap()
          .options.flatMap((searchField) =>
            userQuery.shape.searchOperator.unwrap().options.map((searchOperator) => ({ ...search, searchField, searchOperator })),
          ),
      ),
      oneOf('search', 'user0005', 'user00', '00', 'name 0', 'user', 'unknown', rowId('user', 500)),
      oneOf('status', ...userQuery.shape.status.unwrap().options),
      oneOf('role', 'admin', 'editor', 'user', 'unknown', 'admin,user'),
      oneOf('provider', 'credential', 'github', 'gitlab', 'unknown'),
      oneOf('secondFactor', 'with', 'without'),
      oneOf('organizationId', rowId('organization', 0), rowId('organization', 50_000), 'unknown'),
      ...['createdAfter', 'createdBefore', 'lastSignInAfter', 'lastSignInBefore'].map((name) => oneOf(name, ...times)),
      oneOf('include', 'organizations'),
      oneOf('offset', '5000'),
    ],
    '/admin/list-organizations': [
      oneOf('search', 'Organization 0005', 'organ', 'slug-0005', 'unknown', rowId('organization', 5)),
    ],
    '/admin/list-organization-members': memberDimensions(organization),
    // The same query as that of administrators.
    '/organization/list-members': [
      ...memberDimensions(organization).map((alternatives) => alternatives.slice(0, 1)),
      oneOf('lastSignIn', 'true'),
      oneOf('teams', 'true'),
    ],
    '/admin/list-events': eventFilters,
    '/admin/count-events': eventFilters,
    '/list-security-events': [],
    '/organization/list-events': [[organization], ...eventFilters.slice(0, 2)],
    '/organization/list-invitations': [
      [organization],
      oneOf('status', 'pending', 'accepted', 'rejected', 'canceled', 'expired'),
      oneOf('search', 'invited0005', 'invited', 'unknown'),
    ],
    '/organization/list-teams': [[organization], oneOf('memberCounts', 'true')],
    '/organization/list-team-members': [[{ teamId: rowId('team', 3) }]],
    '/organization/list-user-teams': [[organization], oneOf('userId', rowId('user', 3))],
    '/api-key/list': [
      oneOf('configId', 'default', 'team'),
      oneOf('organizationId', rowId('organization', 0)),
      orders(['createdAt', 'remaining']),
      oneOf('offset', '50'),
    ],
    '/organization/list-memberships': [oneOf('search', 'Organization', 'unknown')],
    '/organization/list': [],
    '/admin/list-mails': [
      oneOf('state', 'waiting', 'sent', 'failed'),
      oneOf('kind', 'verify-email', 'notice', 'unknown'),
      oneOf('recipient', 'operations@example.com', 'user1@example.com', 'unknown@example.com'),
    ],
    '/admin/list-lockouts': [],
    '/admin/list-terms-acceptances': [
      // Frequent, rare, only old, and unknown.
      [
        { document: 'privacy', version: '2' },
        { document: 'privacy', version: '3' },
        { document: 'privacy', version: '1' },
        { document: 'unknown', version: '1' },
      ],
      oneOf('userId', rowId('user', 500), 'unknown'),
    ],
    '/admin/list-invite-links': [],
    '/admin/list-waiting-list': [
      oneOf('state', 'waiting', 'approved', 'declined'),
      oneOf('search', 'applicant00005', 'applicant', 'unknown'),
    ],
    '/admin/list-bulk-actions': [],
    '/admin/list-bulk-action-targets': [[{ id: rowId('bulkAction', 0) }], oneOf('outcome', 'done', 'failed', 'skipped')],
  }
}

/** Parameters that choose a page, or the organization that is listed in each query. */
export const pageParameters: ReadonlySet<string> = new Set(['limit', 'cursor', 'after', 'newer', 'organizationSlug'])

/** Without an index: long texts, and fields of the configuration that are not `sortable`. */
const plainColumns = ['image', 'banReason', 'level']

/**
 * Whether no index can serve a query: it looks for a part of a text, has a column without an index, or skips rows. It reads each row
 * once at most. The pages of the dashboard send no such query.
 */
export function isScan(path: string, query: Query): boolean {
  const { filterField = '', filterOperator = 'eq', searchOperator, sortBy = '', offset } = query
  if (offset !== undefined) return true
  // Of one organization.
  if (path.endsWith('invitations')) return query.search !== undefined
  if (path.endsWith('members')) return isPattern(filterOperator) || filterField === 'twoFactorEnabled'
  const isPart = searchOperator === 'contains' || searchOperator === 'ends_with' || isPattern(filterOperator)
  const isCompared = filterField === 'name' && !['eq', 'in'].includes(filterOperator)
  // All matches are far from the start of the list.
  const isFar = query.status === 'active' || query.organizationId !== undefined || filterField === 'banned'
  // A database has no index for the order of a unique column that may be null, and of the id.
  return isPart || isCompared || isFar || plainColumns.includes(filterField) || [...plainColumns, 'username'].includes(sortBy)
}

interface Case {
  readonly query: Query
  /** Of two dimensions. */
  readonly isPair: boolean
}

/** Each alternative by itself, and pairs of those of two dimensions. */
export function queriesOf(dimensions: readonly Dimension[]): Case[] {
  const pairs = dimensions.flatMap((one, at) =>
    dimensions.slice(at + 1).flatMap((other) => {
      const both = one.flatMap((first) => other.map((second) => ({ ...first, ...second })))
      return spread(both, mostPairs)
    }),
  )
  const single = [{}, ...dimensions.flat()].map((query) => ({ query, isPair: false }))
  return [...single, ...pairs.map((query) => ({ query, isPair: true }))]
}

/** Of two dimensions; there are thousands. */
const mostPairs = 3

/** So many at most, from the whole list. */
function spread<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, items.length / most)
  return Array.from({ length: Math.min(most, items.length) }, (_, at) => items[Math.floor(at * step)] as T)
}

/** The export of the members of an organization. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { exportSource } from '../../core/export-source.ts'
import { session } from '../../core/permissions.ts'
import { isoDate } from '../../core/schemas.ts'
import { listMembers, memberQuery } from './member-list.ts'
import { errors } from './model.ts'
import { memberAllows } from './permissions.ts'
import { anyId } from './schemas.ts'
import { checkFactorFilter, findOwnMember } from './second-factor-policy.ts'
import { findOrganization } from './store.ts'
import { withTeams } from './team-members.ts'

const notAMember = errors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION

const view = z.object({
  ...{ id: z.string(), userId: z.string(), name: z.string(), email: z.string(), role: z.string() },
  ...{ team: z.string().nullable(), joinedAt: isoDate, lastSignInAt: isoDate.nullable().optional() },
})

async function teamNames({ db }: App, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const teams = await db.selectFrom('team').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(teams.map(({ id, name }) => [id, name]))
}

export const exportSources = {
  members: exportSource({
    access: session(),
    filter: memberQuery
      .omit({ limit: true, offset: true, after: true })
      .extend({ organizationId: anyId, lastSignIn: z.enum(['true', 'false']).optional() }),
    authorize: async (app, user, { organizationId, lastSignIn, filterField }) => {
      const own = await findOwnMember(app, organizationId, user)
      if (!own) throw new ApiError(notAMember)
      if (lastSignIn === 'true' && !(await memberAllows(app, own, { member: ['update'] })))
        throw new ApiError(kernelErrors.FORBIDDEN)
      await checkFactorFilter(app, own, filterField)
    },
    organizationOf: ({ organizationId }) => organizationId,
    view: () => view,
    readPage: async (app, { organizationId, ...filter }, { cursor, limit }) => {
      const organization = await findOrganization(app, organizationId)
      if (!organization) throw new ApiError(notAMember)
      const { rows, next, total } = await listMembers(app, organization, { ...filter, limit, after: cursor })
      const placed = await withTeams(app, rows)
      const names = await teamNames(app, [...new Set(placed.flatMap(({ teamIds }) => teamIds))])
      const members = placed.map(({ id, userId, user: { name, email }, role, teamIds, createdAt, lastSignInAt }) => ({
        ...{ id, userId, name, email, role, joinedAt: createdAt },
        team: teamIds.map((one) => names.get(one) ?? '').join(', ') || null,
        ...(lastSignInAt !== undefined && { lastSignInAt }),
      }))
      return { rows: members, nextCursor: next, total }
    },
  }),
}

/** The calls with which operators read and delete organizations. */
import { z } from 'zod'
import { invalidQuery, maxPage } from '../../core/pages.ts'
import { freshPermission, permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import type { Config } from '../index.ts'
import {
  deleteOrganization,
  listMembers,
  memberPage,
  memberQuery,
  errors as organizationErrors,
  organizationRecord,
} from '../organizations/index.ts'
import { errors } from './model.ts'
import { listOrganizations } from './organization-list.ts'
import { describeContents, getOrganization, organizationNotFound } from './organizations.ts'

const mayList = permission({ organization: ['list'] })
const exists = ({ organization }: Config): boolean => organization.enabled
const id = z.string().max(255)

const organization = {
  id: z.string(),
  name: z.string().meta({ examples: ['Acme'] }),
  slug: z.string().meta({ examples: ['acme'] }),
  logo: z.string().nullable(),
  createdAt: isoDate,
  memberCount: z.int(),
}

export const organizationRoutes = {
  'GET /admin/list-organizations': route({
    summary: 'List all organizations',
    description:
      'Returns a page of the organizations of the installation, newest first. `total` is exact up to 10,000. Fails with 503 when the search takes longer than `admin.listTimeout`.',
    access: mayList,
    exists,
    query: z.object({
      search: z.string().max(255).optional().describe('An ID, or the start of a slug or name'),
      limit: z.coerce.number().int().min(1).max(maxPage).default(50).describe('Number of organizations'),
      cursor: z.string().max(1024).optional().describe('Continue after a page: its `nextCursor`, with the same `search`'),
    }),
    returns: z.object({
      organizations: z.array(z.object(organization)),
      nextCursor: z.string().nullable().describe('For `cursor`; null: this is the last page'),
      total: z.int(),
      totalIsEstimate: z.boolean(),
    }),
    errors: [errors.SEARCH_TOO_SLOW, invalidQuery],
    handler: (ctx) => listOrganizations(ctx, ctx.query),
  }),
  'GET /admin/get-organization': route({
    summary: 'Get any organization',
    description:
      'Returns an organization by ID, the numbers of its members, pending invitations and teams, and up to 10 of its owners. Fails when there is none.',
    access: mayList,
    exists,
    query: z.object({ id }),
    returns: z.object({
      ...organization,
      metadata: z.record(z.string(), z.unknown()).nullable(),
      invitationCount: z.int(),
      teamCount: z.int(),
      owners: z.array(
        z.object({
          userId: z.string(),
          name: z.string(),
          email: z.string(),
          image: z.string().nullable(),
          role: z.string().describe('Role names, separated by commas'),
        }),
      ),
    }),
    errors: [organizationNotFound],
    handler: async (ctx) => {
      const found = await getOrganization(ctx, ctx.query.id)
      return { ...organizationRecord(found), ...(await describeContents(ctx, found)) }
    },
  }),
  'GET /admin/list-organization-members': route({
    summary: 'List the members of any organization',
    description:
      'Returns a page of the members of an organization with their users. Fails when there is no such organization, and with 503 when a search takes longer than `admin.listTimeout`.',
    access: mayList,
    exists,
    query: memberQuery.extend({ organizationId: id }),
    returns: memberPage,
    errors: [organizationNotFound, invalidQuery, errors.SEARCH_TOO_SLOW],
    handler: async (ctx) => {
      const found = await getOrganization(ctx, ctx.query.organizationId)
      const { rows: members, ...page } = await listMembers(ctx, found, ctx.query)
      return { members, ...page }
    },
  }),
  'POST /admin/delete-organization': route({
    summary: 'Delete any organization',
    description:
      'Deletes an organization with its members, invitations and teams, not the users. The hooks of `organizationDeletion` are not called. Fails when there is no such organization.',
    access: freshPermission({ organization: ['delete'] }),
    stepUp: 'recent',
    exists,
    body: z.object({ organizationId: id }),
    returns: z.object({ success: z.literal(true) }),
    errors: [organizationNotFound, organizationErrors.ORGANIZATION_NOT_FOUND],
    handler: async (ctx) => {
      await deleteOrganization(ctx, await getOrganization(ctx, ctx.body.organizationId), null)
      return { success: true as const }
    },
  }),
}

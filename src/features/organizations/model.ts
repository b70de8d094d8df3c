/** Records and responses of organizations (contract 04 and 08). */
import { z } from 'zod'
import { isoDate } from '../../core/schemas.ts'
import type { Config } from '../index.ts'
import type { MemberRow, OrganizationRow } from './tables.ts'

export { errors } from './errors.ts'
export {
  configuredTables,
  type InvitationRow,
  indexes,
  type MemberRow,
  type OrganizationRoleRow,
  type OrganizationRow,
  type TeamMemberRow,
  type TeamRow,
  tables,
} from './tables.ts'

/** An organization as functions of the configuration and emails get it. */
export type OrganizationRecord = Pick<OrganizationRow, 'id' | 'name' | 'slug' | 'logo' | 'createdAt'> & {
  readonly metadata: Readonly<Record<string, unknown>> | null
}
export type MemberRecord = Pick<MemberRow, 'id' | 'organizationId' | 'userId' | 'role' | 'teamId' | 'createdAt'>

/** Metadata as it was given. */
export const metadataOf = ({ metadata }: Pick<OrganizationRow, 'metadata'>): Record<string, unknown> | null =>
  metadata === null ? null : JSON.parse(metadata)

export function organizationRecord(row: OrganizationRow): OrganizationRecord {
  const { id, name, slug, logo, createdAt } = row
  return { id, name, slug, logo, createdAt, metadata: metadataOf(row) }
}

/** Of a member who has not met the policy of second factors yet. */
export const newMemberColumns = { twoFactorMetAt: null, twoFactorRemindedAt: null } as const

export function memberRecord({ id, organizationId, userId, role, teamId, createdAt }: MemberRow): MemberRecord {
  return { id, organizationId, userId, role, teamId, createdAt }
}

/** What the views depend on. */
type Shown = Pick<Config, 'organization'>

const organizationMembers = {
  id: z.string(),
  name: z.string().meta({ examples: ['Acme'] }),
  slug: z.string().meta({ examples: ['acme'] }),
  logo: z.string().nullable(),
  createdAt: isoDate,
}
const metadataObject = z.record(z.string(), z.unknown()).meta({ examples: [{ plan: 'pro' }] })

/** An organization as lists return it: `metadata` is JSON text, or an object if the configuration says so. */
export const organizationView = ({ organization }: Shown) =>
  z
    .object({
      ...organizationMembers,
      metadata: (organization.metadataAsObject
        ? z.preprocess((text) => (typeof text === 'string' ? JSON.parse(text) : text), metadataObject.nullable())
        : z
            .string()
            .nullable()
            .meta({ examples: ['{"plan":"pro"}'] })) as z.ZodType<string | Record<string, unknown> | null, string | null>,
    })
    .meta({ title: 'Organization' })

/** The policy that members need a second factor. */
export const policyView = {
  twoFactorRequired: z.boolean().describe('Whether members need a second factor'),
  twoFactorGraceDays: z
    .int()
    .nullable()
    .describe('Days that a member without one has, from their first call in the organization'),
  twoFactorShowAdministrators: z
    .boolean()
    .describe('Whether a member who has lost their second factor sees the names of administrators'),
}

/** An organization as create and update return it: `metadata` is an object, and missing when there is none. */
export const writtenOrganizationView = z
  .object({ ...organizationMembers, metadata: metadataObject.optional() })
  .meta({ title: 'SavedOrganization' })

export const writtenOrganization = (row: OrganizationRow) => {
  const metadata = metadataOf(row)
  const { metadata: _, ...rest } = row
  return metadata === null ? rest : { ...rest, metadata }
}

/** Responses have `teamId` only when teams are enabled. */
const withTeam = ({ organization }: Shown): { readonly teamId: z.ZodOptional<z.ZodNullable<z.ZodString>> } =>
  (organization.teams.enabled ? { teamId: z.string().nullable().optional() } : {}) as ReturnType<typeof withTeam>

const role = z
  .string()
  .describe('Role names, separated by commas')
  .meta({ examples: ['admin'] })

export const memberView = (config: Shown) =>
  z
    .object({ id: z.string(), organizationId: z.string(), userId: z.string(), role, ...withTeam(config), createdAt: isoDate })
    .meta({ title: 'Member' })

const userOfMember = z
  .object({
    id: z.string(),
    name: z.string().meta({ examples: ['Ann Smith'] }),
    email: z.string(),
    image: z.string().nullable(),
  })
  .meta({ title: 'MemberUser' })

export const memberWithUserView = (config: Shown) =>
  memberView(config).extend({ user: userOfMember }).meta({ title: 'MemberWithUser' })
/** Lists have `lastSignInAt` only when it was asked for. */
export const listedMemberView = (config: Shown) =>
  memberWithUserView(config)
    .extend({
      lastSignInAt: isoDate.nullable().optional().describe('Only with `lastSignIn=true`; null: the user never signed in'),
      teamIds: z
        .array(z.string())
        .optional()
        .describe('Only with `teams=true`: the teams of the member, in the order in which they joined them'),
    })
    .meta({ title: 'ListedMember' })
export type ListedMember = MemberWithUser & { readonly lastSignInAt?: Date | null; readonly teamIds?: string[] }
export type MemberWithUser = MemberRow & { readonly user: z.input<typeof userOfMember> }

export const invitationView = (config: Shown) =>
  z
    .object({
      id: z.string(),
      organizationId: z.string(),
      email: z.string(),
      role: role.nullable(),
      ...withTeam(config),
      status: z.string().meta({ examples: ['pending'] }),
      expiresAt: isoDate,
      inviterId: z.string(),
    })
    .meta({ title: 'Invitation' })

export const teamView = z
  .object({
    id: z.string(),
    name: z.string().meta({ examples: ['Design'] }),
    organizationId: z.string(),
    createdAt: isoDate,
    updatedAt: isoDate.nullable(),
  })
  .meta({ title: 'Team' })

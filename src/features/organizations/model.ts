/** Tables and responses of organizations (contract 04 and 08). */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { isoDate } from '../../core/schemas.ts'
import {
  boolean,
  hidden,
  id,
  index,
  integer,
  internal,
  nullable,
  references,
  string,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from '../../core/table.ts'
import type { Config, Database } from '../index.ts'

export { errors } from './errors.ts'

/**
 * `memberCount` is part of every statement that adds or removes a member, so that one conditional update enforces the limit; each
 * write that depends on the members increases `revision`, which locks the row. `deletedAt` is set while the rows of a large deleted
 * organization are deleted. `pendingEmail` is the address of an invitation that can be accepted, and null otherwise: its unique key
 * allows one per address. `sortName` is as that of users. Teams exist also when they are disabled, in no response.
 * `twoFactorRequiredAt`: since when the policy demands a second factor. `twoFactorShowAdministrators` is part of the policy, also while it
 * demands none. `member.twoFactorMetAt`: when a member without one first met it,
 * and `twoFactorRemindedAt`: when they last got an email about it.
 */
export const tables = {
  organization: {
    id: id(),
    name: string(),
    slug: unique(string()),
    logo: nullable(text()),
    createdAt: timestamp(),
    metadata: nullable(text()), // JSON as it was sent
    memberCount: internal(integer({ default: 0 })),
    revision: internal(integer({ default: 0 })),
    deletedAt: internal(nullable(timestamp())),
    sortName: internal(nullable(string({ length: 64 }))),
    twoFactorRequired: boolean({ default: false }),
    twoFactorGraceDays: nullable(integer()),
    twoFactorRequiredAt: internal(nullable(timestamp())),
    twoFactorShowAdministrators: boolean({ default: false }),
  },
  team: {
    id: id(),
    name: string(),
    organizationId: references('organization'),
    createdAt: timestamp(),
    updatedAt: nullable(timestamp()),
  },
  member: {
    id: id(),
    organizationId: references('organization'),
    userId: references('user'),
    /** Role names, separated by commas. */
    role: string(),
    teamId: nullable(references('team', 'set null')),
    createdAt: timestamp(),
    twoFactorMetAt: internal(nullable(timestamp())),
    twoFactorRemindedAt: internal(nullable(timestamp())),
  },
  invitation: {
    id: id(),
    organizationId: references('organization'),
    email: string({ length: 320 }),
    role: nullable(string()),
    teamId: nullable(references('team', 'set null')),
    status: string({ length: 16 }),
    expiresAt: timestamp(),
    inviterId: references('user'),
    createdAt: hidden(timestamp()),
    pendingEmail: internal(nullable(string({ length: 320 }))),
  },
  /** The active organization: only this feature writes it. Without a foreign key, as in better-auth. */
  session: { activeOrganizationId: nullable(string({ length: 36 })) },
}

export const indexes = {
  organization: [index('createdAt', 'id'), index('deletedAt'), index('sortName', 'id')],
  team: [index('organizationId', 'createdAt', 'id')],
  member: [
    uniqueIndex('organizationId', 'userId'),
    index('userId', 'createdAt', 'id'),
    index('organizationId', 'createdAt', 'id'),
    index('organizationId', 'role', 'id'),
    index('teamId'),
  ],
  invitation: [
    uniqueIndex('organizationId', 'pendingEmail'),
    index('organizationId', 'createdAt', 'id'),
    index('organizationId', 'status', 'createdAt', 'id'),
    index('email'),
    index('inviterId'),
    index('teamId'),
  ],
  session: [index('activeOrganizationId')],
}

export type OrganizationRow = Selectable<Database['organization']>
export type MemberRow = Selectable<Database['member']>
export type InvitationRow = Selectable<Database['invitation']>
export type TeamRow = Selectable<Database['team']>

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
    })
    .meta({ title: 'ListedMember' })
export type ListedMember = MemberWithUser & { readonly lastSignInAt?: Date | null }
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

/** Tables of organizations (contract 08). */
import type { Selectable } from 'kysely'
import {
  boolean,
  hidden,
  id,
  index,
  integer,
  internal,
  json,
  nullable,
  references,
  string,
  type Tables,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from '../../core/table.ts'
import type { Config, Database } from '../index.ts'

/** Characters of the teams that one invitation names. */
const teamIdsLength = 1023

/**
 * `memberCount` is part of every statement that adds or removes a member, so that one conditional update enforces the limit; each
 * write that depends on the members increases `revision`, which locks the row. `deletedAt` is set while the rows of a large deleted
 * organization are deleted. `pendingEmail` is the address of an invitation that can be accepted, and null otherwise: its unique key
 * allows one per address. `sortName` is as that of users. Teams exist also when they are disabled, in no response.
 * `twoFactorRequiredAt`: since when the policy demands a second factor. `twoFactorShowAdministrators` is part of the policy, also while it
 * demands none. `member.twoFactorMetAt`: when a member without one first met it,
 * and `twoFactorRemindedAt`: when they last got an email about it.
 * `teamMember` has the teams of members; `member.teamId` is the one in which a member is for the longest time, for clients that know one.
 * `memberId` deletes the row with the membership.
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
  teamMember: {
    id: id(),
    teamId: references('team'),
    userId: references('user'),
    memberId: internal(references('member')),
    createdAt: timestamp(),
  },
  /** Roles that members with the permission `ac:create` have made, for their organization. */
  organizationRole: {
    id: id(),
    organizationId: references('organization'),
    role: string(),
    permission: json<Readonly<Record<string, readonly string[]>>>(),
    createdAt: timestamp(),
    updatedAt: nullable(timestamp()),
  },
  invitation: {
    id: id(),
    organizationId: references('organization'),
    email: string({ length: 320 }),
    role: nullable(string()),
    /** IDs of teams, separated by commas; without a foreign key, as in better-auth. */
    teamId: nullable(string({ length: teamIdsLength })),
    status: string({ length: 16 }),
    expiresAt: timestamp(),
    inviterId: references('user'),
    createdAt: hidden(timestamp()),
    pendingEmail: internal(nullable(string({ length: 320 }))),
  },
  /** The active organization and team: only this feature writes them. Without a foreign key, as in better-auth. */
  session: {
    activeOrganizationId: nullable(string({ length: 36 })),
    activeTeamId: hidden(nullable(string({ length: 36 }))),
  },
}

/** Sessions have `activeTeamId` in responses only when teams are enabled. */
export const configuredTables = ({ organization }: Config): Tables =>
  organization.teams.enabled ? { session: { activeTeamId: nullable(string({ length: 36 })) } } : {}

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
  teamMember: [
    uniqueIndex('teamId', 'userId'),
    index('teamId', 'createdAt', 'id'),
    index('userId', 'createdAt', 'teamId'),
    index('memberId', 'createdAt', 'id'),
  ],
  organizationRole: [uniqueIndex('organizationId', 'role')],
  invitation: [
    uniqueIndex('organizationId', 'pendingEmail'),
    index('organizationId', 'createdAt', 'id'),
    index('organizationId', 'status', 'createdAt', 'id'),
    index('email'),
    index('inviterId'),
  ],
  session: [index('activeOrganizationId')],
}

export type OrganizationRow = Selectable<Database['organization']>
export type MemberRow = Selectable<Database['member']>
export type InvitationRow = Selectable<Database['invitation']>
export type TeamMemberRow = Selectable<Database['teamMember']>
export type OrganizationRoleRow = Selectable<Database['organizationRole']>
export type TeamRow = Selectable<Database['team']>

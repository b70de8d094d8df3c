/** The options of organizations, in the names of the wire contract (04 §6). */
import { z } from 'zod'
import { type ConfigIssue, callback, group, section } from '../../core/config.ts'
import type { Feature } from '../../core/feature.ts'
import type { SessionView } from '../../core/request.ts'
import { unknownAction } from '../../core/table.ts'
import { isEmailAddress } from '../../lib/text.ts'
import type { Config } from '../index.ts'
import { mailSender, mailTemplates } from '../outbox/index.ts'
import { actionsByResource, roleName } from '../roles/index.ts'
import type { UserRecord } from '../users/index.ts'
import { type InvitationMail, invitationPageIssues } from './invitation-mail.ts'
import type { MemberRecord, OrganizationRecord } from './model.ts'
import { configuredRoles, declaredStatements } from './permissions.ts'
import type { FactorReminder } from './policy-reminders.ts'
import { graceDays, showAdministrators } from './schemas.ts'
import { checkSeed } from './seed-checks.ts'

const limit = z.int().nonnegative()

type OrganizationDraft = Omit<OrganizationRecord, 'createdAt'>
type Creation = { readonly organization: OrganizationDraft; readonly user: UserRecord }
type Created = { readonly organization: OrganizationRecord; readonly user: UserRecord; readonly member: MemberRecord }
type Deletion = { readonly organization: OrganizationRecord; readonly user: UserRecord }
/** `session`: of the call; null for a command. */
type TeamCall = {
  readonly organizationId: string
  readonly session: { readonly session: SessionView; readonly user: UserRecord } | null
}
type MaybeAsync<T> = T | Promise<T>

const teams = section('Teams within organizations', {
  defaultTeam: group('The team that a new organization gets', {
    enabled: z.boolean().default(true).describe('Create a team together with each organization'),
    customCreateDefaultTeam: callback<(organization: OrganizationRecord) => MaybeAsync<{ readonly name: string }>>()
      .optional()
      .describe(
        'Function that returns the team to create, such as `{ name: "Everyone" }`; default: the name of the organization',
      ),
  }),
  maximumTeams: z
    .union([limit, callback<(call: TeamCall) => MaybeAsync<number>>()])
    .optional()
    .describe('Maximum number of teams of an organization, or a function that returns it; default: no limit'),
  maximumMembersPerTeam: z
    .union([limit, callback<(call: TeamCall & { readonly teamId: string }) => MaybeAsync<number>>()])
    .optional()
    .describe('Maximum number of members of a team, or a function that returns it; default: no limit'),
  allowRemovingAllTeams: z.boolean().default(false).describe('Allow removing the last team of an organization'),
})

const creation = group('Hooks around the creation of organizations', {
  disabled: z.boolean().default(false).describe('Disable the creation of organizations by users'),
  beforeCreate: callback<
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook may return nothing
    (data: Creation) => MaybeAsync<{ readonly data: Partial<OrganizationDraft> } | undefined | void>
  >()
    .optional()
    .describe('Called before an organization is created; `{ data }` changes its columns, and an error rejects it'),
  afterCreate: callback<(data: Created) => MaybeAsync<void>>()
    .optional()
    .describe('Called after an organization was created; an error is logged'),
})

const deletion = group('Hooks around the deletion of organizations', {
  disabled: z.boolean().default(false).describe('Disable the deletion of organizations by their members'),
  beforeDelete: callback<(data: Deletion) => MaybeAsync<void>>()
    .optional()
    .describe('Called before an organization is deleted; an error rejects it'),
  afterDelete: callback<(data: Deletion) => MaybeAsync<void>>()
    .optional()
    .describe('Called after an organization was deleted; an error is logged'),
})

export const config = {
  ...mailTemplates<{ 'organization-invitation': InvitationMail; 'organization-two-factor': FactorReminder }>({
    'organization-invitation': 'with an invitation',
    'organization-two-factor': 'that asks a member of an organization to set up a second factor',
  }),
  signUp: group('Who may sign up, by every method (docs/sign-up.md)', {
    invitationsPass: z
      .boolean()
      .default(false)
      .describe(
        'Admit email addresses that are invited to an organization, whatever the mode, `allow` and `disposable`; never those of `block`. Any user who may invite then decides who signs up',
      ),
  }),
  organization: section('Organizations, members, invitations and teams', {
    allowUserToCreateOrganization: z
      .union([z.boolean(), callback<(user: UserRecord) => MaybeAsync<boolean>>()])
      .default(true)
      .describe('Whether users may create organizations, or a function that decides for a user'),
    organizationLimit: z
      .union([limit, callback<(user: UserRecord) => MaybeAsync<boolean>>()])
      .optional()
      .describe(
        'Maximum number of organizations of a user who creates one, or a function that returns true when the limit is reached; default: no limit',
      ),
    creatorRole: roleName.default('owner').describe('Role of the creator; every organization keeps at least one member with it'),
    membershipLimit: z
      .union([limit, callback<(user: UserRecord, organization: OrganizationRecord) => MaybeAsync<number>>()])
      .default(100)
      .describe('Maximum number of members of an organization, or a function that returns it'),
    ac: actionsByResource
      .optional()
      .describe(
        'Resources and actions of your application that roles may permit, such as { project: ["create"] }, in addition to the built-in ones',
      ),
    roles: z
      .record(roleName, actionsByResource)
      .optional()
      .describe('Roles of members in place of `owner`, `admin` and `member`: actions by resource'),
    dynamicAccessControl: section('Roles that members make for their organization while the service runs', {
      maximumRolesPerOrganization: z
        .union([limit, callback<(organizationId: string) => MaybeAsync<number>>()])
        .default(100)
        .describe('Maximum number of such roles of an organization, or a function that returns it'),
    }),
    teams,
    invitationExpiresIn: z.int().positive().default(172_800).describe('Lifetime of an invitation in seconds'),
    invitationLimit: z
      .union([
        limit,
        callback<
          (data: {
            readonly user: UserRecord
            readonly organization: OrganizationRecord
            readonly member: MemberRecord
          }) => MaybeAsync<number>
        >(),
      ])
      .default(100)
      .describe('Maximum number of pending invitations of an organization, or a function that returns it'),
    cancelPendingInvitationsOnReInvite: z
      .boolean()
      .default(false)
      .describe('When an invitation is sent again, cancel the former one and create another; `false`: renew it'),
    requireEmailVerificationOnInvitation: z
      .boolean()
      .default(true)
      .describe('Only a user with a verified email address can accept or reject an invitation'),
    sendInvitationEmail: mailSender<InvitationMail>('invitation'),
    invitationMailLimit: group('Limit of invitation emails that one member sends', {
      max: z
        .int()
        .min(1)
        .max(100_000)
        .default(200)
        .describe('Invitation emails per member in the window; a further invitation is rejected'),
      maxUnverified: z
        .int()
        .min(1)
        .max(100_000)
        .default(5)
        .describe('The same for a member whose email address is not verified, if verification emails are sent'),
      window: z.int().min(60).max(86_400).default(3600).describe('Length of the window in seconds'),
    }),
    checkRoles: z
      .boolean()
      .default(true)
      .describe('Reject roles that are neither configured nor seeded; `false`: accept any role name, as better-auth 1.2 does'),
    metadataAsObject: z
      .boolean()
      .default(false)
      .describe(
        'Return `metadata` as an object in every response; `false`: as text except after create and update, as better-auth does',
      ),
    organizationCreation: creation,
    organizationDeletion: deletion,
  }),
  seed: group('Roles, administrators and organizations that `latchkey seed` creates', {
    organizations: z
      .array(
        z.strictObject({
          slug: z.string().min(1).max(255).describe('Identifies the organization'),
          name: z.string().min(1).max(255).describe('Name of the organization'),
          owner: z.string().refine(isEmailAddress, 'Expected an email address').describe('Email address of a user'),
          members: z
            .array(
              z.strictObject({
                email: z.string().refine(isEmailAddress, 'Expected an email address').describe('Email address of a user'),
                role: z.string().min(1).max(255).default('member').describe('Role names, separated by commas'),
                team: z.string().optional().describe('Name of a team of the organization; default: unchanged'),
              }),
            )
            .default([])
            .describe('Members other than the owner'),
          teams: z.array(z.string().min(1).max(255)).default([]).describe('Names of teams'),
          twoFactor: z
            .strictObject({
              required: z.boolean().describe('Whether members need a second factor to act in the organization'),
              graceDays: graceDays
                .optional()
                .describe('Days that a member without one has; default: unchanged, 0 for a new policy'),
              showAdministrators: showAdministrators.optional(),
            })
            .optional()
            .describe('Policy of second factors; needs `twoFactor.required` with `{ organizations: true }`; default: unchanged'),
        }),
      )
      .default([])
      .describe('Organizations with their members and teams'),
  }),
}

export const enabled = ({ organization }: Config): boolean => organization.enabled

export function checkConfig(config: Config, _enabled: readonly Feature[]): ConfigIssue[] {
  const { organization } = config
  const roles = configuredRoles(config)
  const issues = invitationPageIssues(config)
  if (!Object.hasOwn(roles, organization.creatorRole)) {
    const message = `There is no role "${organization.creatorRole}".`
    issues.push({
      id: 'organization-creator-role',
      path: 'organization.creatorRole',
      message,
      hint: 'Declare it in organization.roles.',
    })
  }
  const known = declaredStatements(config)
  for (const [role, permissions] of Object.entries(organization.roles ?? {})) {
    for (const [resource, actions] of Object.entries(permissions)) {
      for (const action of actions.filter((one) => !known[resource]?.includes(one))) {
        const path = `organization.roles.${role}.${resource}`
        issues.push({
          id: 'organization-role-action',
          path,
          message: unknownAction(known, resource, action),
          hint: 'Declare it in organization.ac.',
        })
      }
    }
  }
  return [...issues, ...checkSeed(config)]
}

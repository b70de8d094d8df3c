/** Roles of an organization, and several teams: the events, and what calls do. */
import type { Values } from './values.ts'

export const attempts = {
  'GET /organization/list-team-members': 'list the members of a team',
  'GET /organization/list-user-teams': 'list the teams of a user',
  'POST /organization/set-active-team': 'set the active team',
  'GET /organization/get-organization': 'view an organization',
  'GET /organization/get-role': 'view a role of an organization',
  'POST /organization/create-role': 'create a role of an organization',
  'POST /organization/update-role': 'change a role of an organization',
  'POST /organization/delete-role': 'delete a role of an organization',
}

export const messages = {
  'organization-role.created': ({ actor, role, organization }: Values) => `${actor} made the role ${role} in ${organization}`,
  'organization-role.updated': ({ actor, role, organization }: Values) => `${actor} changed the role ${role} of ${organization}`,
  'organization-role.deleted': ({ actor, role, organization }: Values) => `${actor} deleted the role ${role} of ${organization}`,
  'organization-key.created': ({ actor, organization }: Values) => `${actor} created an API key of ${organization}`,
  'organization-key.updated': ({ actor, organization }: Values) => `${actor} changed an API key of ${organization}`,
  'organization-key.deleted': ({ actor, organization }: Values) => `${actor} deleted an API key of ${organization}`,
  'organization-key.expired': ({ organization }: Values) =>
    `An API key of ${organization} was deleted because it can no longer be used`,
  'team.member-added': ({ actor, user, team, organization }: Values) =>
    `${actor} added ${user} to the team ${team} of ${organization}`,
  'team.member-removed': ({ actor, user, team, organization }: Values) =>
    `${actor} removed ${user} from the team ${team} of ${organization}`,
}

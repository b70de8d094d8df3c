/** Roles of an organization, and several teams: the events, and what calls do. */
import type { Values } from './values.ts'

export const attempts = {
  'GET /organization/list-team-members': 'die Mitglieder eines Teams auflisten',
  'GET /organization/list-user-teams': 'die Teams eines Benutzers auflisten',
  'POST /organization/set-active-team': 'das aktive Team setzen',
  'GET /organization/get-organization': 'eine Organisation ansehen',
  'GET /organization/get-role': 'eine Rolle einer Organisation ansehen',
  'POST /organization/create-role': 'eine Rolle einer Organisation erstellen',
  'POST /organization/update-role': 'eine Rolle einer Organisation ändern',
  'POST /organization/delete-role': 'eine Rolle einer Organisation löschen',
}

export const messages = {
  'organization-role.created': ({ actor, role, organization }: Values) =>
    `${actor} hat die Rolle ${role} in ${organization} erstellt`,
  'organization-role.updated': ({ actor, role, organization }: Values) =>
    `${actor} hat die Rolle ${role} von ${organization} geändert`,
  'organization-role.deleted': ({ actor, role, organization }: Values) =>
    `${actor} hat die Rolle ${role} von ${organization} gelöscht`,
  'organization-key.created': ({ actor, organization }: Values) =>
    `${actor} hat einen API-Schlüssel von ${organization} erstellt`,
  'organization-key.updated': ({ actor, organization }: Values) =>
    `${actor} hat einen API-Schlüssel von ${organization} geändert`,
  'organization-key.deleted': ({ actor, organization }: Values) =>
    `${actor} hat einen API-Schlüssel von ${organization} gelöscht`,
  'organization-key.expired': ({ organization }: Values) =>
    `Ein API-Schlüssel von ${organization} wurde gelöscht, weil er nicht mehr verwendbar ist`,
  'team.member-added': ({ actor, user, team, organization }: Values) =>
    `${actor} hat ${user} in das Team ${team} von ${organization} aufgenommen`,
  'team.member-removed': ({ actor, user, team, organization }: Values) =>
    `${actor} hat ${user} aus dem Team ${team} von ${organization} entfernt`,
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  organizations: 'Organisationen',
  waiting: ({ count }, { plural }) => plural(count, { one: '# Einladung wartet', other: '# Einladungen warten' }),
  createOrganization: 'Organisation erstellen',
  overview: 'Übersicht',
  members: 'Mitglieder',
  invitations: 'Einladungen',
  teams: 'Teams',
  roles: 'Rollen',
  activity: 'Aktivität',
  settings: 'Einstellungen',
  notAMember: 'Sie können diese Organisation nicht öffnen',
  notAMemberText: 'Sie sind kein Mitglied, oder es gibt sie nicht mehr. Bitten Sie eines ihrer Mitglieder um eine Einladung.',
  allOrganizations: 'Alle Organisationen',
}

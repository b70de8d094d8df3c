import type { Format } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english, Searched, Target } from './en.ts'

const users = ({ name, count }: Target, { plural }: Format) => (count === 1 ? name : plural(count, { other: '# Benutzer' }))
const usersDative = ({ name, count }: Target, { plural }: Format) =>
  count === 1 ? name : plural(count, { other: '# Benutzern' })
const ended = (count: number, { plural }: Format) =>
  plural(count, { one: '# Sitzung wurde beendet.', other: '# Sitzungen wurden beendet.' })

const startsOf = ({ username, phoneNumber }: Searched): string =>
  new Intl.ListFormat('de', { type: 'disjunction' }).format([
    'einer E-Mail-Adresse',
    ...(username ? ['eines Benutzernamens'] : []),
    ...(phoneNumber ? ['einer Telefonnummer'] : []),
  ])

export const messages: Translation<typeof english> = {
  users: 'Benutzer',
  usersLead: 'Alle, die auf dieser Instanz ein Konto haben.',
  user: 'Benutzer',
  createUser: 'Benutzer erstellen',
  export: 'Benutzer exportieren',
  exportText:
    'Die Benutzer, auf die Suche und Filter zutreffen, in der Reihenfolge der Liste, mit Profil und Status. Die Kommandozeile exportiert alle Benutzer mit ihren Anmeldemethoden:',
  views: 'Ansichten',
  all: 'Alle',
  unverifiedView: 'Nicht bestätigt',
  bannedView: 'Gesperrt',
  administrators: 'Administratoren',
  saveView: 'Ansicht speichern',
  saveViewText: 'Speichert Filter und Sortierung in diesem Browser. Die Suche wird nicht gespeichert.',
  viewName: 'Name',
  viewExists: 'Es gibt eine Ansicht mit diesem Namen.',
  removeView: 'Ansicht entfernen',
  searchUsers: 'Benutzer suchen',
  searchUsersHint: 'E-Mail, Name oder genaue ID',
  searchUsersNote: (also) =>
    `Findet eine genaue ID oder E-Mail-Adresse, den Anfang ${startsOf(also)} und die Wörter eines Namens nach ihrem Anfang, etwa „ida wolfs“.`,
  name: 'Name',
  email: 'E-Mail',
  status: 'Status',
  role: 'Rolle',
  roles: 'Rollen',
  organizations: 'Organisationen',
  lastSignIn: 'Letzte Anmeldung',
  created: 'Erstellt',
  active: 'Aktiv',
  unverified: 'Nicht bestätigt',
  banned: 'Gesperrt',
  locked: 'Sicherheitssperre',
  bannedUntil: ({ date }) => `Bis ${date}`,
  never: 'Nie',
  noName: 'Ohne Namen',
  columns: 'Spalten',
  rowsPerPage: 'Zeilen',
  selectAll: 'Alle Benutzer dieser Seite auswählen',
  select: ({ name }) => `${name} auswählen`,
  selected: ({ count }, { plural }) => plural(count, { other: '# ausgewählt' }),
  onThisPage: 'auf dieser Seite',
  selectMatching: ({ count }) => `Alle ${count} passenden auswählen`,
  selectAboutMatching: ({ count }) => `Alle passenden auswählen, etwa ${count}`,
  matchingSelected: 'Alle passenden Benutzer sind ausgewählt',
  clearSelection: 'Auswahl aufheben',
  actionsFor: ({ name }) => `Aktionen für ${name}`,
  openUser: 'Benutzer öffnen',
  copyId: 'ID kopieren',
  idCopied: 'Die ID wurde kopiert.',
  userCreated: ({ name }) => `${name} wurde erstellt.`,
  you: ['Sie', 'Du'],
  ownAccount: ['Das ist Ihr eigenes Konto.', 'Das ist dein eigenes Konto.'],

  filterUsers: 'Benutzer filtern',
  showUsers: 'Benutzer anzeigen',
  clearFilters: 'Filter zurücksetzen',
  anyStatus: 'Jeder Status',
  anyRole: 'Jede Rolle',
  anyProvider: 'Jede Anmeldemethode',
  password: 'Passwort',
  provider: 'Anmeldemethode',
  secondFactor: 'Zweiter Faktor',
  anyFactor: 'Mit oder ohne',
  with: 'Mit',
  without: 'Ohne',
  yes: 'Ja',
  no: 'Nein',
  organization: 'Organisation',
  organizationId: 'ID einer Organisation',
  anyOrganization: 'Jede Organisation',
  clearOrganization: 'Organisation entfernen',
  searching: 'Wird gesucht …',
  noOrganizationFound: 'Keine Organisation gefunden',
  createdAfter: 'Erstellt nach',
  createdBefore: 'Erstellt vor',
  lastSignInAfter: 'Letzte Anmeldung nach',
  lastSignInBefore: 'Letzte Anmeldung vor',
  statusIs: 'Status ist',
  roleIs: 'Rolle ist',
  providerIs: 'Meldet sich an mit',
  memberOf: 'Mitglied von',
  sortBy: 'Sortieren nach',
  newestFirst: 'Erstellt, neueste zuerst',
  oldestFirst: 'Erstellt, älteste zuerst',
  byEmail: 'E-Mail, A bis Z',
  byName: 'Name, A bis Z',
  recentFirst: 'Letzte Anmeldung, neueste zuerst',

  noUserFound: 'Kein Benutzer gefunden',
  noUserFoundText: (also) => [
    `Suchen Sie nach einer genauen ID oder E-Mail-Adresse, nach dem Anfang ${startsOf(also)} oder nach Wörtern eines Namens. Auch die Filter gelten.`,
    `Suche nach einer genauen ID oder E-Mail-Adresse, nach dem Anfang ${startsOf(also)} oder nach Wörtern eines Namens. Auch die Filter gelten.`,
  ],
  noMoreUsers: 'Keine weiteren Benutzer',
  noMoreUsersText: 'Diese Seite ist leer, weil Benutzer gelöscht oder geändert wurden.',
  showFirstPage: 'Erste Seite anzeigen',
  noUsers: 'Noch keine Benutzer',
  noUsersText: [
    'Hier erscheinen Benutzer, sobald sie sich registrieren. Erstellen Sie hier einen oder im Terminal:',
    'Hier erscheinen Benutzer, sobald sie sich registrieren. Erstelle hier einen oder im Terminal:',
  ],
  command: 'Befehl',
  copyCommand: 'Befehl kopieren',
  tooSlowText: [
    'Suchen Sie nach einer genauen ID oder E-Mail-Adresse, nach dem Anfang einer E-Mail-Adresse oder nach Wörtern eines Namens, mit weniger Filtern.',
    'Suche nach einer genauen ID oder E-Mail-Adresse, nach dem Anfang einer E-Mail-Adresse oder nach Wörtern eines Namens, mit weniger Filtern.',
  ],

  oneUser: '1 Benutzer',
  bulkTargets: ({ count }, { plural }) => [
    plural(count, {
      one: '# Benutzer wird vom Server geändert. Sie können die Seite währenddessen schließen.',
      other: '# Benutzer werden vom Server nacheinander geändert. Sie können die Seite währenddessen schließen.',
    }),
    plural(count, {
      one: '# Benutzer wird vom Server geändert. Du kannst die Seite währenddessen schließen.',
      other: '# Benutzer werden vom Server nacheinander geändert. Du kannst die Seite währenddessen schließen.',
    }),
  ],
  bulkNoTargets: 'Kein Benutzer wird geändert.',
  skipped: 'Übersprungen:',
  skipsSelf: ['Ihr eigenes Konto', 'dein eigenes Konto'],
  skipsAdministrators: ({ count }, { plural }) =>
    plural(count, { one: '# Administrator, der einzeln zu ändern ist', other: '# Administratoren, die einzeln zu ändern sind' }),
  skipsNotPermitted: ({ count }, { plural }) => [
    plural(count, {
      one: '# Benutzer, dessen Rolle mehr erlaubt als Ihre',
      other: '# Benutzer, deren Rollen mehr erlauben als Ihre',
    }),
    plural(count, {
      one: '# Benutzer, dessen Rolle mehr erlaubt als deine',
      other: '# Benutzer, deren Rollen mehr erlauben als deine',
    }),
  ],
  skipsUnchanged: ({ count }, { plural }) =>
    plural(count, {
      one: '# Benutzer, bei dem sich nichts ändern würde',
      other: '# Benutzer, bei denen sich nichts ändern würde',
    }),

  lock: 'Sicherheitssperre setzen',
  unlock: 'Sicherheitssperre aufheben',
  ban: 'Benutzer sperren',
  banShort: 'Sperren',
  banQuestion: (target, format) => `${users(target, format)} sperren?`,
  banText: 'Alle Sitzungen enden sofort. Eine Anmeldung ist erst möglich, wenn die Sperre abläuft oder aufgehoben wird.',
  banConfirm: (target, format) => (target.count === 1 ? 'Benutzer sperren' : `${users(target, format)} sperren`),
  banReason: 'Grund',
  banReasonHint: 'Andere Administratoren sehen ihn. Er bleibt im Audit-Log.',
  banExpires: 'Ende',
  banForever: 'Unbefristet',
  banDay: 'In 1 Tag',
  banWeek: 'In 7 Tagen',
  banMonth: 'In 30 Tagen',
  banUntil: 'An einem Tag…',
  banDate: 'Letzter Tag der Sperre',
  banDone: (target, format) =>
    `${users(target, format)} ${target.count === 1 ? 'wurde' : 'wurden'} gesperrt. ${ended(target.sessions, format)}`,

  unban: 'Sperre aufheben',
  unbanQuestion: (target, format) => `Sperre von ${usersDative(target, format)} aufheben?`,
  unbanText: 'Eine Anmeldung ist dann wieder möglich.',
  unbanConfirm: 'Sperre aufheben',
  unbanDone: (target, format) => `${users(target, format)} ${target.count === 1 ? 'kann' : 'können'} sich wieder anmelden.`,

  revoke: 'Sitzungen beenden',
  revokeQuestion: (target, format) => `Alle Sitzungen von ${usersDative(target, format)} beenden?`,
  revokeText: 'Alle Geräte werden sofort abgemeldet. Eine neue Anmeldung ist möglich.',
  revokeDone: (target, format) => `${users(target, format)}: ${ended(target.sessions, format)}`,

  setRole: 'Rolle festlegen',
  setRoleQuestion: (target, format) => `Rolle von ${usersDative(target, format)} festlegen`,
  setRoleText: 'Die neue Rolle gilt sofort, in allen Sitzungen.',
  setRoleDone: (target, format) =>
    `${users(target, format)} ${target.count === 1 ? 'hat' : 'haben'} jetzt diese Rolle: ${target.roles}.`,
  roleUser: 'Benutzer',
  roleAdmin: 'Administrator',
  permitsNothing: 'Erlaubt nichts in der Verwaltung.',
  permitsEverything: 'Erlaubt alles.',
  more: ({ count }) => `${count} weitere`,

  delete: 'Benutzer löschen',
  deleteShort: 'Löschen',
  deleteQuestion: (target, format) => `${users(target, format)} löschen?`,
  deleteText:
    'Profil, Anmeldemethoden, Sitzungen und Mitgliedschaften werden gelöscht. Das kann nicht rückgängig gemacht werden.',
  deleteConfirm: (target, format) => (target.count === 1 ? 'Benutzer löschen' : `${users(target, format)} löschen`),
  typeEmail: ({ email }) => [`Geben Sie zur Bestätigung ${email} ein`, `Gib zur Bestätigung ${email} ein`],
  typeNumber: ({ count }) => [`Geben Sie zur Bestätigung ${count} ein`, `Gib zur Bestätigung ${count} ein`],
  deleteDone: (target, format) => `${users(target, format)} ${target.count === 1 ? 'wurde' : 'wurden'} gelöscht.`,

  sendReset: 'Link zum Zurücksetzen senden',
  sendResetQuestion: (target, format) => `Link zum Zurücksetzen an ${users(target, format)} senden?`,
  sendResetText:
    'Eine E-Mail mit einem Link, über den ein neues Passwort festgelegt wird. Das bisherige Passwort gilt, bis der Link verwendet wird.',
  sendResetDone: ({ email }) => `Der Link zum Zurücksetzen wurde an ${email} gesendet.`,

  impersonate: 'Als Benutzer anmelden',
  impersonateQuestion: ({ name }) => `Als ${name} anmelden?`,
  impersonateText: ({ minutes }, { plural }) => [
    `Sie sind höchstens ${plural(minutes, { one: '# Minute', other: '# Minuten' })} als dieser Benutzer angemeldet. Alles, was Sie tun, wird unter beiden Namen aufgezeichnet. Passwörter, E-Mail-Adressen und Anmeldemethoden können Sie dabei nicht ändern.`,
    `Du bist höchstens ${plural(minutes, { one: '# Minute', other: '# Minuten' })} als dieser Benutzer angemeldet. Alles, was du tust, wird unter beiden Namen aufgezeichnet. Passwörter, E-Mail-Adressen und Anmeldemethoden kannst du dabei nicht ändern.`,
  ],
  impersonateReason: 'Grund',
  impersonateReasonHint: 'Zum Beispiel eine Ticketnummer. Der Grund bleibt im Audit-Log.',
  impersonateConfirm: 'Jetzt anmelden',
  terms: 'Bedingungen',
}

/** Texte der Seite über einen Vorfall. */
import type { Format } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './incident-en.ts'

const sessions = (count: number, { plural }: Format) => plural(count, { one: '# Sitzung', other: '# Sitzungen' })
const users = (count: number, { plural }: Format) => plural(count, { one: '# Benutzer', other: '# Benutzern' })

export const messages: Translation<typeof english> = {
  incident: 'Vorfall',
  lead: [
    'Frieren Sie ein, was angegriffen wird, und beenden Sie die Sitzungen eines Angreifers. Beides wirkt nach etwa einer Sekunde auf jedem Daemon.',
    'Friere ein, was angegriffen wird, und beende die Sitzungen eines Angreifers. Beides wirkt nach etwa einer Sekunde auf jedem Daemon.',
  ],
  freezes: 'Eingefroren',
  freezesLead: [
    'Geben Sie alles wieder frei, wenn der Vorfall vorbei ist.',
    'Gib alles wieder frei, wenn der Vorfall vorbei ist.',
  ],
  'sign-up': 'Registrierung',
  'sign-upText': 'Keine neuen Benutzer. Administratoren und Befehle erstellen weiterhin Benutzer.',
  'sign-in': 'Anmeldung',
  'sign-inText':
    'Keine neuen Sitzungen, außer für Administratoren, die die Anmeldung freigeben dürfen. Angemeldete Benutzer bleiben angemeldet.',
  writes: 'Änderungen',
  writesText:
    'Nur-Lese-Modus: Jeder Aufruf, der etwas ändert, wird abgelehnt. Angemeldete Benutzer bleiben angemeldet und können sich abmelden.',
  frozen: 'Eingefroren',
  notFrozen: 'Nicht eingefroren',
  frozenBy: ({ time, by }) => `Seit ${time}, von ${by}.`,
  unknownBy: 'einem gelöschten Benutzer',
  until: ({ time }) => `Bis ${time}.`,
  untilLifted: 'Bis zur Freigabe.',
  freeze: 'Einfrieren',
  lift: 'Freigeben',
  freezeNamed: ({ name }) => `Einfrieren: ${name}`,
  liftNamed: ({ name }) => `Freigeben: ${name}`,
  freezeQuestion: ({ name }) => `„${name}“ einfrieren?`,
  reason: 'Grund',
  reasonHint: 'Für das Audit-Log und andere Administratoren',
  duration: 'Dauer',
  forever: 'Bis zur Freigabe',
  minutes30: '30 Minuten',
  hours2: '2 Stunden',
  hours12: '12 Stunden',
  lifted: ({ name }) => `Freigegeben: ${name}`,
  frozenDone: ({ name }) => `Eingefroren: ${name}`,

  revoke: 'Sitzungen beenden',
  revokeLead: [
    'Die Sitzungen, auf die jeder Filter zutrifft, den Sie eingeben. Vertrauen in Browser und API-Schlüssel bleiben.',
    'Die Sitzungen, auf die jeder Filter zutrifft, den du eingibst. Vertrauen in Browser und API-Schlüssel bleiben.',
  ],
  since: 'Angemeldet seit',
  ip: 'IP-Adresse oder Netz',
  ipHint: 'Etwa 192.0.2.7 oder 192.0.2.0/24',
  method: 'Anmeldeverfahren',
  methodHint: 'Etwa password, passkey oder social:github',
  organizationId: 'ID der Organisation',
  preview: 'Sitzungen zählen',
  found: ({ sessions: count, users: owners }, format) => `${sessions(count, format)} von ${users(owners, format)}`,
  foundAtLeast: ({ sessions: count, users: owners }, format) =>
    `Mindestens ${sessions(count, format)} von ${users(owners, format)}. Es sind zu viele, um sie hier alle zu zählen.`,
  noneFound: 'Auf keine Sitzung trifft das zu.',
  revokeFound: 'Beenden',
  revokeQuestion: 'Diese Sitzungen beenden?',
  revokeText: [
    'Die Benutzer müssen sich neu anmelden. Ihre eigene Sitzung kann darunter sein.',
    'Die Benutzer müssen sich neu anmelden. Deine eigene Sitzung kann darunter sein.',
  ],
  revoking: 'Die Sitzungen werden ab jetzt abgelehnt. Die Zeilen dazu werden im Hintergrund gelöscht.',

  revocations: 'Beendete Sitzungen',
  noRevocations: 'In den letzten 30 Tagen gab es keine.',
  when: 'Wann',
  filter: 'Filter',
  by: 'Von',
  state: 'Zustand',
  running: 'Läuft',
  completed: 'Abgeschlossen',
  stopped: 'Gestoppt',
  revoked: ({ count }, format) => sessions(count, format),
}

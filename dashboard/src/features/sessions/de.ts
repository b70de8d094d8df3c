import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  sessions: 'Sitzungen',
  sessionsLead: [
    'Geräte und Apps, die bei Ihrem Konto angemeldet sind.',
    'Geräte und Apps, die bei deinem Konto angemeldet sind.',
  ],
  thisDevice: 'Dieses Gerät',
  otherSessions: 'Andere Sitzungen',
  device: 'Gerät',
  ipAddress: 'IP-Adresse',
  signedIn: 'Angemeldet',
  lastActive: 'Zuletzt aktiv',
  expires: 'Läuft ab',
  ifNotUsed: 'wenn ungenutzt',
  unknownAddress: 'Unbekannt',
  signOut: 'Abmelden',
  revoke: 'Beenden',
  revokeNamed: ({ device }) => `Sitzung beenden: ${device}`,
  revokeQuestion: ({ device }) => `Diese Sitzung beenden: ${device}?`,
  revokeText: 'Sie endet sofort. Nicht gespeicherte Eingaben auf diesem Gerät können verloren gehen.',
  revokeSession: 'Sitzung beenden',
  revoked: ({ device }) => `Die Sitzung wurde beendet: ${device}.`,
  revokeOthers: 'Alle anderen Sitzungen beenden',
  revokeOthersQuestion: 'Alle anderen Sitzungen beenden?',
  revokeOthersText: ({ count }, { plural }) =>
    `${plural(count, { one: '# Sitzung endet', other: '# Sitzungen enden' })} sofort. Nicht gespeicherte Eingaben auf diesen Geräten können verloren gehen. Dieses Gerät bleibt angemeldet.`,
  revokeCount: ({ count }, { plural }) => plural(count, { one: '# Sitzung beenden', other: '# Sitzungen beenden' }),
  revokedOthers: ({ count }, { plural }) =>
    plural(count, { one: '# Sitzung wurde beendet.', other: '# Sitzungen wurden beendet.' }),
  signOutEverywhere: 'Überall abmelden',
  signOutEverywhereLead: 'Beendet alle Sitzungen, auch die auf diesem Gerät.',
  signOutEverywhereQuestion: 'Überall abmelden?',
  signOutEverywhereText: ({ count }, { plural }) =>
    `${plural(count, { one: '# Sitzung endet', other: '# Sitzungen enden' })} sofort, auch die auf diesem Gerät. Nicht gespeicherte Eingaben können verloren gehen.`,
  noOthers: 'Keine anderen Sitzungen',
  noOthersText: ['Sie sind nur auf diesem Gerät angemeldet.', 'Du bist nur auf diesem Gerät angemeldet.'],
  unrecognized: ['Sie erkennen eine Sitzung nicht?', 'Du erkennst eine Sitzung nicht?'],
  unrecognizedText: ['Beenden Sie sie, und dann', 'Beende sie, und dann'],
  changePassword: ['ändern Sie Ihr Passwort', 'ändere dein Passwort'],
}

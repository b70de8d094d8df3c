import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './hosted-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Bedingungen',
  acceptTitle: 'Bedingungen akzeptieren',
  acceptLead: ({ appName }) => [
    `Lesen Sie sie und akzeptieren Sie sie, um mit Ihrem Konto bei ${appName} fortzufahren.`,
    `Lies sie und akzeptiere sie, um mit deinem Konto bei ${appName} fortzufahren.`,
  ],
  changedTitle: 'Unsere Bedingungen haben sich geändert',
  changedLead: ({ appName }) => [
    `Lesen Sie, was neu ist, und akzeptieren Sie es, um mit Ihrem Konto bei ${appName} fortzufahren.`,
    `Lies, was neu ist, und akzeptiere es, um mit deinem Konto bei ${appName} fortzufahren.`,
  ],
  version: ({ version }) => `Fassung ${version}`,
  replaces: ({ version, former }) => [
    `Fassung ${version}. Sie haben Fassung ${former} akzeptiert.`,
    `Fassung ${version}. Du hast Fassung ${former} akzeptiert.`,
  ],
  whatIsNew: 'Was neu ist:',
  read: ({ title }) => `${title} in einem neuen Tab lesen`,
  accept: 'Akzeptieren und fortfahren',
  notNow: 'Nicht jetzt',
  postponeUntil: ({ date }) => [`Sie können das bis ${date} aufschieben.`, `Du kannst das bis ${date} aufschieben.`],
  decline: 'Ablehnen',
  cancel: 'Anmeldung abbrechen',
  declined: ['Sie haben die Bedingungen abgelehnt', 'Du hast die Bedingungen abgelehnt'],
  declinedLead: [
    'Ohne sie können Sie sich nicht anmelden. Sie können Ihre Daten mitnehmen und Ihr Konto löschen.',
    'Ohne sie kannst du dich nicht anmelden. Du kannst deine Daten mitnehmen und dein Konto löschen.',
  ],
  exportTitle: ['Ihre Daten', 'Deine Daten'],
  exportText: [
    'Eine JSON-Datei mit allem, was über Sie gespeichert ist.',
    'Eine JSON-Datei mit allem, was über dich gespeichert ist.',
  ],
  exportData: 'Daten herunterladen',
  deleteTitle: ['Ihr Konto', 'Dein Konto'],
  deleteText: ({ email }) => `Das Konto ${email} und alle seine Daten werden gelöscht. Das kann nicht rückgängig gemacht werden.`,
  deleteAccount: 'Konto löschen',
  sendLink: 'Link zum Löschen senden',
  sendLinkText: ({ email }) => [
    `Wir senden einen Link an ${email}. Öffnen Sie ihn in diesem Browser, solange diese Anmeldung wartet.`,
    `Wir senden einen Link an ${email}. Öffne ihn in diesem Browser, solange diese Anmeldung wartet.`,
  ],
  linkSent: ({ email }) => [
    `Wir haben einen Link an ${email} gesendet. Ihr Konto wird erst gelöscht, wenn Sie ihn öffnen und bestätigen.`,
    `Wir haben einen Link an ${email} gesendet. Dein Konto wird erst gelöscht, wenn du ihn öffnest und bestätigst.`,
  ],
  back: 'Zurück zu den Bedingungen',
  signIn: 'Anmelden',
  linkFailed: ['Dieser Link kann Ihr Konto nicht löschen', 'Dieser Link kann dein Konto nicht löschen'],
  linkFailedLead: [
    'Der Link wurde schon verwendet oder ist abgelaufen, oder die Anmeldung wartet nicht mehr. Melden Sie sich an und fordern Sie einen neuen Link an.',
    'Der Link wurde schon verwendet oder ist abgelaufen, oder die Anmeldung wartet nicht mehr. Melde dich an und fordere einen neuen Link an.',
  ],
  confirmDeletion: ['Ihr Konto löschen?', 'Dein Konto löschen?'],
}

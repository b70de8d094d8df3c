import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  somethingWentWrong: 'Etwas ist schiefgegangen',
  lastStepFailed: [
    'Der letzte Schritt konnte nicht abgeschlossen werden. Gehen Sie zurück und versuchen Sie es erneut. Wenn es wieder nicht klappt, wenden Sie sich an den Betreiber dieser Website.',
    'Der letzte Schritt konnte nicht abgeschlossen werden. Geh zurück und versuche es erneut. Wenn es wieder nicht klappt, wende dich an den Betreiber dieser Website.',
  ],
  errorCode: 'Fehlercode',
  requestId: 'Anfrage-ID',
  returnToApplication: 'Zurück zur Anwendung',
  emailChange: 'Änderung der E-Mail-Adresse',
  emailChanged: ['Ihre E-Mail-Adresse ist geändert', 'Deine E-Mail-Adresse ist geändert'],
  emailChangedTo: ({ email }) => [`Sie melden sich jetzt mit ${email} an.`, `Du meldest dich jetzt mit ${email} an.`],
  emailChangedLead: [
    'Melden Sie sich ab jetzt mit Ihrer neuen E-Mail-Adresse an.',
    'Melde dich ab jetzt mit deiner neuen E-Mail-Adresse an.',
  ],
  confirmNew: ['Noch ein Schritt: Öffnen Sie die zweite E-Mail', 'Noch ein Schritt: Öffne die zweite E-Mail'],
  confirmNewLead: [
    'Sie haben die Änderung bestätigt. Wir haben eine weitere E-Mail an Ihre neue Adresse gesendet. Öffnen Sie den Link darin, um die Änderung abzuschließen.',
    'Du hast die Änderung bestätigt. Wir haben eine weitere E-Mail an deine neue Adresse gesendet. Öffne den Link darin, um die Änderung abzuschließen.',
  ],
  verifyNewLead: ({ email }) => [
    `Wir haben eine E-Mail an ${email} gesendet. Öffnen Sie den Link darin, um die Adresse zu bestätigen.`,
    `Wir haben eine E-Mail an ${email} gesendet. Öffne den Link darin, um die Adresse zu bestätigen.`,
  ],
  emailNotChanged: ['Ihre E-Mail-Adresse wurde nicht geändert', 'Deine E-Mail-Adresse wurde nicht geändert'],
  unauthorized: [
    'Öffnen Sie den Link in einem Browser, in dem Sie mit dem Konto angemeldet sind, dessen E-Mail-Adresse sich ändert.',
    'Öffne den Link in einem Browser, in dem du mit dem Konto angemeldet bist, dessen E-Mail-Adresse sich ändert.',
  ],
  changeAgain: [
    'Sie können die Änderung in Ihrem Konto erneut anfordern.',
    'Du kannst die Änderung in deinem Konto erneut anfordern.',
  ],
  accountDeletion: 'Löschung des Kontos',
  accountDeleted: ['Ihr Konto ist gelöscht', 'Dein Konto ist gelöscht'],
  accountDeletedLead: ({ appName }) => [
    `Ihr Konto bei ${appName} und seine Daten sind gelöscht, und Sie sind auf allen Geräten abgemeldet.`,
    `Dein Konto bei ${appName} und seine Daten sind gelöscht, und du bist auf allen Geräten abgemeldet.`,
  ],
  signedOut: ['Sie sind abgemeldet', 'Du bist abgemeldet'],
  signedOutLead: ({ appName }) => [
    `Sie sind in diesem Browser nicht mehr bei ${appName} angemeldet.`,
    `Du bist in diesem Browser nicht mehr bei ${appName} angemeldet.`,
  ],
}

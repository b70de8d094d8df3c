import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './setup-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Zweiten Faktor einrichten',
  why: ({ appName }) => [
    `${appName} verlangt für Ihr Konto einen zweiten Faktor, damit ein gestohlenes Passwort nicht reicht. Richten Sie einen ein, um die Anmeldung abzuschließen.`,
    `${appName} verlangt für dein Konto einen zweiten Faktor, damit ein gestohlenes Passwort nicht reicht. Richte einen ein, um die Anmeldung abzuschließen.`,
  ],
  since: ({ date }) => `Er ist seit ${date} nötig.`,
  until: ({ time }) => [
    `Sie haben Zeit bis ${time}. Danach melden Sie sich erneut an.`,
    `Du hast Zeit bis ${time}. Danach meldest du dich erneut an.`,
  ],
  codeTitle: ['Bestätigen Sie zuerst, dass Sie es sind', 'Bestätige zuerst, dass du es bist'],
  codeSent: ({ to }) => `Wir haben einen Code an ${to} gesendet.`,
  confirm: 'Bestätigen',
  sendNewCode: 'Neuen Code senden',
  newCodeIn: ({ time }) => `Neuer Code in ${time}`,
  newCodeSent: 'Ein neuer Code wurde gesendet.',
  choose: ['Wählen Sie einen zweiten Faktor', 'Wähle einen zweiten Faktor'],
  recommended: 'Empfohlen',
  passkey: 'Passkey',
  passkeyText: [
    'Ihr Fingerabdruck, Ihr Gesicht oder die Sperre Ihres Geräts. Am stärksten, und ohne Codes zum Eintippen.',
    'Dein Fingerabdruck, dein Gesicht oder die Sperre deines Geräts. Am stärksten, und ohne Codes zum Eintippen.',
  ],
  noPasskeys: 'Dieser Browser kann keine Passkeys erstellen.',
  app: 'Authenticator-App',
  appText: [
    'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code.',
    'Eine App auf deinem Telefon zeigt alle 30 Sekunden einen neuen Code.',
  ],
  sms: 'Codes per SMS',
  smsText: [
    'Wir senden bei der Anmeldung einen Code an Ihre Telefonnummer. Schwächer als die anderen.',
    'Wir senden bei der Anmeldung einen Code an deine Telefonnummer. Schwächer als die anderen.',
  ],
  appTitle: ['Richten Sie Ihre Authenticator-App ein', 'Richte deine Authenticator-App ein'],
  smsTitle: ['Geben Sie den Code aus der SMS ein', 'Gib den Code aus der SMS ein'],
  complete: 'Anmeldung abschließen',
  otherWay: 'Anderen Weg wählen',
  codesTitle: ['Bewahren Sie Ihre Ersatzcodes auf', 'Bewahre deine Ersatzcodes auf'],
  codesLead: [
    'Sie sind angemeldet. Mit diesen Codes kommen Sie hinein, wenn Sie Ihren zweiten Faktor verlieren.',
    'Du bist angemeldet. Mit diesen Codes kommst du hinein, wenn du deinen zweiten Faktor verlierst.',
  ],
  lastCode: ['Das war Ihr letzter Ersatzcode', 'Das war dein letzter Ersatzcode'],
  lastCodeLead: [
    'Erstellen Sie neue, damit Sie sich anmelden können, wenn Sie Ihr Telefon verlieren.',
    'Erstelle neue, damit du dich anmelden kannst, wenn du dein Telefon verlierst.',
  ],
  later: 'Nicht jetzt',
  cancel: 'Anmeldung abbrechen',
  over: ['Ihre Anmeldung ist beendet', 'Deine Anmeldung ist beendet'],
  overText: [
    'Die Anmeldung dauerte zu lange oder wurde in einem anderen Tab abgeschlossen. Melden Sie sich erneut an.',
    'Die Anmeldung dauerte zu lange oder wurde in einem anderen Tab abgeschlossen. Melde dich erneut an.',
  ],
  signIn: 'Erneut anmelden',
}

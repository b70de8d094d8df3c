import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './challenge-en.ts'

export const messages: Translation<typeof english> = {
  security: 'Sicherheit',
  title: 'Zweiter Faktor',
  totpLead: [
    'Geben Sie den Code ein, den Ihre Authenticator-App anzeigt.',
    'Gib den Code ein, den deine Authenticator-App anzeigt.',
  ],
  smsLead: ({ to }) => `Wir senden einen Code per SMS an ${unbroken(to)}.`,
  emailLead: ({ to }) => `Wir senden einen Code per E-Mail an ${unbroken(to)}.`,
  smsSent: ({ to }) => `Wir haben einen Code per SMS an ${unbroken(to)} gesendet.`,
  emailSent: ({ to }) => `Wir haben einen Code per E-Mail an ${unbroken(to)} gesendet.`,
  backupLead: [
    'Geben Sie einen Ihrer Ersatzcodes ein. Jeder funktioniert einmal.',
    'Gib einen deiner Ersatzcodes ein. Jeder funktioniert einmal.',
  ],
  code: 'Bestätigungscode',
  clockHint: 'Codes hängen von der Uhrzeit ab: am besten stellt das Telefon sie automatisch ein.',
  backupCode: 'Ersatzcode',
  backupHint: ({ count }, { plural }) => [
    plural(count, { one: 'Sie haben noch # Ersatzcode.', other: 'Sie haben noch # Ersatzcodes.' }),
    plural(count, { one: 'Du hast noch # Ersatzcode.', other: 'Du hast noch # Ersatzcodes.' }),
  ],
  trust: ({ count }, { plural }) =>
    plural(count, { one: 'Diesem Browser # Tag vertrauen', other: 'Diesem Browser # Tage vertrauen' }),
  signIn: 'Anmelden',
  confirm: 'Bestätigen',
  sendCode: 'Code senden',
  sendNewCode: 'Neuen Code senden',
  newCodeIn: ({ time }) => `Neuer Code in ${time}`,
  newCodeSent: 'Ein neuer Code wurde gesendet.',
  anotherWay: 'Ein anderer Weg',
  totpWay: ['Code Ihrer Authenticator-App', 'Code deiner Authenticator-App'],
  smsWay: ({ to }) => `Code per SMS an ${unbroken(to)}`,
  emailWay: ({ to }) => `Code per E-Mail an ${unbroken(to)}`,
  backupWay: ({ count }, { plural }) => plural(count, { one: 'Ersatzcode (# übrig)', other: 'Ersatzcodes (# übrig)' }),
  noWay: [
    'Keiner Ihrer zweiten Faktoren kann jetzt verwendet werden. Melden Sie sich anders an, oder bitten Sie um Hilfe.',
    'Keiner deiner zweiten Faktoren kann jetzt verwendet werden. Melde dich anders an, oder bitte um Hilfe.',
  ],
  cancel: 'Anmeldung abbrechen',
  startAgain: 'Von vorn beginnen',
  tooNew: ({ time }) => [
    `Sie haben diesen zweiten Faktor erst vor Kurzem hinzugefügt. Verwenden Sie einen anderen, oder warten Sie bis ${time}.`,
    `Du hast diesen zweiten Faktor erst vor Kurzem hinzugefügt. Verwende einen anderen, oder warte bis ${time}.`,
  ],
}

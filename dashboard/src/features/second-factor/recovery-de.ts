import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './recovery-en.ts'

export const messages: Translation<typeof english> = {
  timeLeft: ({ time }) => [`Sie haben noch ${time} für die Anmeldung.`, `Du hast noch ${time} für die Anmeldung.`],
  lostFactors: 'Ich habe meinen zweiten Faktor verloren',
  recover: 'Zweiter Faktor verloren',
  recoverLead: [
    'Wenn Sie einen davon noch haben, verwenden Sie ihn. Ihre zweiten Faktoren bleiben dann, wie sie sind.',
    'Wenn du einen davon noch hast, verwende ihn. Deine zweiten Faktoren bleiben dann, wie sie sind.',
  ],
  noneOfThese: 'Ich habe keinen davon',
  resetText: ({ hours }, { plural }) => {
    const wait =
      hours % 24 === 0
        ? plural(hours / 24, { one: '# Tag', other: '# Tage' })
        : plural(hours, { one: '# Stunde', other: '# Stunden' })
    return [
      `Sie können alle Ihre zweiten Faktoren entfernen lassen. Das dauert ${wait}, damit Sie es abbrechen können, wenn jemand anderes es angefordert hat.`,
      `Du kannst alle deine zweiten Faktoren entfernen lassen. Das dauert ${wait}, damit du es abbrechen kannst, wenn jemand anderes es angefordert hat.`,
    ]
  },
  toEmail: ({ to }) => `Wir senden einen Code per E-Mail an ${unbroken(to)}.`,
  toBoth: ({ to, number }) =>
    `Wir senden einen Code per E-Mail an ${unbroken(to)} und einen per SMS an ${unbroken(number)}. Beide sind nötig.`,
  toPhone: ({ to }) => `Wir senden einen Code per SMS an ${unbroken(to)}.`,
  sendCodes: 'Codes senden',
  newCodesIn: ({ time }) => `Neue Codes in ${time}`,
  sendNewCodes: 'Neue Codes senden',
  emailCode: 'Code aus der E-Mail',
  smsCode: 'Code aus der SMS',
  requestReset: 'Zurücksetzen anfordern',
  notPossible: [
    'Nur ein Administrator kann Ihre zweiten Faktoren zurücksetzen.',
    'Nur ein Administrator kann deine zweiten Faktoren zurücksetzen.',
  ],
  askAdministrators: [
    'Sie können sich an einen Administrator Ihrer Organisation wenden:',
    'Du kannst dich an einen Administrator deiner Organisation wenden:',
  ],
  waiting: ({ time }) => `Das Zurücksetzen ist angefordert. Es geschieht am ${time}.`,
  requested: 'Das Zurücksetzen ist angefordert',
  requestedLead: ({ time }) => [
    `Am ${time} werden Ihre zweiten Faktoren entfernt. Melden Sie sich dann an, und richten Sie neue ein.`,
    `Am ${time} werden deine zweiten Faktoren entfernt. Melde dich dann an, und richte neue ein.`,
  ],
  requestedText: [
    'Wir senden Ihnen E-Mails dazu. Eine Anmeldung mit einem zweiten Faktor bricht das Zurücksetzen ab, ebenso der Link in den E-Mails.',
    'Wir senden dir E-Mails dazu. Eine Anmeldung mit einem zweiten Faktor bricht das Zurücksetzen ab, ebenso der Link in den E-Mails.',
  ],
  toSignIn: 'Zurück zur Anmeldung',
  cancelQuestion: 'Zurücksetzen abbrechen?',
  cancelLead: ['Ihre zweiten Faktoren bleiben dann, wie sie sind.', 'Deine zweiten Faktoren bleiben dann, wie sie sind.'],
  cancelReset: 'Zurücksetzen abbrechen',
  cancelled: 'Das Zurücksetzen wurde abgebrochen',
  cancelledLead: [
    'Ihre zweiten Faktoren bleiben, wie sie sind. Wenn Sie das Zurücksetzen nicht angefordert haben, ändern Sie Ihr Passwort: Jemand anderes kennt es.',
    'Deine zweiten Faktoren bleiben, wie sie sind. Wenn du das Zurücksetzen nicht angefordert hast, ändere dein Passwort: Jemand anderes kennt es.',
  ],
  changePassword: 'Passwort ändern',
  linkFailed: 'Dieser Link funktioniert nicht',
  linkFailedLead: 'Das Zurücksetzen wurde schon abgebrochen, oder es ist geschehen.',
}

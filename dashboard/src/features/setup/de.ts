import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  setPassword: 'Passwort festlegen',
  setPasswordLead: ({ email }) => [
    `Wählen Sie das Passwort für ${email}. Dieser Link funktioniert nur einmal.`,
    `Wähle das Passwort für ${email}. Dieser Link funktioniert nur einmal.`,
  ],
  savePassword: 'Passwort festlegen',
  saved: ['Ihr Passwort ist festgelegt', 'Dein Passwort ist festgelegt'],
  savedLead: ({ email }) => [`Sie können sich jetzt als ${email} anmelden.`, `Du kannst dich jetzt als ${email} anmelden.`],
  signIn: 'Anmelden',
  linkFailed: 'Dieser Link funktioniert nicht mehr',
  linkFailedLead: 'Er wurde schon verwendet, ist abgelaufen oder unvollständig.',
  linkFailedOperator: [
    'Wenn Sie diese Website betreiben, erstellen Sie auf dem Server einen neuen mit:',
    'Wenn du diese Website betreibst, erstelle auf dem Server einen neuen mit:',
  ],
  copyCommand: 'Befehl kopieren',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  forgotPassword: 'Passwort vergessen?',
  forgotLead: [
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
    'Gib die E-Mail-Adresse deines Kontos ein. Wir senden dir einen Link, mit dem du ein neues Passwort wählst.',
  ],
  email: 'E-Mail-Adresse',
  byPhone: 'Stattdessen die Telefonnummer verwenden',
  sendLink: 'Link senden',
  rememberedIt: ['Ist es Ihnen wieder eingefallen?', 'Ist es dir wieder eingefallen?'],
  signIn: 'Anmelden',
  newPassword: 'Neues Passwort wählen',
  newPasswordLead: ['Damit melden Sie sich künftig an.', 'Damit meldest du dich künftig an.'],
  savePassword: 'Neues Passwort speichern',
  saved: ['Ihr Passwort ist geändert', 'Dein Passwort ist geändert'],
  savedLead: ['Melden Sie sich mit dem neuen Passwort an.', 'Melde dich mit dem neuen Passwort an.'],
  linkFailed: 'Dieser Link funktioniert nicht mehr',
  linkFailedLead: [
    'Er wurde schon verwendet, ist abgelaufen oder unvollständig. Sie können einen neuen anfordern.',
    'Er wurde schon verwendet, ist abgelaufen oder unvollständig. Du kannst einen neuen anfordern.',
  ],
  requestNewLink: 'Neuen Link anfordern',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  forgotPassword: 'Passwort vergessen?',
  forgotLead:
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  email: 'E-Mail-Adresse',
  byPhone: 'Stattdessen die Telefonnummer verwenden',
  sendLink: 'Link senden',
  rememberedIt: 'Ist es Ihnen wieder eingefallen?',
  signIn: 'Anmelden',
  newPassword: 'Neues Passwort wählen',
  newPasswordLead: 'Damit melden Sie sich künftig an.',
  savePassword: 'Neues Passwort speichern',
  saved: 'Ihr Passwort ist geändert',
  savedLead: 'Melden Sie sich mit dem neuen Passwort an.',
  linkFailed: 'Dieser Link funktioniert nicht mehr',
  linkFailedLead: 'Er wurde schon verwendet, ist abgelaufen oder unvollständig. Sie können einen neuen anfordern.',
  requestNewLink: 'Neuen Link anfordern',
}

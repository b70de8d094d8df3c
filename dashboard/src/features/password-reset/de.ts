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
  byCode: 'Stattdessen einen Code verwenden',
  byLink: 'Stattdessen einen Link verwenden',
  forgotLeadCode: [
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Code, mit dem Sie ein neues Passwort wählen.',
    'Gib die E-Mail-Adresse deines Kontos ein. Wir senden dir einen Code, mit dem du ein neues Passwort wählst.',
  ],
  sendCode: 'Code senden',
  codeSent: ({ email }) => [
    `Falls es ein Konto mit der Adresse ${email} gibt, haben wir dorthin einen Code gesendet. Geben Sie ihn mit Ihrem neuen Passwort ein.`,
    `Falls es ein Konto mit der Adresse ${email} gibt, haben wir dorthin einen Code gesendet. Gib ihn mit deinem neuen Passwort ein.`,
  ],
  code: 'Bestätigungscode',
  openMailbox: ({ provider }) => `${provider} öffnen`,
  newCodeSent: 'Wir haben einen neuen Code gesendet. Der vorige gilt nicht mehr.',
  sendNewCode: 'Neuen Code senden',
  newCodeIn: ({ time }) => `Neuen Code senden in ${time}`,
}

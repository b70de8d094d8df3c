import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  passwordAndSignIn: 'Passwort und Anmeldung',
  lead: 'Wie Sie sich bei Ihrem Konto anmelden.',
  emailAddress: 'E-Mail-Adresse',
  sendVerification: 'Bestätigungslink senden',
  verificationSent: ({ email }) => `Wir haben einen Bestätigungslink an ${email} gesendet.`,
  changeEmail: 'E-Mail-Adresse ändern',
  newEmail: 'Neue E-Mail-Adresse',
  changesNow: 'Sie ändert sich sofort. Wir senden einen Bestätigungslink an die neue Adresse.',
  changesByLink: ({ email }) =>
    `Zuerst senden wir einen Link an ${email}. Wenn Sie ihn öffnen, ändert sich die Adresse, und wir senden einen Bestätigungslink an die neue.`,
  cannotChange: 'Eine bestätigte E-Mail-Adresse kann hier nicht geändert werden, weil keine E-Mails gesendet werden können.',
  emailChanged: ({ email }) => `Ihre E-Mail-Adresse ist jetzt ${email}. Wir haben einen Bestätigungslink dorthin gesendet.`,
  confirmationSent: ({ email }) =>
    `Wir haben einen Link an ${email} gesendet. Öffnen Sie ihn in einem Browser, in dem Sie angemeldet sind. Vorher ändert sich Ihre Adresse nicht.`,
  password: 'Passwort',
  changePassword: 'Passwort ändern',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  signOutOthers: 'Alle anderen Geräte abmelden',
  passwordChanged: 'Ihr Passwort wurde geändert.',
  passwordChangedEverywhere: 'Ihr Passwort wurde geändert. Alle anderen Geräte sind abgemeldet.',
  noPassword: 'Ihr Konto hat kein Passwort',
  noPasswordText: ({ email }) => `Sie können eines mit einem Link festlegen, den wir an ${email} senden.`,
  noPasswordReset: 'Hier kann kein Passwort festgelegt werden.',
  setPassword: 'Link zum Festlegen senden',
  setLinkSent: ({ email }) => `Wir haben einen Link an ${email} gesendet.`,
  signInMethods: 'Anmeldemethoden',
  addedOn: 'Hinzugefügt am',
  unlink: 'Trennen',
  unlinkNamed: ({ provider }) => `${provider} trennen`,
  unlinkQuestion: ({ provider }) => `${provider} trennen?`,
  unlinkText: ({ provider }) => `Sie können sich danach nicht mehr mit ${provider} anmelden.`,
  unlinked: ({ provider }) => `${provider} wurde getrennt.`,
}

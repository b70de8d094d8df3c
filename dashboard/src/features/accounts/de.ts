import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  passwordAndSignIn: 'Passwort und Anmeldung',
  lead: ['Wie Sie sich bei Ihrem Konto anmelden.', 'Wie du dich bei deinem Konto anmeldest.'],
  emailAddress: 'E-Mail-Adresse',
  emailText: [
    'Mit ihr melden Sie sich an, und an sie gehen Nachrichten zu Ihrem Konto.',
    'Mit ihr meldest du dich an, und an sie gehen Nachrichten zu deinem Konto.',
  ],
  sendVerification: 'Bestätigungslink senden',
  verificationSent: ({ email }) => `Wir haben einen Bestätigungslink an ${email} gesendet.`,
  changeEmail: 'E-Mail-Adresse ändern',
  newEmail: 'Neue E-Mail-Adresse',
  changesNow: 'Sie ändert sich sofort. Wir senden einen Bestätigungslink an die neue Adresse.',
  changesByLink: ({ email }) => [
    `Zuerst senden wir einen Link an ${email}. Wenn Sie ihn öffnen, ändert sich die Adresse, und wir senden einen Bestätigungslink an die neue.`,
    `Zuerst senden wir einen Link an ${email}. Wenn du ihn öffnest, ändert sich die Adresse, und wir senden einen Bestätigungslink an die neue.`,
  ],
  cannotChange: 'Eine bestätigte E-Mail-Adresse kann hier nicht geändert werden, weil keine E-Mails gesendet werden können.',
  emailChanged: ({ email }) => [
    `Ihre E-Mail-Adresse ist jetzt ${email}. Wir haben einen Bestätigungslink dorthin gesendet.`,
    `Deine E-Mail-Adresse ist jetzt ${email}. Wir haben einen Bestätigungslink dorthin gesendet.`,
  ],
  confirmationSent: ({ email }) => [
    `Wir haben einen Link an ${email} gesendet. Öffnen Sie ihn in einem Browser, in dem Sie angemeldet sind. Vorher ändert sich Ihre Adresse nicht.`,
    `Wir haben einen Link an ${email} gesendet. Öffne ihn in einem Browser, in dem du angemeldet bist. Vorher ändert sich deine Adresse nicht.`,
  ],
  password: 'Passwort',
  passwordText: ['Wählen Sie eines, das Sie sonst nirgends verwenden.', 'Wähle eines, das du sonst nirgends verwendest.'],
  changePassword: 'Passwort ändern',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  signOutOthers: 'Alle anderen Geräte abmelden',
  passwordChanged: ['Ihr Passwort wurde geändert.', 'Dein Passwort wurde geändert.'],
  passwordChangedEverywhere: [
    'Ihr Passwort wurde geändert. Alle anderen Geräte sind abgemeldet.',
    'Dein Passwort wurde geändert. Alle anderen Geräte sind abgemeldet.',
  ],
  noPassword: ['Ihr Konto hat kein Passwort', 'Dein Konto hat kein Passwort'],
  noPasswordText: ({ email }) => [
    `Sie können eines mit einem Link festlegen, den wir an ${email} senden.`,
    `Du kannst eines mit einem Link festlegen, den wir an ${email} senden.`,
  ],
  firstPasswordEndsKeys: [
    'Mit dem neuen Passwort werden alle Ihre API-Schlüssel gelöscht.',
    'Mit dem neuen Passwort werden alle deine API-Schlüssel gelöscht.',
  ],
  noPasswordReset: 'Hier kann kein Passwort festgelegt werden.',
  setPassword: 'Link zum Festlegen senden',
  setPasswordByPhone: 'Mit einem Code per SMS festlegen',
  setLinkSent: ({ email }) => `Wir haben einen Link an ${email} gesendet.`,
  signInMethods: 'Anmeldemethoden',
  methodsText: ['Mit jeder davon melden Sie sich bei Ihrem Konto an.', 'Mit jeder davon meldest du dich bei deinem Konto an.'],
  addedOn: 'Hinzugefügt am',
  accountId: 'Konto-ID',
  access: 'Zugriff:',
  onlyMethod: [
    'Das ist Ihre einzige Anmeldemethode. Fügen Sie eine weitere hinzu, bevor Sie sie trennen.',
    'Das ist deine einzige Anmeldemethode. Füge eine weitere hinzu, bevor du sie trennst.',
  ],
  notLinked: 'Nicht verknüpft',
  link: 'Verknüpfen',
  linkNamed: ({ provider }) => `${provider} verknüpfen`,
  linked: ({ provider }) => [
    `${provider} ist verknüpft. Sie können sich jetzt damit anmelden.`,
    `${provider} ist verknüpft. Du kannst dich jetzt damit anmelden.`,
  ],
  linkFailed: ({ provider }) => `${provider} wurde nicht verknüpft`,
  linkFailedUnnamed: 'Das Konto wurde nicht verknüpft',
  otherEmail: ({ provider }) => [
    `Ihr ${provider}-Konto hat eine andere E-Mail-Adresse als dieses Konto und kann deshalb nicht verknüpft werden.`,
    `Dein ${provider}-Konto hat eine andere E-Mail-Adresse als dieses Konto und kann deshalb nicht verknüpft werden.`,
  ],
  unlink: 'Trennen',
  unlinkNamed: ({ provider }) => `${provider} trennen`,
  unlinkQuestion: ({ provider }) => `${provider} trennen?`,
  unlinkText: ({ provider }) => [
    `Sie können sich danach nicht mehr mit ${provider} anmelden.`,
    `Du kannst dich danach nicht mehr mit ${provider} anmelden.`,
  ],
  unlinked: ({ provider }) => `${provider} wurde getrennt.`,
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Anmelden',
  signInLead: ({ appName }) => `Weiter zu Ihrem Konto bei ${appName}.`,
  email: 'E-Mail-Adresse',
  emailOrUsername: 'E-Mail-Adresse oder Benutzername',
  signInByPhone: 'Mit Telefonnummer anmelden',
  signUpByPhone: 'Konto mit Telefonnummer anlegen',
  password: 'Passwort',
  rememberMe: 'Angemeldet bleiben',
  forgotPassword: 'Passwort vergessen?',
  noAccountYet: 'Noch kein Konto?',
  createAccount: 'Konto anlegen',
  resetWithoutWaiting: 'Passwort zurücksetzen, ohne zu warten',
  accountCreated: 'Ihr Konto ist angelegt. Melden Sie sich an, um fortzufahren.',
  signedInAs: 'Sie sind angemeldet',
  signedInLead: ({ email }) => `Sie sind als ${email} angemeldet.`,
  continueAs: ({ name }) => `Weiter als ${name}`,
  useAnotherAccount: 'Anderes Konto verwenden',
  noMethod: 'Auf dieser Website ist keine Anmeldemethode aktiviert.',
  signUp: 'Konto anlegen',
  signUpLead: ({ appName }) => `Für ${appName} benötigen Sie ein Konto.`,
  name: 'Name',
  submitSignUp: 'Konto anlegen',
  alreadyHaveAccount: 'Sie haben schon ein Konto?',
}

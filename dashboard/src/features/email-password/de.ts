import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Anmelden',
  withPassword: ['mit Ihrem Passwort', 'mit deinem Passwort'],
  signInLead: ({ appName }) => [`Weiter zu Ihrem Konto bei ${appName}.`, `Weiter zu deinem Konto bei ${appName}.`],
  email: 'E-Mail-Adresse',
  emailOrUsername: 'E-Mail-Adresse oder Benutzername',
  signUpWithPasskey: 'Konto mit Passkey erstellen',
  signUpByPhone: 'Konto mit Telefonnummer erstellen',
  password: 'Passwort',
  rememberMe: 'Angemeldet bleiben',
  forgotPassword: 'Passwort vergessen?',
  noAccountYet: 'Noch kein Konto?',
  createAccount: 'Konto erstellen',
  resetWithoutWaiting: 'Passwort zurücksetzen, ohne zu warten',
  signUp: 'Konto erstellen',
  signUpLead: ({ appName }) => [`Für ${appName} benötigen Sie ein Konto.`, `Für ${appName} benötigst du ein Konto.`],
  name: 'Name',
  submitSignUp: 'Konto erstellen',
  signUpClosed: 'Registrierung geschlossen',
  signUpClosedLead: ({ appName }) => [
    `Neue Konten für ${appName} erstellt die Verwaltung. Wenden Sie sich an sie, wenn Sie eines benötigen.`,
    `Neue Konten für ${appName} erstellt die Verwaltung. Wende dich an sie, wenn du eines benötigst.`,
  ],
  onlyInvited: [
    'Nur wer eingeladen ist, kann ein Konto erstellen. Verwenden Sie die E-Mail-Adresse, an die die Einladung ging.',
    'Nur wer eingeladen ist, kann ein Konto erstellen. Verwende die E-Mail-Adresse, an die die Einladung ging.',
  ],
  alreadyHaveAccount: ['Sie haben schon ein Konto?', 'Du hast schon ein Konto?'],
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Zaloguj się',
  withPassword: 'za pomocą hasła',
  signInLead: ({ appName }) => `Przejdź do konta ${appName}.`,
  email: 'E-mail',
  emailOrUsername: 'E-mail lub nazwa użytkownika',
  signUpWithPasskey: 'Zarejestruj się z kluczem dostępu',
  signUpByPhone: 'Zarejestruj się numerem telefonu',
  password: 'Hasło',
  rememberMe: 'Nie wylogowuj mnie',
  forgotPassword: 'Nie pamiętasz hasła?',
  noAccountYet: 'Nie masz jeszcze konta?',
  createAccount: 'Utwórz konto',
  resetWithoutWaiting: 'Zresetuj hasło bez czekania',
  signUp: 'Utwórz swoje konto',
  signUpLead: ({ appName }) => `Aby korzystać z usługi ${appName}, potrzebujesz konta.`,
  name: 'Imię i nazwisko',
  submitSignUp: 'Utwórz konto',
  signUpClosed: 'Rejestracja jest zamknięta',
  signUpClosedLead: ({ appName }) =>
    `Nowe konta ${appName} tworzy administracja. Skontaktuj się z nią, jeśli potrzebujesz konta.`,
  onlyInvited: 'Konto może utworzyć tylko osoba z zaproszeniem. Użyj adresu e-mail, na który wysłano zaproszenie.',
  alreadyHaveAccount: 'Masz już konto?',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Logowanie',
  signInLead: ({ appName }) => `Przejdź do konta ${appName}.`,
  noAccountYet: 'Nie masz jeszcze konta?',
  createAccount: 'Utwórz konto',
  accountCreated: 'Konto jest gotowe. Zaloguj się, aby kontynuować.',
  signedInAs: 'Używasz już swojego konta',
  signedInLead: ({ email }) => `Używasz konta ${email}.`,
  continueAs: ({ name }) => `Kontynuuj jako ${name}`,
  continueAsWith: ({ name, how }) => `Kontynuuj jako ${name} ${how}`,
  notAnn: ({ name }) => `To nie Ty (${name})? Użyj innego konta`,
  email: 'E-mail',
  emailOrUsername: 'E-mail lub nazwa użytkownika',
  emailOrPhone: 'E-mail lub numer telefonu',
  emailUsernameOrPhone: 'E-mail, nazwa użytkownika lub numer telefonu',
  phoneNumber: 'Numer telefonu',
  continue: 'Kontynuuj',
  change: 'Zmień',
  anotherWay: 'Inny sposób',
  useAnotherAccount: 'Użyj innego konta',
  addAccount: 'Dodaj inne konto',
  stayLead: ({ email }) => `Konto ${email} pozostanie zalogowane.`,
  backToAccount: 'Wróć do konta',
  noMethod: 'W tym serwisie nie włączono żadnej metody logowania.',
}

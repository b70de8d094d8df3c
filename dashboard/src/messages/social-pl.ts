import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './social-en.ts'

export const messages: Translation<typeof english> = {
  continueWith: ({ provider }) => `Kontynuuj przez ${provider}`,
  withProvider: ({ provider }) => `przez ${provider}`,
  or: 'lub',
  notSignedIn: 'Nie udało się zalogować',
  notSignedInWith: ({ provider }) => `Nie udało się zalogować przez ${provider}`,
  accountNotLinked: ({ provider }) =>
    `Konto z tym adresem e-mail już istnieje. Zaloguj się tak jak dotychczas, a potem połącz ${provider} na stronie „Hasło i logowanie”. Twój adres e-mail musi być zweryfikowany u dostawcy ${provider}.`,
  noAccountYet: 'Dla tego logowania nie ma jeszcze konta. Najpierw je utwórz.',
  createAccount: 'Utwórz konto',
  finishInOtherWindow: 'Dokończ logowanie w drugim oknie. Potem ta strona przejdzie dalej.',
  windowBlocked: 'Przeglądarka zablokowała okno. Zezwól na wyskakujące okna w tym serwisie i spróbuj ponownie.',
  anotherUser: ({ email, own }) => `Zalogowano konto ${email}. Aby kontynuować na tej stronie, zaloguj się jako ${own}.`,
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-up-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Rejestracja z kluczem dostępu',
  lead: 'Nie potrzebujesz hasła: do zalogowania wystarczy odcisk palca, twarz lub kod PIN urządzenia.',
  name: 'Imię i nazwisko',
  email: 'E-mail',
  continue: 'Kontynuuj',
  usePassword: 'Użyj hasła',
  alreadyHaveAccount: 'Masz już konto?',
  signIn: 'Zaloguj się',
  codeTitle: 'Sprawdź pocztę',
  codeSent: ({ email }) => `Wysłaliśmy e-mail na adres ${email}. Wpisz kod z tej wiadomości.`,
  code: 'Kod',
  sendAgain: 'Wyślij ponownie',
  sendAgainIn: ({ time }) => `Wyślij ponownie za ${time}`,
  sentAgain: 'Wysłaliśmy nową wiadomość. Poprzednia już nie działa.',
  wrongAddress: 'Błędny adres? Zmień go',
  createTitle: 'Utwórz klucz dostępu',
  createLead: ({ email }) =>
    `Adres ${email} jest zweryfikowany. Ostatni krok to utworzenie konta: urządzenie poprosi o odcisk palca, twarz lub kod PIN.`,
  create: 'Utwórz klucz dostępu',
  notHere: 'Ta przeglądarka nie może tworzyć kluczy dostępu. Użyj innej lub włącz JavaScript.',
  cancelled: 'Klucz dostępu nie został utworzony. Spróbuj ponownie.',
  notPossible: 'Nie udało się utworzyć tu klucza dostępu. Spróbuj w innej przeglądarce lub na innym urządzeniu.',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  somethingWentWrong: 'Wystąpił błąd',
  lastStepFailed:
    'Nie udało się wykonać ostatniego kroku. Wróć i spróbuj ponownie. Jeśli błąd się powtórzy, skontaktuj się z administracją serwisu.',
  errorCode: 'Kod błędu',
  requestId: 'Identyfikator żądania',
  returnToApplication: 'Wróć do aplikacji',
  emailChange: 'Zmiana adresu e-mail',
  emailChanged: 'Adres e-mail został zmieniony',
  emailChangedTo: ({ email }) => `Od teraz loguj się adresem ${email}.`,
  emailChangedLead: 'Od teraz loguj się nowym adresem e-mail.',
  confirmNew: 'Jeszcze jeden krok: otwórz drugi e-mail',
  confirmNewLead:
    'Zmiana jest potwierdzona. Wysłaliśmy kolejny e-mail na nowy adres. Otwórz link z tej wiadomości, aby zakończyć.',
  verifyNewLead: ({ email }) => `Wysłaliśmy e-mail na adres ${email}. Otwórz link z tej wiadomości, aby zweryfikować adres.`,
  emailNotChanged: 'Adres e-mail nie został zmieniony',
  unauthorized: 'Otwórz link w przeglądarce, w której używasz konta ze zmienianym adresem e-mail.',
  changeAgain: 'Możesz ponownie poprosić o zmianę na swoim koncie.',
  accountDeletion: 'Usunięcie konta',
  accountDeleted: 'Konto zostało usunięte',
  accountDeletedLead: ({ appName }) =>
    `Twoje konto ${appName} i jego dane zostały usunięte, a sesje na wszystkich urządzeniach zakończone.`,
  signedOut: 'Wylogowano Cię',
  signedOutLead: ({ appName }) => `W tej przeglądarce Twoje konto ${appName} nie jest już zalogowane.`,
}

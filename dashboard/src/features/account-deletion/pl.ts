import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  deleteAccount: 'Usuń konto',
  deleteLead: 'Usunięcia konta nie można cofnąć.',
  whatIsDeleted: 'Co zostanie usunięte',
  confirmation: 'Potwierdzenie',
  confirmationText: 'Aby konto nie zostało usunięte przez pomyłkę.',
  deletedProfile: 'Twój profil i wszystkie dane w nim',
  deletedMethods: 'Twoje metody logowania: nie zalogujesz się ponownie',
  deletedSessions: 'Twoje sesje: wszystkie urządzenia i aplikacje zostaną wylogowane',
  deletedOrganizations: 'Twoje organizacje, które nie mają innych członków',
  handOverFirst:
    'Masz rolę ostatniego właściciela organizacji, w której są inni członkowie? Najpierw przypisz rolę właściciela innemu członkowi.',
  organizationsLink: 'Twoje organizacje',
  exportFirst: 'Chcesz zachować kopię?',
  exportLink: 'Eksportuj swoje dane',
  typeEmail: ({ email }) => `Wpisz ${email}, aby potwierdzić`,
  password: 'Twoje hasło',
  sendLink: 'Wyślij link do usunięcia konta',
  sendLinkText: ({ email }) => `Wyślemy link na adres ${email}. Otwórz go i potwierdź, aby usunąć konto.`,
  linkSent: 'Sprawdź pocztę',
  linkSentText: ({ email }) =>
    `Wysłaliśmy link na adres ${email}. Konto nie zostanie usunięte, dopóki go nie otworzysz i nie potwierdzisz.`,
  confirmDeletion: 'Usunąć konto?',
  confirmDeletionLead: 'To konto i wszystkie jego dane zostaną usunięte. Tej czynności nie można cofnąć.',
  keepAccount: 'Zachowaj konto',
  linkFailed: 'Ten link nie może usunąć Twojego konta',
  linkFailedLead: ({ email }) => `Używasz konta ${email}. Link został już użyty, wygasł, jest niepełny lub dotyczy innego konta.`,
  requestNewLink: 'Poproś o nowy link',
  useAnotherAccount: 'Użyj innego konta',
}

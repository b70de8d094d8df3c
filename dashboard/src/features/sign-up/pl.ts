import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  invite: 'Link z zaproszeniem',
  inviteTitle: ({ appName }) => `Masz zaproszenie do usługi ${appName}`,
  inviteLead: 'Utwórz konto, aby przyjąć zaproszenie.',
  inviteToOrganization: ({ organization }) => `Masz zaproszenie do organizacji „${organization}”`,
  createAccount: 'Utwórz konto',
  haveAccount: 'Masz już konto?',
  signIn: 'Zaloguj się',
  joinLead: ({ email, organization }) => `Używasz konta ${email}. Dołączysz do organizacji „${organization}”.`,
  join: ({ organization }) => `Dołącz do organizacji „${organization}”`,
  alreadySignedIn: ({ email }) => `Używasz konta ${email}. Ten link jest dla osób bez konta.`,
  useAnotherAccount: 'Użyj innego konta',
  unusable: 'Ten link z zaproszeniem już nie działa',
  unusableLead: 'Wygasł, osiągnął limit użyć lub został unieważniony. Poproś o nowy.',
  waitingList: 'Lista oczekujących',
  waitingListLead: ({ appName }) => `Zostaw swój adres e-mail. Napiszemy, gdy będzie można utworzyć konto ${appName}.`,
  email: 'Adres e-mail',
  name: 'Imię i nazwisko',
  joinWaitingList: 'Zapisz się na listę oczekujących',
  onTheList: 'Dziękujemy',
  onTheListLead: ({ email }) => `Napiszemy na adres ${email}, gdy będzie można utworzyć konto.`,
  approved: 'Twoje zgłoszenie jest już zatwierdzone?',
}

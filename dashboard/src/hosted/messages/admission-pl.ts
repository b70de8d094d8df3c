import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './admission-en.ts'

export const messages: Translation<typeof english> = {
  invitationOpened: 'Zaproszenie jest gotowe. Utwórz konto, aby je przyjąć.',
  needsInvitation: 'Do utworzenia konta potrzebne jest zaproszenie. Najpierw otwórz link z zaproszeniem.',
  needsInvitationOrAddress:
    'Do utworzenia konta potrzebne jest zaproszenie. Najpierw otwórz link z zaproszeniem lub użyj adresu e-mail, na który je wysłano.',
  needsApproval: 'Konto można utworzyć po zatwierdzeniu zgłoszenia.',
  notYet: 'Na ten adres e-mail nie można jeszcze utworzyć konta. Zapisz się na listę oczekujących, a napiszemy.',
  joinWaitingList: 'Zapisz się na listę oczekujących',
}

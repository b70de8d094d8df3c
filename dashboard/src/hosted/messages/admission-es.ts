import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './admission-en.ts'

export const messages: Translation<typeof english> = {
  invitationOpened: 'Tu invitación está lista. Crea tu cuenta para aceptarla.',
  needsInvitation: 'Necesitas una invitación para crear una cuenta. Abre primero tu enlace de invitación.',
  needsInvitationOrAddress:
    'Necesitas una invitación para crear una cuenta. Abre primero tu enlace de invitación o usa la dirección de correo que recibió la invitación.',
  needsApproval: 'Podrás crear una cuenta cuando se apruebe tu solicitud.',
  notYet: 'Todavía no se puede crear una cuenta con esta dirección de correo. Apúntate a la lista de espera y te escribiremos.',
  joinWaitingList: 'Apuntarse a la lista de espera',
}

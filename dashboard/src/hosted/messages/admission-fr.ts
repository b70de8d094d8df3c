import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './admission-en.ts'

export const messages: Translation<typeof english> = {
  invitationOpened: 'Votre invitation est prête. Créez votre compte pour l’accepter.',
  needsInvitation: 'Une invitation est nécessaire pour créer un compte. Ouvrez d’abord votre lien d’invitation.',
  needsInvitationOrAddress:
    'Une invitation est nécessaire pour créer un compte. Ouvrez d’abord votre lien d’invitation ou utilisez l’adresse e-mail invitée.',
  needsApproval: 'Vous pourrez créer un compte lorsque votre demande sera acceptée.',
  notYet:
    'Il n’est pas encore possible de créer un compte avec cette adresse e-mail. Inscrivez-vous sur la liste d’attente et nous vous écrirons.',
  joinWaitingList: 'S’inscrire sur la liste d’attente',
}

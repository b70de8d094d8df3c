import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './passkey-errors-en.ts'

export const messages: Translation<typeof english> = {
  CHALLENGE_NOT_FOUND: 'L’opération a duré trop longtemps. Réessayez.',
  PASSKEY_NOT_FOUND: 'Cette clé d’accès n’est plus connue ici. Connectez-vous d’une autre manière.',
  AUTHENTICATION_FAILED: 'La clé d’accès n’a pas pu être utilisée. Réessayez, ou connectez-vous d’une autre manière.',
  UNABLE_TO_CREATE_SESSION: 'La connexion a échoué. Réessayez dans un instant.',
  SESSION_REQUIRED: 'Connectez-vous à nouveau pour ajouter une clé d’accès.',
  RESOLVED_USER_INVALID: 'Aucune clé d’accès ne peut être ajoutée à ce compte pour le moment.',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Cette clé d’accès appartient à un autre compte.',
  PREVIOUSLY_REGISTERED: 'Cette clé d’accès a déjà été ajoutée.',
  FAILED_TO_VERIFY_REGISTRATION:
    'La clé d’accès n’a pas pu être ajoutée. Réessayez, ou utilisez un autre appareil ou une autre clé de sécurité.',
  TOO_MANY_PASSKEYS: 'Vous avez atteint le nombre maximal de clés d’accès. Supprimez-en une avant d’en ajouter une autre.',
  YOU_CANT_DELETE_YOUR_LAST_PASSKEY:
    'Cette clé d’accès est votre seule méthode de connexion. Ajoutez-en une autre avant de la supprimer.',
}

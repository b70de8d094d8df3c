import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './api-key-errors-en.ts'

export const messages: Translation<typeof english> = {
  API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING: 'La clé API de la requête n’a pas pu être lue.',
  API_KEY_NOT_FOUND: 'Cette clé API n’existe plus.',
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: 'L’expiration des clés API ne peut pas être choisie ici.',
  INVALID_API_KEY: 'La clé API n’est pas valable.',
  KEY_DISABLED: 'La clé API est désactivée.',
  KEY_EXPIRED: 'La clé API a expiré.',
  KEY_NOT_FOUND: 'La clé API n’a pas cette autorisation.',
  METADATA_IS_DISABLED: 'Les métadonnées des clés API ne sont pas disponibles ici.',
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: 'Les métadonnées doivent être un objet.',
  NOT_ALLOWED_WITH_AN_API_KEY: 'Ce n’est pas disponible avec une clé API. Connectez-vous plutôt.',
  NO_VALUES_TO_UPDATE: 'Il n’y a rien à modifier.',
  RATE_LIMITED: 'La clé API a été utilisée trop souvent. Réessayez plus tard.',
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: 'Une recharge demande une quantité et un intervalle.',
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: 'Une recharge demande une quantité et un intervalle.',
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: 'Choisissez une expiration plus proche.',
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: 'Choisissez une expiration plus lointaine.',
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Le nom est trop court ou trop long.',
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Le préfixe est trop court ou trop long.',
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY:
    'Seul le responsable du site peut définir les limites et les autorisations des clés API.',
  TOO_MANY_API_KEYS: 'Vous avez atteint le nombre maximal de clés API. Révoquez-en une que vous n’utilisez pas.',
  UNAUTHORIZED_OR_INVALID_SESSION: 'Aucune session n’est ouverte. Connectez-vous, puis réessayez.',
  USAGE_EXCEEDED: 'La clé API n’a plus d’utilisations disponibles.',
  USER_IS_BANNED: 'Ce compte est bloqué.',
}

import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './api-key-errors-en.ts'

export const messages: Translation<typeof english> = {
  API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING: 'No se pudo leer la clave de API de la solicitud.',
  API_KEY_NOT_FOUND: 'Esta clave de API ya no existe.',
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: 'Aquí no se puede elegir el vencimiento de las claves de API.',
  INVALID_API_KEY: 'La clave de API no es válida.',
  KEY_DISABLED: 'La clave de API está desactivada.',
  KEY_EXPIRED: 'La clave de API venció.',
  KEY_NOT_FOUND: 'La clave de API no tiene este permiso.',
  METADATA_IS_DISABLED: 'Los metadatos de las claves de API no están disponibles aquí.',
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: 'Los metadatos deben ser un objeto.',
  NOT_ALLOWED_WITH_AN_API_KEY: 'Esto no está disponible con una clave de API. Inicia sesión.',
  NO_VALUES_TO_UPDATE: 'No hay nada que cambiar.',
  RATE_LIMITED: 'La clave de API se usó demasiadas veces. Inténtalo más tarde.',
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: 'Una recarga necesita una cantidad y un intervalo.',
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: 'Una recarga necesita una cantidad y un intervalo.',
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: 'Elige un vencimiento más cercano.',
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: 'Elige un vencimiento más lejano.',
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'El nombre es demasiado corto o demasiado largo.',
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'El prefijo es demasiado corto o demasiado largo.',
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY:
    'Solo el responsable del sitio puede establecer los límites y permisos de las claves de API.',
  TOO_MANY_API_KEYS: 'Tienes el máximo de claves de API. Revoca una que no uses.',
  UNAUTHORIZED_OR_INVALID_SESSION: 'No tienes la sesión iniciada. Inicia sesión e inténtalo de nuevo.',
  USAGE_EXCEEDED: 'A la clave de API no le quedan usos.',
  USER_IS_BANNED: 'Esta cuenta está suspendida.',
}

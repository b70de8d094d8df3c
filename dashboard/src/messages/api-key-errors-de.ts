import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './api-key-errors-en.ts'

export const messages: Translation<typeof english> = {
  API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING: 'Der API-Schlüssel der Anfrage konnte nicht gelesen werden.',
  API_KEY_NOT_FOUND: 'Diesen API-Schlüssel gibt es nicht mehr.',
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: 'Der Ablauf von API-Schlüsseln kann hier nicht gewählt werden.',
  INSUFFICIENT_API_KEY_PERMISSIONS: [
    'Ihre Rolle erlaubt das bei API-Schlüsseln der Organisation nicht.',
    'Deine Rolle erlaubt das bei API-Schlüsseln der Organisation nicht.',
  ],
  INVALID_API_KEY: 'Der API-Schlüssel ist ungültig.',
  INVALID_REFERENCE_ID_FROM_API_KEY: 'Mit dem API-Schlüssel einer Organisation kann man sich nicht anmelden.',
  KEY_DISABLED: 'Der API-Schlüssel ist deaktiviert.',
  KEY_EXPIRED: 'Der API-Schlüssel ist abgelaufen.',
  KEY_NOT_FOUND: 'Der API-Schlüssel hat diese Berechtigung nicht.',
  METADATA_IS_DISABLED: 'Metadaten von API-Schlüsseln sind hier nicht verfügbar.',
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: 'Die Metadaten müssen ein Objekt sein.',
  NAME_REQUIRED: ['Geben Sie einen Namen für den API-Schlüssel ein.', 'Gib einen Namen für den API-Schlüssel ein.'],
  NOT_ALLOWED_WITH_AN_API_KEY: [
    'Das geht nicht mit einem API-Schlüssel. Melden Sie sich an.',
    'Das geht nicht mit einem API-Schlüssel. Melde dich an.',
  ],
  NO_VALUES_TO_UPDATE: 'Es gibt nichts zu ändern.',
  ORGANIZATION_ID_REQUIRED: ['Wählen Sie die Organisation des API-Schlüssels.', 'Wähle die Organisation des API-Schlüssels.'],
  ORGANIZATION_PLUGIN_REQUIRED: 'Organisationen haben hier keine API-Schlüssel.',
  RATE_LIMITED: [
    'Der API-Schlüssel wurde zu oft verwendet. Versuchen Sie es später erneut.',
    'Der API-Schlüssel wurde zu oft verwendet. Versuche es später erneut.',
  ],
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: 'Zum Auffüllen gehören eine Menge und ein Intervall.',
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: 'Zum Auffüllen gehören eine Menge und ein Intervall.',
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: [
    'Wählen Sie einen früheren Ablauf.',
    'Wähle einen früheren Ablauf.',
  ],
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: [
    'Wählen Sie einen späteren Ablauf.',
    'Wähle einen späteren Ablauf.',
  ],
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Der Name ist zu kurz oder zu lang.',
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Das Präfix ist zu kurz oder zu lang.',
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY:
    'Nur der Betreiber kann Limits und Berechtigungen von API-Schlüsseln setzen.',
  TOO_MANY_API_KEYS: [
    'Sie haben die höchste Anzahl von API-Schlüsseln. Widerrufen Sie einen, den Sie nicht verwenden.',
    'Du hast die höchste Anzahl von API-Schlüsseln. Widerrufe einen, den du nicht verwendest.',
  ],
  UNAUTHORIZED_OR_INVALID_SESSION: [
    'Sie sind nicht angemeldet. Melden Sie sich an und versuchen Sie es erneut.',
    'Du bist nicht angemeldet. Melde dich an und versuche es erneut.',
  ],
  USAGE_EXCEEDED: 'Der API-Schlüssel hat keine Verwendungen mehr.',
  USER_IS_BANNED: 'Dieses Konto ist gesperrt.',
  USER_NOT_MEMBER_OF_ORGANIZATION: [
    'Sie sind kein Mitglied der Organisation, der dieser API-Schlüssel gehört.',
    'Du bist kein Mitglied der Organisation, der dieser API-Schlüssel gehört.',
  ],
}

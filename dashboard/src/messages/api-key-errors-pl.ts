import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './api-key-errors-en.ts'

export const messages: Translation<typeof english> = {
  API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING: 'Nie udało się odczytać klucza API z żądania.',
  API_KEY_NOT_FOUND: 'Ten klucz API już nie istnieje.',
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: 'Nie można tu wybrać terminu ważności kluczy API.',
  INVALID_API_KEY: 'Klucz API jest nieprawidłowy.',
  KEY_DISABLED: 'Klucz API jest wyłączony.',
  KEY_EXPIRED: 'Klucz API wygasł.',
  KEY_NOT_FOUND: 'Klucz API nie ma tego uprawnienia.',
  METADATA_IS_DISABLED: 'Metadane kluczy API nie są tu dostępne.',
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: 'Metadane muszą być obiektem.',
  NOT_ALLOWED_WITH_AN_API_KEY: 'Ta funkcja nie jest dostępna z kluczem API. Zaloguj się.',
  NO_VALUES_TO_UPDATE: 'Nie ma nic do zmiany.',
  RATE_LIMITED: 'Klucza API użyto zbyt wiele razy. Spróbuj ponownie później.',
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: 'Uzupełnianie wymaga liczby i odstępu czasu.',
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: 'Uzupełnianie wymaga liczby i odstępu czasu.',
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: 'Wybierz wcześniejszy termin ważności.',
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: 'Wybierz późniejszy termin ważności.',
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Nazwa jest za krótka lub za długa.',
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Prefiks jest za krótki lub za długi.',
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY:
    'Limity i uprawnienia kluczy API może ustawiać tylko administracja serwisu.',
  TOO_MANY_API_KEYS: 'Masz już maksymalną liczbę kluczy API. Unieważnij klucz, którego nie używasz.',
  UNAUTHORIZED_OR_INVALID_SESSION: 'Sesja nie jest aktywna. Zaloguj się i spróbuj ponownie.',
  USAGE_EXCEEDED: 'Limit użyć klucza API został wyczerpany.',
  USER_IS_BANNED: 'To konto jest zablokowane.',
}

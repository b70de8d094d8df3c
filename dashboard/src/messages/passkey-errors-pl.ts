import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './passkey-errors-en.ts'

export const messages: Translation<typeof english> = {
  CHALLENGE_NOT_FOUND: 'Trwało to zbyt długo. Spróbuj ponownie.',
  PASSKEY_NOT_FOUND: 'Ten klucz dostępu nie jest tu już znany. Zaloguj się inaczej.',
  AUTHENTICATION_FAILED: 'Nie udało się użyć klucza dostępu. Spróbuj ponownie lub zaloguj się inaczej.',
  UNABLE_TO_CREATE_SESSION: 'Nie udało się zalogować. Spróbuj ponownie za chwilę.',
  SESSION_REQUIRED: 'Zaloguj się ponownie, aby dodać klucz dostępu.',
  RESOLVED_USER_INVALID: 'Do tego konta nie można teraz dodać klucza dostępu.',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Ten klucz dostępu należy do innego konta.',
  PREVIOUSLY_REGISTERED: 'Ten klucz dostępu został już dodany.',
  FAILED_TO_VERIFY_REGISTRATION:
    'Nie udało się dodać klucza dostępu. Spróbuj ponownie albo użyj innego urządzenia lub klucza bezpieczeństwa.',
  TOO_MANY_PASSKEYS: 'Masz już maksymalną liczbę kluczy dostępu. Zanim dodasz kolejny, usuń jeden z nich.',
  YOU_CANT_DELETE_YOUR_LAST_PASSKEY: 'Ten klucz dostępu to Twoja jedyna metoda logowania. Zanim go usuniesz, dodaj inną.',
}

import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './second-factor-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_CODE: 'Kod jest nieprawidłowy lub został już użyty.',
  TOTP_ISNT_CONFIGURED: 'Aplikacje uwierzytelniające nie są tu dostępne.',
  OTP_ISNT_CONFIGURED: 'Nie można tu wysyłać kodów.',
  TOTP_NOT_ENABLED: 'Nie ma aplikacji uwierzytelniającej do zweryfikowania. Skonfiguruj ją ponownie lub wybierz inny sposób.',
  OTP_NOT_ENABLED: 'Nie można wysłać Ci kodu. Wybierz inny sposób.',
  OTP_HAS_EXPIRED: 'Ten kod wygasł lub zastąpił go nowszy. Poproś o nowy.',
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: 'Nieprawidłowy kod wpisano zbyt wiele razy. Zacznij od nowa z nowym kodem.',
  BACKUP_CODES_ARENT_ENABLED: 'Nie masz już kodów zapasowych. Wybierz inny sposób.',
  INVALID_BACKUP_CODE: 'Kod zapasowy jest nieprawidłowy lub został już użyty.',
  TWO_FACTOR_ISNT_ENABLED: 'Nie ma drugiego składnika. Najpierw go skonfiguruj.',
  INVALID_TWO_FACTOR_COOKIE: 'Logowanie trwało zbyt długo lub zakończyło się na innej karcie. Zaloguj się ponownie.',
  EMAIL_CODE_REQUIRED: 'Najpierw wpisz kod, który został do Ciebie wysłany.',
  SECOND_FACTOR_SETUP_REQUIRED: 'Twoje konto wymaga drugiego składnika. Skonfiguruj go, aby się zalogować.',
  SECOND_FACTOR_CANNOT_BE_DISABLED: 'Twoje konto wymaga drugiego składnika. Zanim usuniesz ten, skonfiguruj inny.',
  RESETTING_SECOND_FACTORS_IS_DISABLED: 'Twoje drugie składniki może zresetować tylko administrator.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Nieprawidłowy kod wpisano zbyt wiele razy. Poczekaj lub użyj kodu zapasowego.',
}

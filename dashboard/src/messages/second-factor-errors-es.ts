import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './second-factor-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_CODE: 'El código no es correcto o ya se usó.',
  TOTP_ISNT_CONFIGURED: 'Las apps de autenticación no están disponibles aquí.',
  OTP_ISNT_CONFIGURED: 'Aquí no se pueden enviar códigos.',
  TOTP_NOT_ENABLED: 'No hay ninguna app de autenticación que verificar. Configúrala de nuevo o usa otro método.',
  OTP_NOT_ENABLED: 'No se te puede enviar ningún código. Usa otro método.',
  OTP_HAS_EXPIRED: 'Este código venció o se sustituyó por otro más reciente. Solicita uno nuevo.',
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: 'Hubo demasiados códigos incorrectos. Empieza de nuevo con otro código.',
  BACKUP_CODES_ARENT_ENABLED: 'No quedan códigos de respaldo. Usa otro método.',
  INVALID_BACKUP_CODE: 'El código de respaldo no es correcto o ya se usó.',
  TWO_FACTOR_ISNT_ENABLED: 'No hay ningún segundo factor. Configura uno antes.',
  INVALID_TWO_FACTOR_COOKIE: 'El inicio de sesión tardó demasiado o se completó en otra pestaña. Inicia sesión de nuevo.',
  EMAIL_CODE_REQUIRED: 'Escribe antes el código que se te envió.',
  SECOND_FACTOR_SETUP_REQUIRED: 'Tu cuenta necesita un segundo factor. Configura uno para iniciar sesión.',
  SECOND_FACTOR_CANNOT_BE_DISABLED: 'Tu cuenta necesita un segundo factor. Configura otro antes de quitar este.',
  RESETTING_SECOND_FACTORS_IS_DISABLED: 'Solo un administrador puede restablecer tus segundos factores.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Hubo demasiados códigos incorrectos. Espera o usa un código de respaldo.',
}

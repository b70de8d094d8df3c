import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './passkey-errors-en.ts'

export const messages: Translation<typeof english> = {
  CHALLENGE_NOT_FOUND: 'La operación tardó demasiado. Inténtalo de nuevo.',
  PASSKEY_NOT_FOUND: 'Esta llave de acceso ya no se conoce aquí. Inicia sesión de otra manera.',
  AUTHENTICATION_FAILED: 'No se pudo usar la llave de acceso. Inténtalo de nuevo o inicia sesión de otra manera.',
  UNABLE_TO_CREATE_SESSION: 'No se pudo iniciar sesión. Inténtalo de nuevo en un momento.',
  SESSION_REQUIRED: 'Inicia sesión de nuevo para añadir una llave de acceso.',
  RESOLVED_USER_INVALID: 'En este momento no se pueden añadir llaves de acceso a esta cuenta.',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Esta llave de acceso pertenece a otra cuenta.',
  PREVIOUSLY_REGISTERED: 'Esta llave de acceso ya se añadió.',
  FAILED_TO_VERIFY_REGISTRATION:
    'No se pudo añadir la llave de acceso. Inténtalo de nuevo o usa otro dispositivo u otra llave de seguridad.',
  TOO_MANY_PASSKEYS: 'Tienes el máximo de llaves de acceso. Elimina una antes de añadir otra.',
  YOU_CANT_DELETE_YOUR_LAST_PASSKEY:
    'Esta llave de acceso es tu único método de inicio de sesión. Añade otro antes de eliminarla.',
}

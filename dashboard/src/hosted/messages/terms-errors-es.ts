import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_TERMS_COOKIE: 'El inicio de sesión tardó demasiado o se completó en otra pestaña. Inicia sesión de nuevo.',
  TERMS_VERSION_IS_NOT_CURRENT: 'Las condiciones cambiaron desde que abriste esta página. Lee la versión nueva y acéptala.',
  TERMS_CANNOT_BE_POSTPONED: 'Estas condiciones ya no se pueden posponer.',
  TERMS_DOCUMENT_NOT_FOUND: 'Este documento no existe.',
}

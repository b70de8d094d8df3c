import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_TERMS_COOKIE: 'La connexion a duré trop longtemps, ou a été terminée dans un autre onglet. Connectez-vous à nouveau.',
  TERMS_VERSION_IS_NOT_CURRENT:
    'Les conditions ont changé depuis que vous avez ouvert cette page. Lisez la nouvelle version, puis acceptez-la.',
  TERMS_CANNOT_BE_POSTPONED: 'L’acceptation de ces conditions ne peut plus être reportée.',
  TERMS_DOCUMENT_NOT_FOUND: 'Ce document n’existe pas.',
}

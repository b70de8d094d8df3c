import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_TERMS_COOKIE: [
    'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Tab abgeschlossen. Melden Sie sich erneut an.',
    'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Tab abgeschlossen. Melde dich erneut an.',
  ],
  TERMS_VERSION_IS_NOT_CURRENT: [
    'Die Bedingungen haben sich geändert, seit Sie diese Seite geöffnet haben. Lesen Sie die neue Fassung und akzeptieren Sie sie.',
    'Die Bedingungen haben sich geändert, seit du diese Seite geöffnet hast. Lies die neue Fassung und akzeptiere sie.',
  ],
  TERMS_CANNOT_BE_POSTPONED: 'Diese Bedingungen können nicht länger aufgeschoben werden.',
  TERMS_DOCUMENT_NOT_FOUND: 'Dieses Dokument gibt es nicht.',
}

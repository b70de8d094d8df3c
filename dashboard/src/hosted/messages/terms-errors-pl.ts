import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_TERMS_COOKIE: 'Logowanie trwało zbyt długo lub zakończyło się na innej karcie. Zaloguj się ponownie.',
  TERMS_VERSION_IS_NOT_CURRENT: 'Warunki zmieniły się od otwarcia tej strony. Przeczytaj nową wersję i ją zaakceptuj.',
  TERMS_CANNOT_BE_POSTPONED: 'Tych warunków nie można już odłożyć.',
  TERMS_DOCUMENT_NOT_FOUND: 'Ten dokument nie istnieje.',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_TERMS_COOKIE: 'Вход занял слишком много времени или завершён на другой вкладке. Войдите снова.',
  TERMS_VERSION_IS_NOT_CURRENT:
    'Условия изменились после того, как вы открыли эту страницу. Прочитайте новую версию и примите её.',
  TERMS_CANNOT_BE_POSTPONED: 'Эти условия больше нельзя отложить.',
  TERMS_DOCUMENT_NOT_FOUND: 'Этого документа нет.',
}

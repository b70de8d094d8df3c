import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_TERMS_COOKIE: 'Вхід тривав задовго або завершений на іншій вкладці. Увійдіть знову.',
  TERMS_VERSION_IS_NOT_CURRENT: 'Умови змінилися після того, як ви відкрили цю сторінку. Прочитайте нову версію та прийміть її.',
  TERMS_CANNOT_BE_POSTPONED: 'Ці умови більше не можна відкласти.',
  TERMS_DOCUMENT_NOT_FOUND: 'Цього документа немає.',
}

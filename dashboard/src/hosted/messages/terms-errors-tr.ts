import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './terms-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_TERMS_COOKIE: 'Oturum açma çok uzun sürdü veya başka bir sekmede tamamlandı. Yeniden oturum açın.',
  TERMS_VERSION_IS_NOT_CURRENT: 'Bu sayfayı açmanızdan sonra koşullar değişti. Yeni sürümü okuyup kabul edin.',
  TERMS_CANNOT_BE_POSTPONED: 'Bu koşullar artık ertelenemez.',
  TERMS_DOCUMENT_NOT_FOUND: 'Bu belge yok.',
}

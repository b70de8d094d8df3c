import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './passkey-errors-en.ts'

export const messages: Translation<typeof english> = {
  CHALLENGE_NOT_FOUND: 'Bu çok uzun sürdü. Yeniden deneyin.',
  PASSKEY_NOT_FOUND: 'Bu geçiş anahtarı artık burada tanınmıyor. Başka bir yolla oturum açın.',
  AUTHENTICATION_FAILED: 'Geçiş anahtarı kullanılamadı. Yeniden deneyin veya başka bir yolla oturum açın.',
  UNABLE_TO_CREATE_SESSION: 'Oturum açılamadı. Biraz sonra yeniden deneyin.',
  SESSION_REQUIRED: 'Geçiş anahtarı eklemek için yeniden oturum açın.',
  RESOLVED_USER_INVALID: 'Bu hesaba şu anda geçiş anahtarı eklenemiyor.',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Bu geçiş anahtarı başka bir hesaba ait.',
  PREVIOUSLY_REGISTERED: 'Bu geçiş anahtarı zaten eklenmiş.',
  FAILED_TO_VERIFY_REGISTRATION:
    'Geçiş anahtarı eklenemedi. Yeniden deneyin veya başka bir cihaz ya da güvenlik anahtarı kullanın.',
  TOO_MANY_PASSKEYS: 'En fazla geçiş anahtarı sayısına ulaştınız. Yenisini eklemeden önce birini silin.',
  YOU_CANT_DELETE_YOUR_LAST_PASSKEY: 'Bu geçiş anahtarı tek oturum açma yönteminiz. Silmeden önce başka bir yöntem ekleyin.',
}

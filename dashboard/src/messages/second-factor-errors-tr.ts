import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './second-factor-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_CODE: 'Kod yanlış veya daha önce kullanılmış.',
  TOTP_ISNT_CONFIGURED: 'Kimlik doğrulama uygulamaları burada kullanılamıyor.',
  OTP_ISNT_CONFIGURED: 'Burada kod gönderilemiyor.',
  TOTP_NOT_ENABLED: 'Doğrulanacak bir kimlik doğrulama uygulaması yok. Yeniden ayarlayın veya başka bir yöntem kullanın.',
  OTP_NOT_ENABLED: 'Size kod gönderilemiyor. Başka bir yöntem kullanın.',
  OTP_HAS_EXPIRED: 'Bu kodun süresi doldu veya yerine daha yeni bir kod geldi. Yenisini isteyin.',
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: 'Çok fazla yanlış kod girildi. Yeni bir kodla baştan başlayın.',
  BACKUP_CODES_ARENT_ENABLED: 'Yedek kod kalmadı. Başka bir yöntem kullanın.',
  INVALID_BACKUP_CODE: 'Yedek kod yanlış veya daha önce kullanılmış.',
  TWO_FACTOR_ISNT_ENABLED: 'İkinci faktör yok. Önce bir tane ayarlayın.',
  INVALID_TWO_FACTOR_COOKIE: 'Oturum açma çok uzun sürdü veya başka bir sekmede tamamlandı. Yeniden oturum açın.',
  EMAIL_CODE_REQUIRED: 'Önce size gönderilen kodu girin.',
  SECOND_FACTOR_SETUP_REQUIRED: 'Hesabınız için ikinci faktör gerekiyor. Oturum açmak için bir tane ayarlayın.',
  SECOND_FACTOR_CANNOT_BE_DISABLED: 'Hesabınız için ikinci faktör gerekiyor. Bunu kaldırmadan önce başka bir tane ayarlayın.',
  RESETTING_SECOND_FACTORS_IS_DISABLED: 'İkinci faktörlerinizi yalnızca bir yönetici sıfırlayabilir.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Çok fazla yanlış kod girildi. Bekleyin veya bir yedek kod kullanın.',
}

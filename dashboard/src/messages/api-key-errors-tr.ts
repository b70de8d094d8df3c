import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './api-key-errors-en.ts'

export const messages: Translation<typeof english> = {
  API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING: 'İstekteki API anahtarı okunamadı.',
  API_KEY_NOT_FOUND: 'Bu API anahtarı artık yok.',
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: 'API anahtarlarının geçerlilik süresi burada seçilemez.',
  INVALID_API_KEY: 'API anahtarı geçersiz.',
  KEY_DISABLED: 'API anahtarı devre dışı.',
  KEY_EXPIRED: 'API anahtarının süresi doldu.',
  KEY_NOT_FOUND: 'API anahtarının bu izni yok.',
  METADATA_IS_DISABLED: 'API anahtarlarının meta verileri burada kullanılamıyor.',
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: 'Meta veriler bir nesne olmalıdır.',
  NOT_ALLOWED_WITH_AN_API_KEY: 'Bu, API anahtarıyla kullanılamaz. Bunun yerine oturum açın.',
  NO_VALUES_TO_UPDATE: 'Değiştirilecek bir şey yok.',
  RATE_LIMITED: 'API anahtarı çok sık kullanıldı. Daha sonra yeniden deneyin.',
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: 'Yeniden doldurma için miktar ve aralık gerekir.',
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: 'Yeniden doldurma için miktar ve aralık gerekir.',
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: 'Daha kısa bir geçerlilik süresi seçin.',
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: 'Daha uzun bir geçerlilik süresi seçin.',
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Ad çok kısa veya çok uzun.',
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Ön ek çok kısa veya çok uzun.',
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY:
    'API anahtarlarının sınırlarını ve izinlerini yalnızca site işletmecisi ayarlayabilir.',
  TOO_MANY_API_KEYS: 'En fazla API anahtarı sayısına ulaştınız. Kullanmadığınız birini iptal edin.',
  UNAUTHORIZED_OR_INVALID_SESSION: 'Oturumunuz açık değil. Oturum açın, sonra yeniden deneyin.',
  USAGE_EXCEEDED: 'API anahtarının kullanım hakkı kalmadı.',
  USER_IS_BANNED: 'Bu hesap engellendi.',
}

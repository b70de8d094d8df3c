import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './api-key-errors-en.ts'

export const messages: Translation<typeof english> = {
  API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING: 'Не вдалося прочитати ключ API із запиту.',
  API_KEY_NOT_FOUND: 'Цього ключа API більше немає.',
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: 'Вибрати термін дії ключів API тут не можна.',
  INVALID_API_KEY: 'Ключ API недійсний.',
  KEY_DISABLED: 'Ключ API вимкнено.',
  KEY_EXPIRED: 'Термін дії ключа API минув.',
  KEY_NOT_FOUND: 'Ключ API не має цього дозволу.',
  METADATA_IS_DISABLED: 'Метадані ключів API тут недоступні.',
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: 'Метадані мають бути об’єктом.',
  NOT_ALLOWED_WITH_AN_API_KEY: 'З ключем API це недоступно. Увійдіть до облікового запису.',
  NO_VALUES_TO_UPDATE: 'Змін немає.',
  RATE_LIMITED: 'Ключ API використовувався занадто часто. Повторіть спробу пізніше.',
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: 'Для поповнення потрібні кількість та інтервал.',
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: 'Для поповнення потрібні кількість та інтервал.',
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: 'Виберіть коротший термін дії.',
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: 'Виберіть довший термін дії.',
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Назва закоротка або задовга.',
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Префікс закороткий або задовгий.',
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY:
    'Обмеження й дозволи ключів API може задавати лише адміністрація сайту.',
  TOO_MANY_API_KEYS: 'У вас уже максимальна кількість ключів API. Відкличте той, яким не користуєтеся.',
  UNAUTHORIZED_OR_INVALID_SESSION: 'Ви не ввійшли до облікового запису. Увійдіть і повторіть спробу.',
  USAGE_EXCEEDED: 'Ключ API більше не можна використовувати: ліміт вичерпано.',
  USER_IS_BANNED: 'Цей обліковий запис заблоковано.',
}

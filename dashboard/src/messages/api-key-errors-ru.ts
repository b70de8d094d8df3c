import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './api-key-errors-en.ts'

export const messages: Translation<typeof english> = {
  API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING: 'Не удалось прочитать ключ API из запроса.',
  API_KEY_NOT_FOUND: 'Этого ключа API больше нет.',
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: 'Выбрать срок действия ключей API здесь нельзя.',
  INVALID_API_KEY: 'Ключ API недействителен.',
  KEY_DISABLED: 'Ключ API отключён.',
  KEY_EXPIRED: 'Срок действия ключа API истёк.',
  KEY_NOT_FOUND: 'У ключа API нет этого разрешения.',
  METADATA_IS_DISABLED: 'Метаданные ключей API здесь недоступны.',
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: 'Метаданные должны быть объектом.',
  NOT_ALLOWED_WITH_AN_API_KEY: 'С ключом API это недоступно. Войдите в аккаунт.',
  NO_VALUES_TO_UPDATE: 'Изменений нет.',
  RATE_LIMITED: 'Ключ API использовался слишком часто. Повторите попытку позже.',
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: 'Для пополнения нужны количество и интервал.',
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: 'Для пополнения нужны количество и интервал.',
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: 'Выберите более ранний срок действия.',
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: 'Выберите более поздний срок действия.',
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Название слишком короткое или слишком длинное.',
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'Префикс слишком короткий или слишком длинный.',
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY:
    'Ограничения и разрешения ключей API может задавать только администрация сайта.',
  TOO_MANY_API_KEYS: 'У вас уже максимальное количество ключей API. Отзовите тот, которым не пользуетесь.',
  UNAUTHORIZED_OR_INVALID_SESSION: 'Вы не вошли в аккаунт. Войдите и повторите попытку.',
  USAGE_EXCEEDED: 'У ключа API не осталось использований.',
  USER_IS_BANNED: 'Этот аккаунт заблокирован.',
}

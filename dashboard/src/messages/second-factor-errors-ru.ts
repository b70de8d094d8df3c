import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './second-factor-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_CODE: 'Код неверный или уже использован.',
  TOTP_ISNT_CONFIGURED: 'Приложения-аутентификаторы здесь недоступны.',
  OTP_ISNT_CONFIGURED: 'Отправка кодов здесь недоступна.',
  TOTP_NOT_ENABLED:
    'Нет приложения-аутентификатора, которое можно подтвердить. Настройте его заново или используйте другой способ.',
  OTP_NOT_ENABLED: 'Отправить вам код нельзя. Используйте другой способ.',
  OTP_HAS_EXPIRED: 'Срок действия кода истёк, или его заменил более новый. Запросите новый код.',
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: 'Неверный код введён слишком много раз. Начните заново с новым кодом.',
  BACKUP_CODES_ARENT_ENABLED: 'Резервных кодов не осталось. Используйте другой способ.',
  INVALID_BACKUP_CODE: 'Резервный код неверный или уже использован.',
  TWO_FACTOR_ISNT_ENABLED: 'Второго фактора нет. Сначала настройте его.',
  INVALID_TWO_FACTOR_COOKIE: 'Вход занял слишком много времени или завершён на другой вкладке. Войдите снова.',
  EMAIL_CODE_REQUIRED: 'Сначала введите код, который вам отправлен.',
  SECOND_FACTOR_SETUP_REQUIRED: 'Вашему аккаунту нужен второй фактор. Настройте его, чтобы войти.',
  SECOND_FACTOR_CANNOT_BE_DISABLED: 'Вашему аккаунту нужен второй фактор. Прежде чем удалить этот, настройте другой.',
  RESETTING_SECOND_FACTORS_IS_DISABLED: 'Сбросить ваши вторые факторы может только администратор.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Неверный код введён слишком много раз. Подождите или используйте резервный код.',
}

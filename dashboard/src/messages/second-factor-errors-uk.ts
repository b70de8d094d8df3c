import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './second-factor-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_CODE: 'Код неправильний або вже використаний.',
  TOTP_ISNT_CONFIGURED: 'Застосунки для автентифікації тут недоступні.',
  OTP_ISNT_CONFIGURED: 'Надсилання кодів тут недоступне.',
  TOTP_NOT_ENABLED:
    'Немає застосунку для автентифікації, який можна підтвердити. Налаштуйте його знову або скористайтеся іншим способом.',
  OTP_NOT_ENABLED: 'Надіслати вам код не можна. Скористайтеся іншим способом.',
  OTP_HAS_EXPIRED: 'Термін дії коду минув, або його замінив новіший. Отримайте новий код.',
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: 'Неправильний код введено забагато разів. Почніть знову з новим кодом.',
  BACKUP_CODES_ARENT_ENABLED: 'Резервних кодів не залишилося. Скористайтеся іншим способом.',
  INVALID_BACKUP_CODE: 'Резервний код неправильний або вже використаний.',
  TWO_FACTOR_ISNT_ENABLED: 'Другого фактора немає. Спершу налаштуйте його.',
  INVALID_TWO_FACTOR_COOKIE: 'Вхід тривав задовго або завершений на іншій вкладці. Увійдіть знову.',
  EMAIL_CODE_REQUIRED: 'Спершу введіть код, який вам надіслано.',
  SECOND_FACTOR_SETUP_REQUIRED: 'Вашому обліковому запису потрібен другий фактор. Налаштуйте його, щоб увійти.',
  SECOND_FACTOR_CANNOT_BE_DISABLED: 'Вашому обліковому запису потрібен другий фактор. Перш ніж вилучити цей, налаштуйте інший.',
  RESETTING_SECOND_FACTORS_IS_DISABLED: 'Скинути ваші другі фактори може лише адміністратор.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Неправильний код введено забагато разів. Зачекайте або скористайтеся резервним кодом.',
}

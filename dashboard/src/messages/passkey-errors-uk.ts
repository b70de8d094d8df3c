import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './passkey-errors-en.ts'

export const messages: Translation<typeof english> = {
  CHALLENGE_NOT_FOUND: 'Це тривало задовго. Повторіть спробу.',
  PASSKEY_NOT_FOUND: 'Цей ключ доступу тут більше не відомий. Увійдіть іншим способом.',
  AUTHENTICATION_FAILED: 'Не вдалося використати ключ доступу. Повторіть спробу або ввійдіть іншим способом.',
  UNABLE_TO_CREATE_SESSION: 'Не вдалося ввійти. Повторіть спробу трохи згодом.',
  SESSION_REQUIRED: 'Увійдіть знову, щоб додати ключ доступу.',
  RESOLVED_USER_INVALID: 'Зараз до цього облікового запису не можна додати ключ доступу.',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Цей ключ доступу належить іншому обліковому запису.',
  PREVIOUSLY_REGISTERED: 'Цей ключ доступу вже додано.',
  FAILED_TO_VERIFY_REGISTRATION:
    'Не вдалося додати ключ доступу. Повторіть спробу або скористайтеся іншим пристроєм чи ключем безпеки.',
  TOO_MANY_PASSKEYS: 'У вас уже максимальна кількість ключів доступу. Перш ніж додати новий, видаліть один із них.',
  YOU_CANT_DELETE_YOUR_LAST_PASSKEY: 'Цей ключ доступу — ваш єдиний спосіб входу. Перш ніж видалити його, додайте інший.',
}

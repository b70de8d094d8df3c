import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './redirects-en.ts'

const notAllowed = 'Вхід у сторонньому сервісі не дозволено. Повторіть спробу або ввійдіть іншим способом.'
const noEmail = 'Сервіс не передав вашу електронну адресу, а без неї ввійти тут не можна.'
const incomplete = 'Відповідь сервісу неповна. Почніть знову зі сторінки входу.'
const notConfirmed = 'Сервіс не підтвердив вхід. Почніть знову зі сторінки входу.'
const providerProblem = 'У сервісу виникла проблема. Повторіть спробу трохи згодом або ввійдіть іншим способом.'
const noProfile = 'Сервіс не передав ваш профіль. Повторіть спробу трохи згодом.'
const otherEmail = 'Зовнішній обліковий запис має іншу електронну адресу, тому зв’язати його з вашим обліковим записом не можна.'
const openedElsewhere = 'Відкрийте посилання в тому браузері, з якого ви надіслали запит.'
const notRenewed = 'Сервіс не продовжив доступ. Увійдіть через нього знову.'

export const messages: Translation<typeof english> = {
  access_denied: notAllowed,
  account_already_linked_to_different_user: 'Цей зовнішній обліковий запис уже зв’язано з іншим користувачем.',
  account_not_linked:
    'Обліковий запис із такою електронною адресою вже є. Увійдіть попереднім способом і зв’яжіть зовнішній обліковий запис у налаштуваннях свого облікового запису. Його електронну адресу має бути підтверджено в сторонньому сервісі.',
  banned: 'Цей обліковий запис заблоковано. Зверніться до адміністрації сайту.',
  account_locked: 'Цей обліковий запис заблоковано. Скиньте пароль, щоб розблокувати його, або зверніться до служби підтримки.',
  "email_doesn't_match": otherEmail,
  email_is_missing: noEmail,
  email_not_found: noEmail,
  invalid_callback_request: incomplete,
  invalid_code: notConfirmed,
  EXPIRED_TOKEN: 'Термін дії цього посилання минув. Отримайте нове.',
  link_opened_elsewhere: openedElsewhere,
  new_user_signup_disabled: 'Облікового запису з такою електронною адресою немає, і створити його не можна.',
  no_code: incomplete,
  oAuth_code_missing: incomplete,
  oauth_code_verification_failed: notConfirmed,
  oauth_provider_not_found: 'Вхід через цей сервіс тут недоступний.',
  please_restart_the_process:
    'Вхід тривав задовго або почався на іншій вкладці чи в іншому браузері. Почніть знову зі сторінки входу.',
  server_error: providerProblem,
  signup_not_allowed:
    'З цією електронною адресою створити обліковий запис не можна. Якщо він вам потрібен, зверніться до адміністрації сайту.',
  sign_in_frozen: 'Вхід тимчасово призупинено. Повторіть спробу пізніше.',
  sign_up_frozen: 'Реєстрацію тимчасово призупинено. Повторіть спробу пізніше.',
  signup_disabled: 'Облікового запису для цього способу входу немає, а створити новий тут не можна.',
  state_not_found: 'Вхід почався в іншому браузері. Почніть знову зі сторінки входу.',
  temporarily_unavailable: providerProblem,
  unable_to_create_session: 'Не вдалося ввійти. Повторіть спробу трохи згодом.',
  unable_to_create_user: 'Не вдалося створити обліковий запис. Повторіть спробу трохи згодом.',
  unable_to_get_user_info: noProfile,
  unable_to_link_account:
    'Не вдалося зв’язати зовнішній обліковий запис. Переконайтеся, що його електронну адресу підтверджено в сторонньому сервісі, і повторіть спробу.',
  unauthorized: 'Відкрийте посилання в браузері, у якому ви ввійшли до облікового запису.',
  user_cancelled_authorize: notAllowed,
  user_cancelled_login: notAllowed,
  user_info_is_missing: noProfile,
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: otherEmail,
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: 'Зв’язати цей зовнішній обліковий запис тут не можна.',
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: 'Не вдалося зв’язати зовнішній обліковий запис. Повторіть спробу трохи згодом.',
  INVALID_OTP_TYPE: 'Отримати такий код тут не можна.',
  SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED: 'Надсилання листів тут недоступне.',
  CHANGE_EMAIL_WITH_OTP_IS_DISABLED: 'Змінити електронну адресу за допомогою коду не можна.',
  OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL: 'Введіть код, який ми надіслали на вашу поточну електронну адресу.',
  EMAIL_ALREADY_IN_USE: 'Ця електронна адреса використовується в іншому обліковому записі.',
  LINK_OPENED_ELSEWHERE: openedElsewhere,
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: notRenewed,
  FAILED_TO_REFRESH_ACCESS_TOKEN: notRenewed,
  ID_TOKEN_NOT_SUPPORTED: 'Цей сервіс не підтримує такий вхід.',
  USER_EMAIL_NOT_FOUND: noEmail,
}

import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './redirects-en.ts'

const notAllowed = 'Вход в стороннем сервисе не разрешён. Повторите попытку или войдите другим способом.'
const noEmail = 'Сервис не передал ваш адрес электронной почты, а без него войти здесь нельзя.'
const incomplete = 'Ответ сервиса неполный. Начните заново со страницы входа.'
const notConfirmed = 'Сервис не подтвердил вход. Начните заново со страницы входа.'
const providerProblem = 'У сервиса возникла проблема. Повторите попытку чуть позже или войдите другим способом.'
const noProfile = 'Сервис не передал ваш профиль. Повторите попытку чуть позже.'
const otherEmail = 'У внешнего аккаунта другой адрес электронной почты, поэтому связать его с вашим аккаунтом нельзя.'
const openedElsewhere = 'Откройте ссылку в том браузере, в котором вы её запросили.'
const notRenewed = 'Сервис не продлил доступ. Войдите через него снова.'

export const messages: Translation<typeof english> = {
  access_denied: notAllowed,
  account_already_linked_to_different_user: 'Этот внешний аккаунт уже связан с другим пользователем.',
  account_not_linked:
    'Аккаунт с таким адресом электронной почты уже есть. Войдите прежним способом и свяжите внешний аккаунт в настройках своего аккаунта. Его адрес электронной почты должен быть подтверждён в стороннем сервисе.',
  banned: 'Этот аккаунт заблокирован. Обратитесь к администрации сайта.',
  account_locked: 'Этот аккаунт заблокирован. Сбросьте пароль, чтобы разблокировать его, или обратитесь в службу поддержки.',
  "email_doesn't_match": otherEmail,
  email_is_missing: noEmail,
  email_not_found: noEmail,
  invalid_callback_request: incomplete,
  invalid_code: notConfirmed,
  EXPIRED_TOKEN: 'Срок действия этой ссылки истёк. Запросите новую.',
  link_opened_elsewhere: openedElsewhere,
  new_user_signup_disabled: 'Аккаунта с таким адресом электронной почты нет, и создать его нельзя.',
  no_code: incomplete,
  oAuth_code_missing: incomplete,
  oauth_code_verification_failed: notConfirmed,
  oauth_provider_not_found: 'Вход через этот сервис здесь недоступен.',
  please_restart_the_process:
    'Вход занял слишком много времени или начат на другой вкладке либо в другом браузере. Начните заново со страницы входа.',
  server_error: providerProblem,
  signup_not_allowed:
    'С этим адресом электронной почты создать аккаунт нельзя. Если он вам нужен, обратитесь к администрации сайта.',
  sign_in_frozen: 'Вход временно приостановлен. Повторите попытку позже.',
  sign_up_frozen: 'Регистрация временно приостановлена. Повторите попытку позже.',
  signup_disabled: 'Аккаунта для этого способа входа нет, а создать новый здесь нельзя.',
  state_not_found: 'Вход начат в другом браузере. Начните заново со страницы входа.',
  temporarily_unavailable: providerProblem,
  unable_to_create_session: 'Не удалось войти. Повторите попытку чуть позже.',
  unable_to_create_user: 'Не удалось создать аккаунт. Повторите попытку чуть позже.',
  unable_to_get_user_info: noProfile,
  unable_to_link_account:
    'Не удалось связать внешний аккаунт. Убедитесь, что его адрес электронной почты подтверждён в стороннем сервисе, и повторите попытку.',
  unauthorized: 'Откройте ссылку в браузере, в котором вы вошли в аккаунт.',
  user_cancelled_authorize: notAllowed,
  user_cancelled_login: notAllowed,
  user_info_is_missing: noProfile,
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: otherEmail,
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: 'Связать этот внешний аккаунт здесь нельзя.',
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: 'Не удалось связать внешний аккаунт. Повторите попытку чуть позже.',
  INVALID_OTP_TYPE: 'Запросить такой код здесь нельзя.',
  SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED: 'Отправка писем здесь недоступна.',
  CHANGE_EMAIL_WITH_OTP_IS_DISABLED: 'Изменить адрес электронной почты с помощью кода нельзя.',
  OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL: 'Введите код, который мы отправили на ваш текущий адрес электронной почты.',
  EMAIL_ALREADY_IN_USE: 'Этот адрес электронной почты используется в другом аккаунте.',
  LINK_OPENED_ELSEWHERE: openedElsewhere,
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: notRenewed,
  FAILED_TO_REFRESH_ACCESS_TOKEN: notRenewed,
  ID_TOKEN_NOT_SUPPORTED: 'Этот сервис не поддерживает такой вход.',
  USER_EMAIL_NOT_FOUND: noEmail,
}

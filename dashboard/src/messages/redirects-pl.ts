import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './redirects-en.ts'

const notAllowed = 'Nie zezwolono na logowanie u dostawcy. Spróbuj ponownie lub zaloguj się inaczej.'
const noEmail = 'Dostawca nie przekazał Twojego adresu e-mail, a bez niego nie można się tu zalogować.'
const incomplete = 'Odpowiedź dostawcy jest niepełna. Zacznij od nowa na stronie logowania.'
const notConfirmed = 'Dostawca nie potwierdził logowania. Zacznij od nowa na stronie logowania.'
const providerProblem = 'U dostawcy wystąpił problem. Spróbuj ponownie za chwilę lub zaloguj się inaczej.'
const noProfile = 'Dostawca nie przekazał Twojego profilu. Spróbuj ponownie za chwilę.'
const otherEmail = 'Konto zewnętrzne ma inny adres e-mail niż Twoje konto, więc nie można ich połączyć.'
const openedElsewhere = 'Otwórz link w przeglądarce, z której wysłano prośbę o niego.'
const notRenewed = 'Dostawca nie odnowił dostępu. Zaloguj się przez niego ponownie.'

export const messages: Translation<typeof english> = {
  access_denied: notAllowed,
  account_already_linked_to_different_user: 'To konto zewnętrzne jest tu połączone z innym użytkownikiem.',
  account_not_linked:
    'Konto z tym adresem e-mail już istnieje. Zaloguj się tak jak dotychczas, a potem połącz konto zewnętrzne w ustawieniach swojego konta. Jego adres e-mail musi być zweryfikowany u dostawcy.',
  banned: 'To konto jest zablokowane. Skontaktuj się z administracją serwisu.',
  account_locked: 'To konto jest zablokowane. Zresetuj hasło, aby je odblokować, lub skontaktuj się z pomocą techniczną.',
  "email_doesn't_match": otherEmail,
  email_is_missing: noEmail,
  email_not_found: noEmail,
  invalid_callback_request: incomplete,
  invalid_code: notConfirmed,
  EXPIRED_TOKEN: 'Ten link wygasł. Poproś o nowy.',
  link_opened_elsewhere: openedElsewhere,
  new_user_signup_disabled: 'Nie ma konta z tym adresem e-mail i nie można go utworzyć.',
  no_code: incomplete,
  oAuth_code_missing: incomplete,
  oauth_code_verification_failed: notConfirmed,
  oauth_provider_not_found: 'Logowanie przez tego dostawcę nie jest tu dostępne.',
  please_restart_the_process:
    'Logowanie trwało zbyt długo albo rozpoczęło się na innej karcie lub w innej przeglądarce. Zacznij od nowa na stronie logowania.',
  server_error: providerProblem,
  signup_not_allowed:
    'Nie można utworzyć konta z tym adresem e-mail. Jeśli go potrzebujesz, skontaktuj się z administracją serwisu.',
  sign_in_frozen: 'Logowanie jest chwilowo wstrzymane. Spróbuj ponownie później.',
  sign_up_frozen: 'Rejestracja jest chwilowo wstrzymana. Spróbuj ponownie później.',
  signup_disabled: 'Dla tego logowania nie ma konta, a nowych kont nie można tu tworzyć.',
  state_not_found: 'Logowanie rozpoczęło się w innej przeglądarce. Zacznij od nowa na stronie logowania.',
  temporarily_unavailable: providerProblem,
  unable_to_create_session: 'Nie udało się zalogować. Spróbuj ponownie za chwilę.',
  unable_to_create_user: 'Nie udało się utworzyć konta. Spróbuj ponownie za chwilę.',
  unable_to_get_user_info: noProfile,
  unable_to_link_account:
    'Nie udało się połączyć konta zewnętrznego. Upewnij się, że jego adres e-mail jest zweryfikowany u dostawcy, i spróbuj ponownie.',
  unauthorized: 'Otwórz link w przeglądarce, w której używasz swojego konta.',
  user_cancelled_authorize: notAllowed,
  user_cancelled_login: notAllowed,
  user_info_is_missing: noProfile,
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: otherEmail,
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: 'Nie można tu połączyć tego konta zewnętrznego.',
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: 'Nie udało się połączyć konta zewnętrznego. Spróbuj ponownie za chwilę.',
  INVALID_OTP_TYPE: 'Nie można tu poprosić o taki kod.',
  SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED: 'Nie można tu wysyłać e-maili.',
  CHANGE_EMAIL_WITH_OTP_IS_DISABLED: 'Adresu e-mail nie można zmienić za pomocą kodu.',
  OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL: 'Wpisz kod, który wysłaliśmy na Twój obecny adres e-mail.',
  EMAIL_ALREADY_IN_USE: 'Tego adresu e-mail używa inne konto.',
  LINK_OPENED_ELSEWHERE: openedElsewhere,
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: notRenewed,
  FAILED_TO_REFRESH_ACCESS_TOKEN: notRenewed,
  ID_TOKEN_NOT_SUPPORTED: 'Ten dostawca nie obsługuje takiego logowania.',
  USER_EMAIL_NOT_FOUND: noEmail,
}

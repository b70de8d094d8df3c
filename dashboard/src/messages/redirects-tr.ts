import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './redirects-en.ts'

const notAllowed = 'Sağlayıcıda oturum açmaya izin vermediniz. Yeniden deneyin veya başka bir yolla oturum açın.'
const noEmail = 'Sağlayıcı, burada oturum açmak için gereken e-posta adresinizi paylaşmadı.'
const incomplete = 'Oturum açma sağlayıcısının yanıtı eksik. Oturum açma sayfasından baştan başlayın.'
const notConfirmed = 'Oturum açma sağlayıcısı oturum açmayı onaylamadı. Oturum açma sayfasından baştan başlayın.'
const otherBrowser = 'Bağlantıyı, istediğiniz tarayıcıda açın.'
const providerProblem = 'Oturum açma sağlayıcısında bir sorun var. Biraz sonra yeniden deneyin veya başka bir yolla oturum açın.'
const noProfile = 'Oturum açma sağlayıcısı profilinizi göndermedi. Biraz sonra yeniden deneyin.'
const otherEmail = 'Sosyal hesabın e-posta adresi hesabınızınkinden farklı olduğu için bağlanamaz.'
const notRenewed = 'Sağlayıcı erişimi yenilemedi. Onunla yeniden oturum açın.'

export const messages: Translation<typeof english> = {
  access_denied: notAllowed,
  account_already_linked_to_different_user: 'Bu sosyal hesap burada başka bir kullanıcıya bağlı.',
  account_not_linked:
    'Bu e-posta adresiyle zaten bir hesap var. Daha önceki yolla oturum açın, sonra sosyal hesabı hesabınıza bağlayın. E-posta adresi sağlayıcıda doğrulanmış olmalıdır.',
  banned: 'Bu hesap engellendi. Bu sitenin işletmecisiyle iletişime geçin.',
  account_locked: 'Bu hesap kilitli. Parolasını sıfırlayın veya destek ekibiyle iletişime geçin.',
  "email_doesn't_match": otherEmail,
  email_is_missing: noEmail,
  email_not_found: noEmail,
  invalid_callback_request: incomplete,
  invalid_code: notConfirmed,
  EXPIRED_TOKEN: 'Bu bağlantının süresi doldu. Yenisini isteyin.',
  link_opened_elsewhere: otherBrowser,
  new_user_signup_disabled: 'Bu e-posta adresiyle bir hesap yok ve oluşturulamaz.',
  no_code: incomplete,
  oAuth_code_missing: incomplete,
  oauth_code_verification_failed: notConfirmed,
  oauth_provider_not_found: 'Bu oturum açma sağlayıcısı burada kullanılamıyor.',
  please_restart_the_process:
    'Oturum açma çok uzun sürdü veya başka bir sekmede ya da tarayıcıda başlatıldı. Oturum açma sayfasından baştan başlayın.',
  server_error: providerProblem,
  signup_not_allowed:
    'Bu e-posta adresiyle burada hesap oluşturulamaz. Bir hesaba ihtiyacınız varsa bu sitenin işletmecisiyle iletişime geçin.',
  sign_in_frozen: 'Oturum açma şu anda duraklatıldı. Daha sonra yeniden deneyin.',
  sign_up_frozen: 'Kayıt şu anda duraklatıldı. Daha sonra yeniden deneyin.',
  signup_disabled: 'Bu oturum açma için bir hesap yok ve burada yeni hesap oluşturulamaz.',
  state_not_found: 'Oturum açma başka bir tarayıcıda başlatıldı. Oturum açma sayfasından baştan başlayın.',
  temporarily_unavailable: providerProblem,
  unable_to_create_session: 'Oturum açılamadı. Biraz sonra yeniden deneyin.',
  unable_to_create_user: 'Hesap oluşturulamadı. Biraz sonra yeniden deneyin.',
  unable_to_get_user_info: noProfile,
  unable_to_link_account:
    'Sosyal hesap bağlanamadı. E-posta adresinin sağlayıcıda doğrulanmış olduğundan emin olun, sonra yeniden deneyin.',
  unauthorized: 'Bağlantıyı oturumunuzun açık olduğu bir tarayıcıda açın.',
  user_cancelled_authorize: notAllowed,
  user_cancelled_login: notAllowed,
  user_info_is_missing: noProfile,
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: otherEmail,
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: 'Sosyal hesap burada bağlanamaz.',
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: 'Sosyal hesap bağlanamadı. Biraz sonra yeniden deneyin.',
  INVALID_OTP_TYPE: 'Bu kod burada istenemez.',
  SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED: 'Burada e-posta gönderilemiyor.',
  CHANGE_EMAIL_WITH_OTP_IS_DISABLED: 'E-posta adresi kodla değiştirilemez.',
  OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL: 'Geçerli e-posta adresinize gönderdiğimiz kodu girin.',
  EMAIL_ALREADY_IN_USE: 'Bu e-posta adresini başka bir hesap kullanıyor.',
  LINK_OPENED_ELSEWHERE: otherBrowser,
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: notRenewed,
  FAILED_TO_REFRESH_ACCESS_TOKEN: notRenewed,
  ID_TOKEN_NOT_SUPPORTED: 'Bu sağlayıcı bu oturum açma yöntemini desteklemiyor.',
  USER_EMAIL_NOT_FOUND: noEmail,
}

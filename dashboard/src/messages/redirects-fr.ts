import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './redirects-en.ts'

const notAllowed = 'Vous n’avez pas autorisé la connexion chez le fournisseur. Réessayez, ou connectez-vous d’une autre manière.'
const noEmail = 'Le fournisseur n’a pas communiqué votre adresse e-mail, nécessaire pour se connecter ici.'
const incomplete = 'La réponse du fournisseur de connexion est incomplète. Recommencez depuis la page de connexion.'
const notConfirmed = 'Le fournisseur de connexion n’a pas confirmé la connexion. Recommencez depuis la page de connexion.'
const otherBrowser = 'Ouvrez le lien dans le navigateur où vous l’avez demandé.'
const providerProblem =
  'Le fournisseur de connexion rencontre un problème. Réessayez dans un instant, ou connectez-vous d’une autre manière.'
const noProfile = 'Le fournisseur de connexion n’a pas transmis votre profil. Réessayez dans un instant.'
const otherEmail = 'Le compte social n’a pas la même adresse e-mail que votre compte, il ne peut donc pas être associé.'
const notRenewed = 'Le fournisseur n’a pas renouvelé l’accès. Connectez-vous à nouveau avec ce fournisseur.'

export const messages: Translation<typeof english> = {
  access_denied: notAllowed,
  account_already_linked_to_different_user: 'Ce compte social est déjà associé à un autre utilisateur ici.',
  account_not_linked:
    'Il existe déjà un compte avec cette adresse e-mail. Connectez-vous comme auparavant, puis associez le compte social dans votre compte. Son adresse e-mail doit être vérifiée chez le fournisseur.',
  banned: 'Ce compte est bloqué. Contactez le responsable de ce site.',
  account_locked: 'Ce compte est verrouillé. Réinitialisez son mot de passe, ou contactez l’assistance.',
  "email_doesn't_match": otherEmail,
  email_is_missing: noEmail,
  email_not_found: noEmail,
  invalid_callback_request: incomplete,
  invalid_code: notConfirmed,
  EXPIRED_TOKEN: 'Ce lien a expiré. Demandez-en un nouveau.',
  link_opened_elsewhere: otherBrowser,
  new_user_signup_disabled: 'Il n’existe aucun compte avec cette adresse e-mail, et aucun ne peut être créé.',
  no_code: incomplete,
  oAuth_code_missing: incomplete,
  oauth_code_verification_failed: notConfirmed,
  oauth_provider_not_found: 'Ce fournisseur de connexion n’est pas disponible ici.',
  please_restart_the_process:
    'La connexion a duré trop longtemps, ou a commencé dans un autre onglet ou navigateur. Recommencez depuis la page de connexion.',
  server_error: providerProblem,
  signup_not_allowed:
    'Aucun compte ne peut être créé ici avec cette adresse e-mail. Contactez le responsable de ce site s’il vous en faut un.',
  sign_in_frozen: 'La connexion est suspendue pour le moment. Réessayez plus tard.',
  sign_up_frozen: 'Les inscriptions sont suspendues pour le moment. Réessayez plus tard.',
  signup_disabled: 'Il n’existe aucun compte pour cette connexion, et aucun nouveau compte ne peut être créé ici.',
  state_not_found: 'La connexion a commencé dans un autre navigateur. Recommencez depuis la page de connexion.',
  temporarily_unavailable: providerProblem,
  unable_to_create_session: 'La connexion a échoué. Réessayez dans un instant.',
  unable_to_create_user: 'Le compte n’a pas pu être créé. Réessayez dans un instant.',
  unable_to_get_user_info: noProfile,
  unable_to_link_account:
    'Le compte social n’a pas pu être associé. Assurez-vous que son adresse e-mail est vérifiée chez le fournisseur, puis réessayez.',
  unauthorized: 'Ouvrez le lien dans un navigateur où votre session est ouverte.',
  user_cancelled_authorize: notAllowed,
  user_cancelled_login: notAllowed,
  user_info_is_missing: noProfile,
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: otherEmail,
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: 'Le compte social ne peut pas être associé ici.',
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: 'Le compte social n’a pas pu être associé. Réessayez dans un instant.',
  INVALID_OTP_TYPE: 'Ce code ne peut pas être demandé ici.',
  SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED: 'L’envoi d’e-mails n’est pas disponible ici.',
  CHANGE_EMAIL_WITH_OTP_IS_DISABLED: 'L’adresse e-mail ne peut pas être modifiée avec un code.',
  OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL: 'Saisissez le code que nous avons envoyé à votre adresse e-mail actuelle.',
  EMAIL_ALREADY_IN_USE: 'Un autre compte utilise cette adresse e-mail.',
  LINK_OPENED_ELSEWHERE: otherBrowser,
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: notRenewed,
  FAILED_TO_REFRESH_ACCESS_TOKEN: notRenewed,
  ID_TOKEN_NOT_SUPPORTED: 'Ce fournisseur ne prend pas en charge cette connexion.',
  USER_EMAIL_NOT_FOUND: noEmail,
}

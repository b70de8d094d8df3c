import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './redirects-en.ts'

const notAllowed = 'No permitiste el inicio de sesión en el proveedor. Inténtalo de nuevo o inicia sesión de otra manera.'
const noEmail = 'El proveedor no compartió tu dirección de correo, necesaria para iniciar sesión aquí.'
const incomplete =
  'La respuesta del proveedor de inicio de sesión está incompleta. Empieza de nuevo desde la página de inicio de sesión.'
const notConfirmed = 'El proveedor no confirmó el inicio de sesión. Empieza de nuevo desde la página de inicio de sesión.'
const otherBrowser = 'Abre el enlace en el navegador en el que lo solicitaste.'
const providerProblem =
  'El proveedor de inicio de sesión tiene un problema. Inténtalo de nuevo en un momento o inicia sesión de otra manera.'
const noProfile = 'El proveedor de inicio de sesión no devolvió tu perfil. Inténtalo de nuevo en un momento.'
const otherEmail = 'La cuenta social tiene una dirección de correo distinta de la de tu cuenta, así que no se puede vincular.'
const notRenewed = 'El proveedor no renovó el acceso. Inicia sesión de nuevo con él.'

export const messages: Translation<typeof english> = {
  access_denied: notAllowed,
  account_already_linked_to_different_user: 'Esta cuenta social está vinculada a otro usuario aquí.',
  account_not_linked:
    'Ya hay una cuenta con esta dirección de correo. Inicia sesión como lo hacías antes y vincula la cuenta social en tu cuenta. Su dirección de correo debe estar verificada en el proveedor.',
  banned: 'Esta cuenta está suspendida. Contacta con el responsable de este sitio.',
  account_locked: 'Esta cuenta está bloqueada. Restablece su contraseña o contacta con el equipo de ayuda.',
  "email_doesn't_match": otherEmail,
  email_is_missing: noEmail,
  email_not_found: noEmail,
  invalid_callback_request: incomplete,
  invalid_code: notConfirmed,
  EXPIRED_TOKEN: 'Este enlace venció. Solicita uno nuevo.',
  link_opened_elsewhere: otherBrowser,
  new_user_signup_disabled: 'No hay ninguna cuenta con esta dirección de correo, y no se puede crear.',
  no_code: incomplete,
  oAuth_code_missing: incomplete,
  oauth_code_verification_failed: notConfirmed,
  oauth_provider_not_found: 'Este proveedor de inicio de sesión no está disponible aquí.',
  please_restart_the_process:
    'El inicio de sesión tardó demasiado o empezó en otra pestaña u otro navegador. Empieza de nuevo desde la página de inicio de sesión.',
  server_error: providerProblem,
  signup_not_allowed:
    'Con esta dirección de correo no se puede crear una cuenta aquí. Contacta con el responsable de este sitio si necesitas una.',
  sign_in_frozen: 'El inicio de sesión está en pausa en este momento. Inténtalo de nuevo más tarde.',
  sign_up_frozen: 'El registro está en pausa en este momento. Inténtalo de nuevo más tarde.',
  signup_disabled: 'No hay ninguna cuenta para este inicio de sesión, y aquí no se pueden crear cuentas nuevas.',
  state_not_found: 'El inicio de sesión empezó en otro navegador. Empieza de nuevo desde la página de inicio de sesión.',
  temporarily_unavailable: providerProblem,
  unable_to_create_session: 'No se pudo iniciar sesión. Inténtalo de nuevo en un momento.',
  unable_to_create_user: 'No se pudo crear la cuenta. Inténtalo de nuevo en un momento.',
  unable_to_get_user_info: noProfile,
  unable_to_link_account:
    'No se pudo vincular la cuenta social. Asegúrate de que su dirección de correo está verificada en el proveedor e inténtalo de nuevo.',
  unauthorized: 'Abre el enlace en un navegador en el que tengas la sesión iniciada.',
  user_cancelled_authorize: notAllowed,
  user_cancelled_login: notAllowed,
  user_info_is_missing: noProfile,
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: otherEmail,
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: 'La cuenta social no se puede vincular aquí.',
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: 'No se pudo vincular la cuenta social. Inténtalo de nuevo en un momento.',
  INVALID_OTP_TYPE: 'Este código no se puede solicitar aquí.',
  SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED: 'Aquí no se pueden enviar correos.',
  CHANGE_EMAIL_WITH_OTP_IS_DISABLED: 'La dirección de correo no se puede cambiar con un código.',
  OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL: 'Escribe el código que enviamos a tu dirección de correo actual.',
  EMAIL_ALREADY_IN_USE: 'Otra cuenta usa esta dirección de correo.',
  LINK_OPENED_ELSEWHERE: otherBrowser,
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: notRenewed,
  FAILED_TO_REFRESH_ACCESS_TOKEN: notRenewed,
  ID_TOKEN_NOT_SUPPORTED: 'Este proveedor no admite este inicio de sesión.',
  USER_EMAIL_NOT_FOUND: noEmail,
}

import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './redirects-en.ts'

const incomplete = [
  'Die Antwort des Anmeldeanbieters ist unvollständig. Beginnen Sie erneut auf der Anmeldeseite.',
  'Die Antwort des Anmeldeanbieters ist unvollständig. Beginne erneut auf der Anmeldeseite.',
] as const
const notConfirmed = [
  'Der Anmeldeanbieter hat die Anmeldung nicht bestätigt. Beginnen Sie erneut auf der Anmeldeseite.',
  'Der Anmeldeanbieter hat die Anmeldung nicht bestätigt. Beginne erneut auf der Anmeldeseite.',
] as const
const noEmail = [
  'Der Anbieter hat Ihre E-Mail-Adresse nicht weitergegeben. Für die Anmeldung hier wird sie benötigt.',
  'Der Anbieter hat deine E-Mail-Adresse nicht weitergegeben. Für die Anmeldung hier wird sie benötigt.',
] as const
const noProfile = [
  'Der Anmeldeanbieter hat Ihr Profil nicht übermittelt. Versuchen Sie es gleich erneut.',
  'Der Anmeldeanbieter hat dein Profil nicht übermittelt. Versuche es gleich erneut.',
] as const
const otherEmail = [
  'Das Anbieterkonto hat eine andere E-Mail-Adresse als Ihr Konto und kann deshalb nicht verknüpft werden.',
  'Das Anbieterkonto hat eine andere E-Mail-Adresse als dein Konto und kann deshalb nicht verknüpft werden.',
] as const
const notLinked = [
  'Das Anbieterkonto konnte nicht verknüpft werden. Versuchen Sie es gleich erneut.',
  'Das Anbieterkonto konnte nicht verknüpft werden. Versuche es gleich erneut.',
] as const
const notRenewed = [
  'Der Anbieter hat den Zugriff nicht erneuert. Melden Sie sich erneut damit an.',
  'Der Anbieter hat den Zugriff nicht erneuert. Melde dich erneut damit an.',
] as const
const unavailable = [
  'Der Anmeldeanbieter hat eine Störung. Versuchen Sie es gleich erneut oder melden Sie sich anders an.',
  'Der Anmeldeanbieter hat eine Störung. Versuche es gleich erneut oder melde dich anders an.',
] as const
const notAllowed = [
  'Sie haben die Anmeldung beim Anbieter nicht zugelassen. Versuchen Sie es erneut oder melden Sie sich anders an.',
  'Du hast die Anmeldung beim Anbieter nicht zugelassen. Versuche es erneut oder melde dich anders an.',
] as const

export const messages: Translation<typeof english> = {
  access_denied: notAllowed,
  account_already_linked_to_different_user: 'Dieses Anbieterkonto ist hier mit einem anderen Benutzer verknüpft.',
  account_not_linked: [
    'Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich an wie bisher und verknüpfen Sie das Anbieterkonto dann in Ihrem Konto. Seine E-Mail-Adresse muss beim Anbieter bestätigt sein.',
    'Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melde dich an wie bisher und verknüpfe das Anbieterkonto dann in deinem Konto. Seine E-Mail-Adresse muss beim Anbieter bestätigt sein.',
  ],
  account_locked: [
    'Dieses Konto ist zur Sicherheit gesperrt. Setzen Sie das Passwort zurück, oder wenden Sie sich an den Support.',
    'Dieses Konto ist zur Sicherheit gesperrt. Setze das Passwort zurück, oder wende dich an den Support.',
  ],
  banned: [
    'Dieses Konto ist gesperrt. Wenden Sie sich an den Betreiber dieser Website.',
    'Dieses Konto ist gesperrt. Wende dich an den Betreiber dieser Website.',
  ],
  "email_doesn't_match": otherEmail,
  email_is_missing: noEmail,
  email_not_found: noEmail,
  invalid_callback_request: incomplete,
  invalid_code: notConfirmed,
  EXPIRED_TOKEN: [
    'Dieser Link ist abgelaufen. Fordern Sie einen neuen an.',
    'Dieser Link ist abgelaufen. Fordere einen neuen an.',
  ],
  link_opened_elsewhere: [
    'Öffnen Sie den Link in dem Browser, in dem Sie ihn angefordert haben.',
    'Öffne den Link in dem Browser, in dem du ihn angefordert hast.',
  ],
  new_user_signup_disabled: 'Mit dieser E-Mail-Adresse gibt es kein Konto, und es kann keines erstellt werden.',
  no_code: incomplete,
  oAuth_code_missing: incomplete,
  oauth_code_verification_failed: notConfirmed,
  oauth_provider_not_found: 'Dieser Anmeldeanbieter ist hier nicht verfügbar.',
  please_restart_the_process: [
    'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Tab oder Browser begonnen. Beginnen Sie erneut auf der Anmeldeseite.',
    'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Tab oder Browser begonnen. Beginne erneut auf der Anmeldeseite.',
  ],
  server_error: unavailable,
  signup_not_allowed: [
    'Mit dieser E-Mail-Adresse kann hier kein Konto erstellt werden. Wenden Sie sich an den Betreiber dieser Website, wenn Sie eines benötigen.',
    'Mit dieser E-Mail-Adresse kann hier kein Konto erstellt werden. Wende dich an den Betreiber dieser Website, wenn du eines benötigst.',
  ],
  sign_in_frozen: [
    'Die Anmeldung ist zurzeit ausgesetzt. Versuchen Sie es später erneut.',
    'Die Anmeldung ist zurzeit ausgesetzt. Versuche es später erneut.',
  ],
  sign_up_frozen: [
    'Die Registrierung ist zurzeit ausgesetzt. Versuchen Sie es später erneut.',
    'Die Registrierung ist zurzeit ausgesetzt. Versuche es später erneut.',
  ],
  signup_disabled: 'Zu dieser Anmeldung gibt es kein Konto, und neue Konten können hier nicht erstellt werden.',
  state_not_found: [
    'Die Anmeldung wurde in einem anderen Browser begonnen. Beginnen Sie erneut auf der Anmeldeseite.',
    'Die Anmeldung wurde in einem anderen Browser begonnen. Beginne erneut auf der Anmeldeseite.',
  ],
  temporarily_unavailable: unavailable,
  unable_to_create_session: [
    'Die Anmeldung ist fehlgeschlagen. Versuchen Sie es gleich erneut.',
    'Die Anmeldung ist fehlgeschlagen. Versuche es gleich erneut.',
  ],
  unable_to_create_user: [
    'Das Konto konnte nicht erstellt werden. Versuchen Sie es gleich erneut.',
    'Das Konto konnte nicht erstellt werden. Versuche es gleich erneut.',
  ],
  unable_to_get_user_info: noProfile,
  unable_to_link_account: [
    'Das Anbieterkonto konnte nicht verknüpft werden. Bestätigen Sie seine E-Mail-Adresse beim Anbieter und versuchen Sie es dann erneut.',
    'Das Anbieterkonto konnte nicht verknüpft werden. Bestätige seine E-Mail-Adresse beim Anbieter und versuche es dann erneut.',
  ],
  unauthorized: [
    'Öffnen Sie den Link in einem Browser, in dem Sie angemeldet sind.',
    'Öffne den Link in einem Browser, in dem du angemeldet bist.',
  ],
  user_cancelled_authorize: notAllowed,
  user_cancelled_login: notAllowed,
  user_info_is_missing: noProfile,
  // Of calls that only apps make.
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: otherEmail,
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: 'Das Anbieterkonto kann hier nicht verknüpft werden.',
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: notLinked,
  INVALID_OTP_TYPE: 'Dieser Code kann hier nicht angefordert werden.',
  SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED: 'Hier können keine E-Mails gesendet werden.',
  CHANGE_EMAIL_WITH_OTP_IS_DISABLED: 'Die E-Mail-Adresse kann nicht mit einem Code geändert werden.',
  OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL: [
    'Geben Sie den Code ein, den wir an Ihre aktuelle E-Mail-Adresse gesendet haben.',
    'Gib den Code ein, den wir an deine aktuelle E-Mail-Adresse gesendet haben.',
  ],
  EMAIL_ALREADY_IN_USE: 'Ein anderes Konto verwendet diese E-Mail-Adresse.',
  LINK_OPENED_ELSEWHERE: [
    'Öffnen Sie den Link in dem Browser, in dem Sie ihn angefordert haben.',
    'Öffne den Link in dem Browser, in dem du ihn angefordert hast.',
  ],
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: notRenewed,
  FAILED_TO_REFRESH_ACCESS_TOKEN: notRenewed,
  ID_TOKEN_NOT_SUPPORTED: 'Dieser Anbieter unterstützt diese Art der Anmeldung nicht.',
  USER_EMAIL_NOT_FOUND: noEmail,
}

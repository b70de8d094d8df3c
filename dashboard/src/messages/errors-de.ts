import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './errors-en.ts'

const notTrusted = [
  'Die App, von der Sie kommen, darf Sie nicht zurückleiten. Gehen Sie zur App zurück und melden Sie das ihrem Betreiber.',
  'Die App, von der du kommst, darf dich nicht zurückleiten. Geh zur App zurück und melde das ihrem Betreiber.',
] as const
const soon = (text: string) => [`${text} Versuchen Sie es gleich erneut.`, `${text} Versuche es gleich erneut.`] as const
const serverError = soon('Auf dem Server ist ein Fehler aufgetreten.')
const notSaved = soon('Das Passwort konnte nicht gespeichert werden.')
const signInFailed = soon('Die Anmeldung ist fehlgeschlagen.')

const later = (text: string) => [`${text} Versuchen Sie es später erneut.`, `${text} Versuche es später erneut.`] as const

export const messages: Translation<typeof english> = {
  OFFLINE: [
    'Der Server hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    'Der Server hat nicht geantwortet. Prüfe deine Verbindung und versuche es erneut.',
  ],
  UNEXPECTED: [
    'Auf dieser Seite ist ein Fehler aufgetreten. Laden Sie sie neu und versuchen Sie es erneut.',
    'Auf dieser Seite ist ein Fehler aufgetreten. Lade sie neu und versuche es erneut.',
  ],
  UNKNOWN: [
    'Der Server hat unerwartet geantwortet. Versuchen Sie es gleich erneut.',
    'Der Server hat unerwartet geantwortet. Versuche es gleich erneut.',
  ],
  VALIDATION_ERROR: [
    'Einige Angaben sind ungültig. Prüfen Sie sie und versuchen Sie es erneut.',
    'Einige Angaben sind ungültig. Prüfe sie und versuche es erneut.',
  ],
  UNAUTHORIZED: [
    'Sie sind nicht angemeldet. Melden Sie sich an und versuchen Sie es erneut.',
    'Du bist nicht angemeldet. Melde dich an und versuche es erneut.',
  ],
  EVENT_NOT_FOUND: 'Dieses Ereignis gibt es nicht mehr.',
  FORBIDDEN: ['Dazu haben Sie keine Berechtigung.', 'Dazu hast du keine Berechtigung.'],
  NOT_FOUND: 'Das ist hier nicht verfügbar.',
  PAYLOAD_TOO_LARGE: [
    'Die Angaben sind zu lang. Kürzen Sie sie und versuchen Sie es erneut.',
    'Die Angaben sind zu lang. Kürze sie und versuche es erneut.',
  ],
  INTERNAL_SERVER_ERROR: serverError,
  READ_ONLY: later('Änderungen sind zurzeit nicht möglich.'),
  SIGN_IN_FROZEN: later('Die Anmeldung ist zurzeit ausgesetzt.'),
  SIGN_UP_FROZEN: later('Die Registrierung ist zurzeit ausgesetzt.'),
  SERVICE_UNAVAILABLE: [
    'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich erneut.',
    'Der Dienst ist gerade nicht verfügbar. Versuche es gleich erneut.',
  ],
  SOMETHING_WENT_WRONG: serverError,
  TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER: 'Zu viele Versuche.',
  INVALID_HOST: 'Diese Adresse ist für diese Website nicht erlaubt.',
  INVALID_ORIGIN: [
    'Diese Seite darf diese Anfrage nicht stellen. Öffnen Sie sie über die Adresse dieser Website.',
    'Diese Seite darf diese Anfrage nicht stellen. Öffne sie über die Adresse dieser Website.',
  ],
  MISSING_OR_NULL_ORIGIN: [
    'Der Browser hat nicht angegeben, von welcher Seite die Anfrage kommt. Laden Sie die Seite neu.',
    'Der Browser hat nicht angegeben, von welcher Seite die Anfrage kommt. Lade die Seite neu.',
  ],
  INVALID_AUTHORIZATIONURL: [
    'Diese Anmeldung ist abgelaufen oder wurde bereits geöffnet. Beginnen Sie in der App von vorn.',
    'Diese Anmeldung ist abgelaufen oder wurde bereits geöffnet. Beginne in der App von vorn.',
  ],
  INVALID_CALLBACKURL: notTrusted,
  INVALID_REDIRECTURL: notTrusted,
  INVALID_ERRORCALLBACKURL: notTrusted,
  INVALID_NEWUSERCALLBACKURL: notTrusted,
  SESSION_IS_NOT_FRESH: ['Melden Sie sich erneut an, um fortzufahren.', 'Melde dich erneut an, um fortzufahren.'],
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: [
    'Melden Sie sich erneut an, um fortzufahren.',
    'Melde dich erneut an, um fortzufahren.',
  ],
  FAILED_TO_GET_SESSION: [
    'Ihre Sitzung konnte nicht gelesen werden. Versuchen Sie es gleich erneut.',
    'Deine Sitzung konnte nicht gelesen werden. Versuche es gleich erneut.',
  ],
  SESSION_NOT_FOUND: 'Diese Sitzung ist bereits beendet.',
  INVALID_SESSION_TOKEN: [
    'Dieses Konto ist in diesem Browser nicht mehr angemeldet. Melden Sie sich erneut an.',
    'Dieses Konto ist in diesem Browser nicht mehr angemeldet. Melde dich erneut an.',
  ],
  CLIENT_REQUESTS_ARE_DISABLED: 'Das ist im Browser nicht verfügbar.',
  COULD_NOT_CREATE_SESSION: signInFailed,
  USER_IS_NOT_ANONYMOUS: 'Nur Benutzer ohne Konto können so gelöscht werden.',
  DELETE_ANONYMOUS_USER_DISABLED: 'Konten können hier nicht so gelöscht werden.',
  ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY: 'Diese Seite wird bereits ohne Konto genutzt.',
  FAILED_TO_CREATE_SESSION: signInFailed,
  FAILED_TO_UPDATE_SESSION: [
    'Ihre Sitzung konnte nicht geändert werden. Versuchen Sie es gleich erneut.',
    'Deine Sitzung konnte nicht geändert werden. Versuche es gleich erneut.',
  ],
  INVALID_NUMBER: ['Geben Sie eine ganze Zahl ein, zum Beispiel 42.', 'Gib eine ganze Zahl ein, zum Beispiel 42.'],
  INVALID_EMAIL: [
    'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    'Gib eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  ],
  INVALID_EMAIL_OR_PASSWORD: 'E-Mail-Adresse oder Passwort ist falsch.',
  INVALID_PICTURE: [
    'Diese Datei kann nicht als Bild verwendet werden. Wählen Sie eine JPEG-, PNG- oder WebP-Datei.',
    'Diese Datei kann nicht als Bild verwendet werden. Wähle eine JPEG-, PNG- oder WebP-Datei.',
  ],
  INVALID_PASSWORD: 'Das Passwort ist falsch.',
  PASSWORD_TOO_SHORT: 'Das Passwort ist zu kurz.',
  PASSWORD_TOO_LONG: 'Das Passwort ist zu lang.',
  FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER: [
    'Das Passwort konnte nicht geprüft werden. Versuchen Sie es gleich erneut.',
    'Das Passwort konnte nicht geprüft werden. Versuche es gleich erneut.',
  ],
  PASSWORD_COMPROMISED: [
    'Dieses Passwort steht in Listen bekannter Passwörter. Wählen Sie ein anderes.',
    'Dieses Passwort steht in Listen bekannter Passwörter. Wähle ein anderes.',
  ],
  PASSWORD_TOO_PERSONAL: [
    'Dieses Passwort besteht aus Wörtern über Sie oder diese Website. Wählen Sie ein anderes.',
    'Dieses Passwort besteht aus Wörtern über dich oder diese Website. Wähle ein anderes.',
  ],
  ACCOUNT_LOCKED: 'Dieses Konto ist zur Sicherheit gesperrt. Ein neues Passwort oder der Support gibt es wieder frei.',
  PASSWORD_MUST_BE_REPLACED: [
    'Wählen Sie ein neues Passwort. Wir haben Ihnen eine E-Mail mit einem Link geschickt.',
    'Wähle ein neues Passwort. Wir haben dir eine E-Mail mit einem Link geschickt.',
  ],
  INVITE_LINK_NOT_FOUND: 'Dieser Einladungslink funktioniert nicht mehr.',
  EMAIL_NOT_VERIFIED: [
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Wir haben Ihnen eine E-Mail mit einem Link geschickt.',
    'Bestätige zuerst deine E-Mail-Adresse. Wir haben dir eine E-Mail mit einem Link geschickt.',
  ],
  EMAIL_AND_PASSWORD_IS_NOT_ENABLED: 'Die Anmeldung mit E-Mail-Adresse und Passwort ist hier nicht verfügbar.',
  EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED: 'Hier kann kein Konto erstellt werden.',
  RESET_PASSWORD_ISNT_ENABLED: 'Das Zurücksetzen des Passworts ist hier nicht verfügbar.',
  VERIFICATION_EMAIL_ISNT_ENABLED: 'Das Bestätigen von E-Mail-Adressen ist hier nicht verfügbar.',
  YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL: [
    'Ihre E-Mail-Adresse ist bereits bestätigt.',
    'Deine E-Mail-Adresse ist bereits bestätigt.',
  ],
  YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL: [
    'Sie können nur Ihre eigene E-Mail-Adresse bestätigen.',
    'Du kannst nur deine eigene E-Mail-Adresse bestätigen.',
  ],
  INVALID_USERNAME_OR_PASSWORD: 'Der Benutzername oder das Passwort ist falsch.',
  USERNAME_IS_TOO_SHORT: 'Der Benutzername ist zu kurz.',
  USERNAME_IS_TOO_LONG: 'Der Benutzername ist zu lang.',
  USERNAME_IS_INVALID: 'Der Benutzername enthält Zeichen, die nicht erlaubt sind.',
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: [
    'Dieser Benutzername ist vergeben. Wählen Sie einen anderen.',
    'Dieser Benutzername ist vergeben. Wähle einen anderen.',
  ],
  INVALID_PHONE_NUMBER: [
    'Geben Sie die Telefonnummer mit Landesvorwahl ein, zum Beispiel +49\u00a0170\u00a01234567.',
    'Gib die Telefonnummer mit Landesvorwahl ein, zum Beispiel +49\u00a0170\u00a01234567.',
  ],
  INVALID_PHONE_NUMBER_OR_PASSWORD: 'Die Telefonnummer oder das Passwort ist falsch.',
  PHONE_NUMBER_NOT_VERIFIED: [
    'Ihre Telefonnummer ist noch nicht bestätigt. Wir haben Ihnen einen Code gesendet.',
    'Deine Telefonnummer ist noch nicht bestätigt. Wir haben dir einen Code gesendet.',
  ],
  PHONE_NUMBER_ALREADY_EXISTS: 'Ein anderes Konto verwendet diese Telefonnummer.',
  PHONE_NUMBER_CANNOT_BE_UPDATED: [
    'Die Telefonnummer ist Ihre einzige Anmeldemethode und kann deshalb nicht entfernt werden.',
    'Die Telefonnummer ist deine einzige Anmeldemethode und kann deshalb nicht entfernt werden.',
  ],
  PHONE_NUMBER_ISNT_REGISTERED: 'Kein Konto verwendet diese Telefonnummer.',
  SENDOTP_NOT_IMPLEMENTED: 'Hier können keine SMS gesendet werden.',
  OTP_NOT_FOUND: [
    'Dieser Code ist nicht mehr gültig. Fordern Sie einen neuen an.',
    'Dieser Code ist nicht mehr gültig. Fordere einen neuen an.',
  ],
  OTP_EXPIRED: ['Dieser Code ist abgelaufen. Fordern Sie einen neuen an.', 'Dieser Code ist abgelaufen. Fordere einen neuen an.'],
  TOO_MANY_ATTEMPTS: [
    'Es wurden zu viele falsche Codes eingegeben. Fordern Sie einen neuen an.',
    'Es wurden zu viele falsche Codes eingegeben. Fordere einen neuen an.',
  ],
  INVALID_OTP: 'Der Code ist falsch.',
  SIGN_UP_NOT_ALLOWED: [
    'Mit dieser E-Mail-Adresse kann kein Konto erstellt werden. Wenden Sie sich an den Betreiber dieser Website, wenn Sie eines benötigen.',
    'Mit dieser E-Mail-Adresse kann kein Konto erstellt werden. Wende dich an den Betreiber dieser Website, wenn du eines benötigst.',
  ],
  SIGN_UP_IS_DISABLED: 'Mit dieser E-Mail-Adresse gibt es kein Konto, und es kann keines erstellt werden.',
  UNEXPECTED_ERROR: [
    'Das Passwort konnte nicht gespeichert werden. Fordern Sie einen neuen Code an.',
    'Das Passwort konnte nicht gespeichert werden. Fordere einen neuen Code an.',
  ],
  USER_ALREADY_EXISTS: [
    'Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich an.',
    'Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melde dich an.',
  ],
  CREDENTIAL_ACCOUNT_NOT_FOUND: [
    'Ihr Konto hat kein Passwort. Legen Sie eines über einen Link zum Zurücksetzen fest.',
    'Dein Konto hat kein Passwort. Lege eines über einen Link zum Zurücksetzen fest.',
  ],
  FAILED_TO_CREATE_USER: [
    'Das Konto konnte nicht erstellt werden. Versuchen Sie es gleich erneut.',
    'Das Konto konnte nicht erstellt werden. Versuche es gleich erneut.',
  ],
  FAILED_TO_UPDATE_USER: [
    'Die Änderung konnte nicht gespeichert werden. Versuchen Sie es gleich erneut.',
    'Die Änderung konnte nicht gespeichert werden. Versuche es gleich erneut.',
  ],
  FAILED_TO_CREATE_ACCOUNT: notSaved,
  FAILED_TO_UPDATE_ACCOUNT: notSaved,
  FAILED_TO_CREATE_VERIFICATION: [
    'Der Link konnte nicht erstellt werden. Versuchen Sie es gleich erneut.',
    'Der Link konnte nicht erstellt werden. Versuche es gleich erneut.',
  ],
  FAILED_TO_GET_USER_INFO: [
    'Sie sind nicht angemeldet. Melden Sie sich an und öffnen Sie den Link erneut.',
    'Du bist nicht angemeldet. Melde dich an und öffne den Link erneut.',
  ],
  EMAIL_CAN_NOT_BE_UPDATED: 'Die E-Mail-Adresse kann hier nicht geändert werden.',
  CHANGE_EMAIL_IS_DISABLED: 'Das Ändern der E-Mail-Adresse ist hier nicht verfügbar.',
  EMAIL_DOES_NOT_MATCH: ['Geben Sie die E-Mail-Adresse Ihres Kontos ein.', 'Gib die E-Mail-Adresse deines Kontos ein.'],
  EMAIL_IS_THE_SAME: ['Das ist bereits Ihre E-Mail-Adresse.', 'Das ist bereits deine E-Mail-Adresse.'],
  COULDNT_UPDATE_YOUR_EMAIL: [
    'Die E-Mail-Adresse konnte nicht geändert werden. Wählen Sie eine andere.',
    'Die E-Mail-Adresse konnte nicht geändert werden. Wähle eine andere.',
  ],
  ACCOUNT_NOT_FOUND: 'Diese Anmeldemethode wurde bereits entfernt.',
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: [
    'Das ist Ihre einzige Anmeldemethode. Fügen Sie zuerst eine andere hinzu.',
    'Das ist deine einzige Anmeldemethode. Füge zuerst eine andere hinzu.',
  ],
  PROVIDER_NOT_FOUND: 'Dieser Anbieter ist hier nicht verfügbar.',
  INVALID_OAUTH_CONFIGURATION: [
    'Dieser Anbieter ist gerade nicht nutzbar. Melden Sie sich anders an oder versuchen Sie es später erneut.',
    'Dieser Anbieter ist gerade nicht nutzbar. Melde dich anders an oder versuche es später erneut.',
  ],
  UNABLE_TO_CREATE_VERIFICATION: [
    'Die Anmeldung konnte nicht begonnen werden. Versuchen Sie es gleich erneut.',
    'Die Anmeldung konnte nicht begonnen werden. Versuche es gleich erneut.',
  ],
  MISSING_CAPTCHA_RESPONSE: [
    'Bestätigen Sie, dass Sie kein Roboter sind, und versuchen Sie es erneut.',
    'Bestätige, dass du kein Roboter bist, und versuche es erneut.',
  ],
  CAPTCHA_VERIFICATION_FAILED: [
    'Die Prüfung, dass Sie kein Roboter sind, ist fehlgeschlagen. Wiederholen Sie sie.',
    'Die Prüfung, dass du kein Roboter bist, ist fehlgeschlagen. Wiederhole sie.',
  ],
  INVALID_TOKEN: 'Dieser Link ist ungültig, wurde bereits verwendet oder ist abgelaufen.',
  TOKEN_EXPIRED: 'Dieser Link ist abgelaufen.',
  USER_NOT_FOUND: 'Zu diesem Link gibt es kein Konto mehr.',
  NOT_ALLOWED_WHILE_IMPERSONATING_A_USER: [
    'Das geht nicht, solange Sie als ein anderer Benutzer angemeldet sind. Beenden Sie das zuerst.',
    'Das geht nicht, solange du als ein anderer Benutzer angemeldet bist. Beende das zuerst.',
  ],
  EMAIL_ALREADY_EXISTS: 'Ein anderes Konto verwendet diese E-Mail-Adresse.',
}

import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './second-factor-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_CODE: 'Der Code ist falsch oder wurde schon verwendet.',
  TOTP_ISNT_CONFIGURED: 'Authenticator-Apps sind hier nicht verfügbar.',
  OTP_ISNT_CONFIGURED: 'Codes können hier nicht gesendet werden.',
  TOTP_NOT_ENABLED: [
    'Es gibt keine Authenticator-App, die bestätigt werden kann. Richten Sie sie erneut ein, oder wählen Sie einen anderen Weg.',
    'Es gibt keine Authenticator-App, die bestätigt werden kann. Richte sie erneut ein, oder wähle einen anderen Weg.',
  ],
  OTP_NOT_ENABLED: [
    'Es kann kein Code an Sie gesendet werden. Wählen Sie einen anderen Weg.',
    'Es kann kein Code an dich gesendet werden. Wähle einen anderen Weg.',
  ],
  OTP_HAS_EXPIRED: [
    'Der Code ist abgelaufen oder wurde durch einen neueren ersetzt. Fordern Sie einen neuen an.',
    'Der Code ist abgelaufen oder wurde durch einen neueren ersetzt. Fordere einen neuen an.',
  ],
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: [
    'Es waren zu viele falsche Codes. Beginnen Sie mit einem neuen Code von vorn.',
    'Es waren zu viele falsche Codes. Beginne mit einem neuen Code von vorn.',
  ],
  BACKUP_CODES_ARENT_ENABLED: [
    'Es sind keine Ersatzcodes übrig. Wählen Sie einen anderen Weg.',
    'Es sind keine Ersatzcodes übrig. Wähle einen anderen Weg.',
  ],
  INVALID_BACKUP_CODE: 'Der Ersatzcode ist falsch oder wurde schon verwendet.',
  TWO_FACTOR_ISNT_ENABLED: [
    'Es gibt keinen zweiten Faktor. Richten Sie zuerst einen ein.',
    'Es gibt keinen zweiten Faktor. Richte zuerst einen ein.',
  ],
  INVALID_TWO_FACTOR_COOKIE: [
    'Die Anmeldung dauerte zu lange oder wurde in einem anderen Tab abgeschlossen. Melden Sie sich erneut an.',
    'Die Anmeldung dauerte zu lange oder wurde in einem anderen Tab abgeschlossen. Melde dich erneut an.',
  ],
  EMAIL_CODE_REQUIRED: [
    'Geben Sie zuerst den Code ein, der Ihnen gesendet wurde.',
    'Gib zuerst den Code ein, der dir gesendet wurde.',
  ],
  SECOND_FACTOR_SETUP_REQUIRED: [
    'Ihr Konto braucht einen zweiten Faktor. Richten Sie einen ein, um sich anzumelden.',
    'Dein Konto braucht einen zweiten Faktor. Richte einen ein, um dich anzumelden.',
  ],
  SECOND_FACTOR_CANNOT_BE_DISABLED: [
    'Ihr Konto braucht einen zweiten Faktor. Richten Sie einen anderen ein, bevor Sie diesen entfernen.',
    'Dein Konto braucht einen zweiten Faktor. Richte einen anderen ein, bevor du diesen entfernst.',
  ],
  RESETTING_SECOND_FACTORS_IS_DISABLED: [
    'Ihre zweiten Faktoren kann nur ein Administrator zurücksetzen.',
    'Deine zweiten Faktoren kann nur ein Administrator zurücksetzen.',
  ],
  ACCOUNT_TEMPORARILY_LOCKED: [
    'Es waren zu viele falsche Codes. Warten Sie, oder verwenden Sie einen Ersatzcode.',
    'Es waren zu viele falsche Codes. Warte, oder verwende einen Ersatzcode.',
  ],
}

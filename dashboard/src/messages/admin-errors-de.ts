import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './admin-errors-en.ts'

export const messages: Translation<typeof english> = {
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: [
    'Mit Ihrer Rolle dürfen Sie die Rollen von Benutzern nicht ändern.',
    'Mit deiner Rolle darfst du die Rollen von Benutzern nicht ändern.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS: [
    'Mit Ihrer Rolle dürfen Sie keine Benutzer erstellen.',
    'Mit deiner Rolle darfst du keine Benutzer erstellen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS: [
    'Mit Ihrer Rolle dürfen Sie die Benutzer nicht sehen.',
    'Mit deiner Rolle darfst du die Benutzer nicht sehen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS: [
    'Mit Ihrer Rolle dürfen Sie die Sitzungen von Benutzern nicht sehen.',
    'Mit deiner Rolle darfst du die Sitzungen von Benutzern nicht sehen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS: [
    'Ihre Rolle erlaubt es nicht, zweite Faktoren zurückzusetzen.',
    'Deine Rolle erlaubt es nicht, zweite Faktoren zurückzusetzen.',
  ],
  YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR: [
    'Sie können Ihre eigenen zweiten Faktoren nicht zurücksetzen. Entfernen Sie sie in Ihrem Konto.',
    'Du kannst deine eigenen zweiten Faktoren nicht zurücksetzen. Entferne sie in deinem Konto.',
  ],
  USER_HAS_NO_SECOND_FACTOR: 'Dieser Benutzer hat keinen zweiten Faktor, der zurückgesetzt werden kann.',
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: [
    'Mit Ihrer Rolle dürfen Sie keine Benutzer sperren.',
    'Mit deiner Rolle darfst du keine Benutzer sperren.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS: [
    'Mit Ihrer Rolle dürfen Sie sich nicht als Benutzer anmelden.',
    'Mit deiner Rolle darfst du dich nicht als Benutzer anmelden.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: [
    'Mit Ihrer Rolle dürfen Sie die Sitzungen von Benutzern nicht beenden.',
    'Mit deiner Rolle darfst du die Sitzungen von Benutzern nicht beenden.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS: [
    'Mit Ihrer Rolle dürfen Sie keine Benutzer löschen.',
    'Mit deiner Rolle darfst du keine Benutzer löschen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD: [
    'Mit Ihrer Rolle dürfen Sie keine Passwörter von Benutzern festlegen.',
    'Mit deiner Rolle darfst du keine Passwörter von Benutzern festlegen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS: [
    'Mit Ihrer Rolle dürfen Sie keine Benutzer bearbeiten.',
    'Mit deiner Rolle darfst du keine Benutzer bearbeiten.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_EXPORT_USERS: [
    'Mit Ihrer Rolle dürfen Sie keine Daten von Benutzern exportieren.',
    'Mit deiner Rolle darfst du keine Daten von Benutzern exportieren.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_ERASE_USERS: [
    'Mit Ihrer Rolle dürfen Sie keine Daten von Benutzern löschen.',
    'Mit deiner Rolle darfst du keine Daten von Benutzern löschen.',
  ],
  YOU_CANNOT_DEMOTE_YOURSELF: [
    'Sie können sich nicht selbst die Berechtigung nehmen, Rollen festzulegen.',
    'Du kannst dir nicht selbst die Berechtigung nehmen, Rollen festzulegen.',
  ],
  NO_DATA_TO_UPDATE: 'Es wurde nichts geändert.',
  SETTING_PASSWORDS_IS_DISABLED: [
    'Passwörter können hier nicht festgelegt werden. Senden Sie stattdessen einen Link zum Zurücksetzen.',
    'Passwörter können hier nicht festgelegt werden. Sende stattdessen einen Link zum Zurücksetzen.',
  ],
  YOU_CANNOT_IMPERSONATE_YOURSELF: [
    'Sie können nicht in Ihrem eigenen Namen handeln.',
    'Du kannst nicht in deinem eigenen Namen handeln.',
  ],
  YOU_CANNOT_IMPERSONATE_ADMINS: 'Als ein anderer Administrator kann sich niemand anmelden.',
  REASON_IS_REQUIRED: ['Geben Sie einen Grund ein.', 'Gib einen Grund ein.'],
  FAILED_TO_FIND_USER: [
    'Ihr eigenes Konto wurde nicht gefunden. Melden Sie sich neu an.',
    'Dein eigenes Konto wurde nicht gefunden. Melde dich neu an.',
  ],
  FAILED_TO_FIND_ADMIN_SESSION: [
    'Ihre eigene Sitzung ist beendet. Melden Sie sich ab und dann wieder an.',
    'Deine eigene Sitzung ist beendet. Melde dich ab und dann wieder an.',
  ],
  YOU_CANNOT_BAN_YOURSELF: ['Sie können sich nicht selbst sperren.', 'Du kannst dich nicht selbst sperren.'],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_INVITE_LINKS: [
    'Ihre Rolle erlaubt Ihnen nicht, Einladungslinks zu erstellen.',
    'Deine Rolle erlaubt dir nicht, Einladungslinks zu erstellen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_LIST_INVITE_LINKS: [
    'Ihre Rolle erlaubt Ihnen nicht, Einladungslinks aufzulisten.',
    'Deine Rolle erlaubt dir nicht, Einladungslinks aufzulisten.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_INVITE_LINKS: [
    'Ihre Rolle erlaubt Ihnen nicht, Einladungslinks zu widerrufen.',
    'Deine Rolle erlaubt dir nicht, Einladungslinks zu widerrufen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_LIST_THE_WAITING_LIST: [
    'Ihre Rolle erlaubt Ihnen nicht, die Warteliste zu sehen.',
    'Deine Rolle erlaubt dir nicht, die Warteliste zu sehen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_DECIDE_ON_THE_WAITING_LIST: [
    'Ihre Rolle erlaubt Ihnen nicht, über Bewerber zu entscheiden.',
    'Deine Rolle erlaubt dir nicht, über Bewerber zu entscheiden.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_LOCK_USERS: [
    'Ihre Rolle erlaubt Ihnen nicht, Sicherheitssperren zu setzen.',
    'Deine Rolle erlaubt dir nicht, Sicherheitssperren zu setzen.',
  ],
  YOU_CANNOT_LOCK_YOURSELF: [
    'Ihr eigenes Konto können Sie hier nicht sperren.',
    'Dein eigenes Konto kannst du hier nicht sperren.',
  ],
  YOU_CANNOT_REMOVE_YOURSELF: ['Sie können sich hier nicht selbst löschen.', 'Du kannst dich hier nicht selbst löschen.'],
  YOU_ARE_NOT_IMPERSONATING_ANYONE: [
    'Sie sind nicht mehr als dieser Benutzer angemeldet.',
    'Du bist nicht mehr als dieser Benutzer angemeldet.',
  ],
  USER_NOT_FOUND: 'Diesen Benutzer gibt es nicht mehr.',
  USER_ALREADY_EXISTS: 'Es gibt bereits einen Benutzer mit dieser E-Mail-Adresse.',
  SEARCH_TOO_SLOW: [
    'Die Suche hat zu lange gedauert. Suchen Sie nach dem Anfang einer E-Mail-Adresse oder eines Namens, oder filtern Sie.',
    'Die Suche hat zu lange gedauert. Suche nach dem Anfang einer E-Mail-Adresse oder eines Namens, oder filtere.',
  ],
  NO_USER_MATCHES: 'Es gibt keinen Benutzer, den dies ändern würde.',
  TOO_MANY_USERS_MATCH: [
    'Zu viele Benutzer passen. Fügen Sie einen Filter hinzu oder erhöhen Sie admin.bulkActionLimit in der Konfiguration.',
    'Zu viele Benutzer passen. Füge einen Filter hinzu oder erhöhe admin.bulkActionLimit in der Konfiguration.',
  ],
  BULK_ACTION_NOT_FOUND: 'Diese Sammelaktion gibt es nicht mehr.',
  BULK_ACTION_HAS_ENDED: 'Diese Sammelaktion ist bereits beendet.',
  EXPORT_NOT_FOUND: 'Diesen Export gibt es nicht mehr.',
  EXPORT_IS_NOT_COMPLETE: 'Die Datei ist noch nicht fertig.',
  TOO_MANY_EXPORTS: [
    'Es gibt zu viele Exporte. Löschen Sie einen, oder versuchen Sie es morgen erneut.',
    'Es gibt zu viele Exporte. Lösche einen, oder versuche es morgen erneut.',
  ],
  FORBIDDEN: ['Mit Ihrer Rolle dürfen Sie das nicht.', 'Mit deiner Rolle darfst du das nicht.'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'Dieser Benutzer hat kein Passwort.',
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: 'Das ist die einzige Anmeldemethode des Benutzers.',
  FAILED_EMAIL_NOT_FOUND: 'Diese E-Mail ist nicht mehr unter den fehlgeschlagenen. Vielleicht wurde sie schon erneut gesendet.',
  IP_ADDRESS_OR_ACCOUNT_REQUIRED: [
    'Geben Sie eine IP-Adresse oder die E-Mail-Adresse eines Kontos ein.',
    'Gib eine IP-Adresse oder die E-Mail-Adresse eines Kontos ein.',
  ],
  PREVIEW_NOT_FOUND: [
    'Die Konfiguration enthält diese Seite oder E-Mail nicht mehr. Wählen Sie eine andere.',
    'Die Konfiguration enthält diese Seite oder E-Mail nicht mehr. Wähle eine andere.',
  ],
  EMAIL_IS_NOT_CONFIGURED: [
    'Es ist kein Mailserver konfiguriert. Setzen Sie mail.smtp oder mail.send.',
    'Es ist kein Mailserver konfiguriert. Setze mail.smtp oder mail.send.',
  ],
  ONLY_KNOWN_TO_A_DAEMON: [
    'Das weiß nur ein laufender Daemon. Starten Sie ihn mit latchkey start.',
    'Das weiß nur ein laufender Daemon. Starte ihn mit latchkey start.',
  ],
  SIGNING_KEY_NOT_FOUND: 'Diesen Signaturschlüssel gibt es nicht mehr.',
  SIGNING_KEY_ALREADY_RETIRED: 'Dieser Signaturschlüssel signiert schon nicht mehr.',
  INCIDENT_FILTER_REQUIRED: ['Geben Sie mindestens einen Filter ein.', 'Gib mindestens einen Filter ein.'],
  INVALID_IP_ADDRESS: ['Geben Sie eine IPv4- oder IPv6-Adresse ein.', 'Gib eine IPv4- oder IPv6-Adresse ein.'],
}

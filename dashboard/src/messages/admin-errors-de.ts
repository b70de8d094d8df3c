import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './admin-errors-en.ts'

export const messages: Translation<typeof english> = {
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: 'Mit Ihrer Rolle dürfen Sie die Rollen von Benutzern nicht ändern.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS: 'Mit Ihrer Rolle dürfen Sie keine Benutzer anlegen.',
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS: 'Mit Ihrer Rolle dürfen Sie die Benutzer nicht sehen.',
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS: 'Mit Ihrer Rolle dürfen Sie die Sitzungen von Benutzern nicht sehen.',
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: 'Mit Ihrer Rolle dürfen Sie keine Benutzer sperren.',
  YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS: 'Mit Ihrer Rolle dürfen Sie nicht im Namen von Benutzern handeln.',
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: 'Mit Ihrer Rolle dürfen Sie die Sitzungen von Benutzern nicht beenden.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS: 'Mit Ihrer Rolle dürfen Sie keine Benutzer löschen.',
  YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD: 'Mit Ihrer Rolle dürfen Sie keine Passwörter von Benutzern festlegen.',
  YOU_CANNOT_BAN_YOURSELF: 'Sie können sich nicht selbst sperren.',
  YOU_CANNOT_REMOVE_YOURSELF: 'Sie können sich hier nicht selbst löschen.',
  YOU_ARE_NOT_IMPERSONATING_ANYONE: 'Sie handeln nicht mehr im Namen dieses Benutzers.',
  USER_NOT_FOUND: 'Diesen Benutzer gibt es nicht mehr.',
  USER_ALREADY_EXISTS: 'Es gibt bereits einen Benutzer mit dieser E-Mail-Adresse.',
  SEARCH_TOO_SLOW:
    'Die Suche hat zu lange gedauert. Suchen Sie nach dem Anfang einer E-Mail-Adresse oder eines Namens, oder filtern Sie.',
  FORBIDDEN: 'Mit Ihrer Rolle dürfen Sie das nicht.',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'Dieser Benutzer hat kein Passwort.',
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: 'Das ist die einzige Anmeldemethode des Benutzers.',
  FAILED_EMAIL_NOT_FOUND: 'Diese E-Mail ist nicht mehr unter den fehlgeschlagenen. Vielleicht wurde sie schon erneut gesendet.',
  IP_ADDRESS_OR_ACCOUNT_REQUIRED: 'Geben Sie eine IP-Adresse oder die E-Mail-Adresse eines Kontos ein.',
  ONLY_KNOWN_TO_A_DAEMON: 'Das weiß nur ein laufender Daemon. Starten Sie ihn mit latchkey start.',
  INVALID_IP_ADDRESS: 'Geben Sie eine IPv4- oder IPv6-Adresse ein.',
}

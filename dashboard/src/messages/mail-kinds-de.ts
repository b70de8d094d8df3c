import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './mail-kinds-en.ts'

export const messages: Translation<typeof english> = {
  'new-sign-in': 'Neue Anmeldung',
  'session-limit': 'Höchstzahl der Sitzungen erreicht',
  'sign-in-method-removed': 'Anmeldemethode entfernt',
  'account-banned': 'Konto gesperrt',
  'account-deleted': 'Konto gelöscht',
  'account-impersonated': 'Zugriff durch Administrator',
  verification: 'Bestätigung der E-Mail-Adresse',
  'account-exists': 'Konto existiert bereits',
  'organization-invitation': 'Einladung',
  'account-linked': 'Konto verknüpft',
  'reset-password': 'Passwort zurücksetzen',
  'password-changed': 'Passwort geändert',
  'change-email': 'Änderung der E-Mail-Adresse',
  'email-in-use': 'E-Mail-Adresse bereits verwendet',
  'email-changed': 'E-Mail-Adresse geändert',
  'delete-account': 'Löschung des Kontos',
  'phone-number-changed': 'Telefonnummer geändert',
  'passkey-added': 'Passkey hinzugefügt',
  'passkey-removed': 'Passkey entfernt',
  'passkey-cloned': 'Passkey gesperrt',
  'passkey-sign-up': 'Code zur Registrierung',
  'api-key-created': 'API-Schlüssel erstellt',
  'phone-verification': 'Bestätigung der Telefonnummer',
  'phone-password-reset': 'Passwort per Telefon zurücksetzen',
}

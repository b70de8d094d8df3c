/** Texte der Leiste über das, was eingefroren ist. */
import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './frozen-en.ts'

export const messages: Translation<typeof english> = {
  frozen: 'Vorfall',
  'sign-up': 'Die Registrierung ist eingefroren.',
  'sign-in': 'Die Anmeldung ist eingefroren.',
  writes: [
    'Nur-Lese-Modus: Änderungen sind zurzeit nicht möglich. Sie bleiben angemeldet.',
    'Nur-Lese-Modus: Änderungen sind zurzeit nicht möglich. Du bleibst angemeldet.',
  ],
  showIncident: 'Vorfall anzeigen',
}

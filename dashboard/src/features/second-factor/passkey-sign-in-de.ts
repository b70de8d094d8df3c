import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signInWithPasskey: 'Mit Passkey anmelden',
  withPasskey: ['mit Ihrem Passkey', 'mit deinem Passkey'],
  confirmWithPasskey: ['Ihren Passkey verwenden', 'Deinen Passkey verwenden'],
  passkeyLead: [
    'Verwenden Sie Ihren Passkey. Ihr Gerät fragt nach Fingerabdruck, Gesicht oder PIN.',
    'Verwende deinen Passkey. Dein Gerät fragt nach Fingerabdruck, Gesicht oder PIN.',
  ],
  cancelled: [
    'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
    'Es wurde kein Passkey verwendet. Versuche es erneut, oder wähle einen anderen Weg.',
  ],
  wrongDomain: ({ domain }) => `Passkeys gehören zu ${domain}, und dieser Browser kann sie unter dieser Adresse nicht verwenden.`,
  goToDomain: ({ domain }) => `Weiter auf ${domain}`,
  notPossible: [
    'Der Passkey konnte hier nicht verwendet werden. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
    'Der Passkey konnte hier nicht verwendet werden. Versuche es erneut, oder wähle einen anderen Weg.',
  ],
}

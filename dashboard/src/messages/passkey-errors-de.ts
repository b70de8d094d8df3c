import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './passkey-errors-en.ts'

export const messages: Translation<typeof english> = {
  CHALLENGE_NOT_FOUND: ['Das hat zu lange gedauert. Versuchen Sie es erneut.', 'Das hat zu lange gedauert. Versuche es erneut.'],
  PASSKEY_NOT_FOUND: [
    'Dieser Passkey ist hier nicht mehr bekannt. Melden Sie sich auf andere Weise an.',
    'Dieser Passkey ist hier nicht mehr bekannt. Melde dich auf andere Weise an.',
  ],
  AUTHENTICATION_FAILED: [
    'Der Passkey konnte nicht verwendet werden. Versuchen Sie es erneut oder melden Sie sich auf andere Weise an.',
    'Der Passkey konnte nicht verwendet werden. Versuche es erneut oder melde dich auf andere Weise an.',
  ],
  UNABLE_TO_CREATE_SESSION: [
    'Sie konnten nicht angemeldet werden. Versuchen Sie es gleich erneut.',
    'Du konntest nicht angemeldet werden. Versuche es gleich erneut.',
  ],
  SESSION_REQUIRED: [
    'Melden Sie sich erneut an, um einen Passkey hinzuzufügen.',
    'Melde dich erneut an, um einen Passkey hinzuzufügen.',
  ],
  RESOLVED_USER_INVALID: 'Diesem Konto kann jetzt kein Passkey hinzugefügt werden.',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Dieser Passkey gehört zu einem anderen Konto.',
  PREVIOUSLY_REGISTERED: 'Dieser Passkey wurde bereits hinzugefügt.',
  FAILED_TO_VERIFY_REGISTRATION: [
    'Der Passkey konnte nicht hinzugefügt werden. Versuchen Sie es erneut, oder mit einem anderen Gerät oder Sicherheitsschlüssel.',
    'Der Passkey konnte nicht hinzugefügt werden. Versuche es erneut, oder mit einem anderen Gerät oder Sicherheitsschlüssel.',
  ],
  TOO_MANY_PASSKEYS: [
    'Mehr Passkeys können Sie nicht haben. Löschen Sie einen, bevor Sie einen weiteren hinzufügen.',
    'Mehr Passkeys kannst du nicht haben. Lösche einen, bevor du einen weiteren hinzufügst.',
  ],
  YOU_CANT_DELETE_YOUR_LAST_PASSKEY: [
    'Dieser Passkey ist Ihre einzige Anmeldemethode. Fügen Sie eine andere hinzu, bevor Sie ihn löschen.',
    'Dieser Passkey ist deine einzige Anmeldemethode. Füge eine andere hinzu, bevor du ihn löschst.',
  ],
}

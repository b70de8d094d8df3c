import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './username-en.ts'

export const messages: Translation<typeof english> = {
  username: 'Benutzername',
  usernameHint: ({ min, max }) => `${min} bis ${max} Zeichen.`,
  checkingUsername: 'Es wird geprüft, ob der Benutzername frei ist',
  usernameIsFree: ({ name }) => `${name} ist frei.`,
  usernameIsTaken: ({ name }) => [
    `${name} ist vergeben. Wählen Sie einen anderen Benutzernamen.`,
    `${name} ist vergeben. Wähle einen anderen Benutzernamen.`,
  ],
}

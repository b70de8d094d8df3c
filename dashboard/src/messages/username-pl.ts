import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './username-en.ts'

export const messages: Translation<typeof english> = {
  username: 'Nazwa użytkownika',
  usernameHint: ({ min, max }) => `Liczba znaków: od ${min} do ${max}.`,
  checkingUsername: 'Sprawdzanie, czy nazwa użytkownika jest wolna',
  usernameIsFree: ({ name }) => `Nazwa ${name} jest wolna.`,
  usernameIsTaken: ({ name }) => `Nazwa ${name} jest zajęta. Wybierz inną.`,
}

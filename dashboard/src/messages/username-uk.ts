import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './username-en.ts'

export const messages: Translation<typeof english> = {
  username: 'Ім’я користувача',
  usernameHint: ({ min, max }) => `Символів: від ${min} до ${max}.`,
  checkingUsername: 'Перевіряємо, чи вільне ім’я користувача',
  usernameIsFree: ({ name }) => `Ім’я ${name} вільне.`,
  usernameIsTaken: ({ name }) => `Ім’я ${name} зайняте. Виберіть інше.`,
}

import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './username-en.ts'

export const messages: Translation<typeof english> = {
  username: 'Имя пользователя',
  usernameHint: ({ min, max }) => `Символов: от ${min} до ${max}.`,
  checkingUsername: 'Проверяем, свободно ли имя пользователя',
  usernameIsFree: ({ name }) => `Имя ${name} свободно.`,
  usernameIsTaken: ({ name }) => `Имя ${name} занято. Выберите другое.`,
}

import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './username-en.ts'

export const messages: Translation<typeof english> = {
  username: 'Nombre de usuario',
  usernameHint: ({ min, max }) => `De ${min} a ${max} caracteres.`,
  checkingUsername: 'Comprobando si el nombre de usuario está disponible',
  usernameIsFree: ({ name }) => `${name} está disponible.`,
  usernameIsTaken: ({ name }) => `${name} ya está en uso. Elige otro nombre de usuario.`,
}

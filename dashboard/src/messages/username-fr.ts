import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './username-en.ts'

export const messages: Translation<typeof english> = {
  username: 'Nom d’utilisateur',
  usernameHint: ({ min, max }) => `De ${min} à ${max} caractères.`,
  checkingUsername: 'Vérification de la disponibilité du nom d’utilisateur',
  usernameIsFree: ({ name }) => `${name} est disponible.`,
  usernameIsTaken: ({ name }) => `${name} est déjà pris. Choisissez un autre nom d’utilisateur.`,
}

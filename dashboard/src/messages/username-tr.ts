import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './username-en.ts'

export const messages: Translation<typeof english> = {
  username: 'Kullanıcı adı',
  usernameHint: ({ min, max }) => `${min}–${max} karakter.`,
  checkingUsername: 'Kullanıcı adının uygun olup olmadığı denetleniyor',
  usernameIsFree: ({ name }) => `${name} kullanılabilir.`,
  usernameIsTaken: ({ name }) => `${name} alınmış. Başka bir kullanıcı adı seçin.`,
}

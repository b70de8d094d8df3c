import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './frozen-en.ts'

export const messages: Translation<typeof english> = {
  frozen: 'Olay',
  'sign-up': 'Kayıt duraklatıldı.',
  'sign-in': 'Oturum açma duraklatıldı.',
  writes: 'Salt okunur mod: Şu anda değişiklik yapılamıyor. Oturumunuz açık kalır.',
  showIncident: 'Olayı göster',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signInWithPasskey: 'Geçiş anahtarıyla oturum aç',
  withPasskey: 'geçiş anahtarıyla',
  confirmWithPasskey: 'Geçiş anahtarını kullan',
  passkeyLead: 'Geçiş anahtarınızı kullanın. Cihazınız parmak izinizi, yüzünüzü veya PIN’ini ister.',
  cancelled: 'Geçiş anahtarı kullanılmadı. Yeniden deneyin veya başka bir yöntem seçin.',
  wrongDomain: ({ domain }) => `Geçiş anahtarları ${domain} alan adına aittir ve bu tarayıcı onları bu adreste kullanamaz.`,
  goToDomain: ({ domain }) => `${domain} adresinde devam et`,
  notPossible: 'Geçiş anahtarı burada kullanılamadı. Yeniden deneyin veya başka bir yöntem seçin.',
}

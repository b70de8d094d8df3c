import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  setPassword: 'Parolanızı belirleyin',
  setPasswordLead: ({ email }) => `${email} hesabı için parola seçin. Bu bağlantı bir kez çalışır.`,
  savePassword: 'Parolayı belirle',
  saved: 'Parolanız belirlendi',
  savedLead: ({ email }) => `Artık ${email} hesabıyla oturum açabilirsiniz.`,
  signIn: 'Oturum aç',
  linkFailed: 'Bu bağlantı artık çalışmıyor',
  linkFailedLead: 'Daha önce kullanılmış, süresi dolmuş veya eksik.',
  linkFailedOperator: 'Bu siteyi siz işletiyorsanız sunucuda şu komutla yenisini oluşturun:',
  copyCommand: 'Komutu kopyala',
}

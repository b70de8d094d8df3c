/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-exists': (_, { appName }) => ({
    subject: `Zaten bir ${appName} hesabınız var`,
    preheader: 'E-posta adresinizle hesap oluşturulmak istendi. Hiçbir şey değişmedi.',
    heading: 'Zaten bir hesabınız var',
    paragraphs: [
      `${appName} üzerinde bu e-posta adresiyle hesap oluşturulmak istendi. Zaten bir hesabınız olduğu için yenisi oluşturulmadı.`,
      'Parolanızla oturum açın. Parolanızı unuttuysanız parola sıfırlama isteyin.',
    ],
    footnote: 'Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz. Hiçbir şey değişmedi.',
  }),
}

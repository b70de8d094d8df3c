/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'reset-password': ({ url }, { appName, config, duration }) => ({
    subject: `${appName} parolanızı sıfırlayın`,
    preheader: `Yeni bir parola seçin. Bağlantının süresi ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)} sonra dolar.`,
    heading: 'Parolanızı sıfırlayın',
    paragraphs: [`${appName} hesabınızın parolasını sıfırlamak için bir istek aldık.`],
    action: { label: 'Parolayı sıfırla', url },
    footnote: `Bu bağlantı bir kez çalışır ve süresi ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)} sonra dolar. Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz. Parolanız aynı kalır.`,
  }),
}

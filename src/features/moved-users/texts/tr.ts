/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'set-up-link': ({ url }, { appName, config, duration }) => ({
    subject: `${appName} parolanızı belirleyin`,
    preheader: `Bir parola seçin. Bağlantının süresi ${duration(config.seed.setupLinkExpiresIn)} sonra dolar.`,
    heading: 'Parolanızı belirleyin',
    paragraphs: [
      `${appName} hesabınız yeni bir oturum açma sistemine taşındı. Yeniden oturum açmak için bir parola belirleyin. Hesabınızdaki diğer her şey aynı kaldı.`,
    ],
    action: { label: 'Parolayı belirle', url },
    footnote: `Bu bağlantı bir kez çalışır ve süresi ${duration(config.seed.setupLinkExpiresIn)} sonra dolar. Bunu, biri e-posta adresinizle oturum açmayı denediği için alıyorsunuz. Bu siz değilseniz bu e-postayı yok sayabilirsiniz.`,
  }),
}

/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'waiting-list-joined': (_, { appName }) => ({
    subject: `${appName} bekleme listesindesiniz`,
    preheader: 'Hesabınızı oluşturabileceğiniz zaman size yazacağız.',
    heading: 'Bekleme listesindesiniz',
    paragraphs: [
      `${appName} uygulamasına gösterdiğiniz ilgi için teşekkür ederiz. Hesabınızı oluşturabileceğiniz zaman size bir e-posta göndereceğiz.`,
    ],
    footnote: 'Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz. Hesap oluşturulmadı.',
  }),
  'waiting-list-approved': ({ url }, { appName }) => ({
    subject: `Artık ${appName} hesabınızı oluşturabilirsiniz`,
    preheader: 'Hesabı bu e-posta adresiyle oluşturun.',
    heading: 'Artık hesabınızı oluşturabilirsiniz',
    paragraphs: [`${appName} bekleme listesinde sıra size geldi. Hesabı bu e-posta adresiyle oluşturun.`],
    action: { label: 'Hesap oluştur', url },
    footnote: 'Artık hesap istemiyorsanız bu e-postayı yok sayabilirsiniz.',
  }),
}

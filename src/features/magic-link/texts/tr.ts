/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { Mails } from '../texts.ts'

const facts = { requested: 'İstek zamanı', device: 'Cihaz', ipAddress: 'IP adresi', on: '·' }

export const mails: MailTexts<Mails> = {
  'magic-link': ({ url, code, ...requester }, context) => {
    const duration = context.duration(context.config.magicLink.expiresIn)
    return {
      subject: `${context.appName} kodunuz: ${code}. Veya bağlantıyla oturum açın`,
      preheader: `Bağlantının ve kodun süresi ${duration} sonra dolar.`,
      heading: `${context.appName} hesabınızda oturum açın`,
      paragraphs: [
        `Bağlantıyı, onu istediğiniz cihazda açın. Başka bir cihazda istediyseniz bu kodu orada girin: ${code}`,
        'Bu e-postayı kimseyle paylaşmayın: Biz de sizden asla istemeyiz.',
      ],
      facts: requesterFacts(requester, context, facts),
      action: { label: 'Oturum aç', url },
      footnote: `Bağlantı bir kez çalışır ve süresi ${duration} sonra dolar. Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz.`,
    }
  },
}

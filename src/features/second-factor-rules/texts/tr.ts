/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../mails.ts'

export const mails: MailTexts<Mails> = {
  'two-factor-due': ({ dueAt, days }, { appName, time, plural, button }) => ({
    subject: `${appName} için ikinci faktör ayarlayın. Son tarih: ${time(dueAt)}`,
    preheader: plural(days, { one: '# gününüz kaldı.', other: '# gününüz kaldı.' }),
    heading: 'İkinci faktör ayarlayın',
    paragraphs: [
      `${appName}, hesabınız için parolaya ek olarak ikinci faktör istiyor. Ayarlamak için son tarih: ${time(dueAt)}. Bundan sonra, bir sonraki oturum açışınızda ikinci faktörü ayarlarsınız ve diğer oturumlar sona erer.`,
    ],
    ...button('/account/security', 'İkinci faktör ayarla'),
  }),
}

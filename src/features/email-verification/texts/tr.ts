/** The texts in Turkish. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedParts, type PartTexts } from './parts.ts'

const parts = ({ plural }: TextContext): PartTexts => ({
  ...{ password: 'parola', phoneNumber: 'telefon numarası', provider: (id) => `${id} hesabı` },
  sessions: (count) => plural(count, { one: '# oturum', other: '# oturum' }),
  apiKeys: (count) => plural(count, { one: '# API anahtarı', other: '# API anahtarı' }),
  passkeys: (count) => plural(count, { one: '# geçiş anahtarı', other: '# geçiş anahtarı' }),
  secondFactors: (count) => plural(count, { one: '# ikinci faktör', other: '# ikinci faktör' }),
  trustedBrowsers: (count) => plural(count, { one: '# güvenilen tarayıcı', other: '# güvenilen tarayıcı' }),
})

export const mails: MailTexts<Mails> = {
  verification: ({ url }, { appName, config, duration }) => ({
    subject: `${appName} için e-posta adresinizi doğrulayın`,
    preheader: `Hesabınızın kurulumunu tamamlayın. Bağlantının süresi ${duration(config.emailVerification.expiresIn)} sonra dolar.`,
    heading: 'E-posta adresinizi doğrulayın',
    paragraphs: [`${appName} hesabınızın kurulumunu tamamlamak için e-posta adresinizi doğrulayın.`],
    action: { label: 'E-posta adresini doğrula', url },
    footnote: `Bu bağlantının süresi ${duration(config.emailVerification.expiresIn)} sonra dolar. Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz.`,
  }),
  'earlier-access-ended': (ended, context) => ({
    subject: `${context.appName} hesabınıza önceki erişim sona erdi`,
    preheader: 'Hesabı sizden önce başka biri e-posta adresinizle oluşturmuş olabilir.',
    heading: 'Önceki erişim sona erdi',
    paragraphs: [
      `Az önce bu e-posta adresinin size ait olduğunu doğruladınız. Adres daha önce doğrulanmadığı için bu ${context.appName} hesabını başka biri oluşturmuş olabilir. Bu yüzden daha önce ayarlanan her şey sona erdi.`,
    ],
    facts: [['Sona erenler', endedParts(ended, parts(context)).join(', ')]],
    footnote:
      'Bunları kendiniz ayarladıysanız hesabınızda yeniden ayarlayın. E-posta adresinizle oturum açmaya devam edebilirsiniz.',
  }),
}

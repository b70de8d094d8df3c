/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'change-email': ({ url, newEmail }, { appName, config, duration }) => ({
    subject: `${appName} için yeni e-posta adresinizi onaylayın`,
    preheader: `Hesabınız ${newEmail} adresini kullanacak.`,
    heading: 'E-posta adresinizi değiştirin',
    paragraphs: [`${appName} hesabınızın e-posta adresini değiştirmek için bir istek aldık.`],
    facts: [['Yeni e-posta adresi', newEmail]],
    action: { label: 'E-posta adresini değiştir', url },
    footnote: `Bu bağlantının süresi ${duration(config.emailVerification.expiresIn)} sonra dolar. Bağlantıyı oturumunuzun açık olduğu bir tarayıcıda açın. Bunu siz istemediyseniz parolanızı değiştirin: Başka biri hesabınıza erişiyor olabilir.`,
  }),
  'email-in-use': (_, { appName }) => ({
    subject: `${appName}: e-posta adresiniz kullanımda`,
    preheader: 'Başka bir hesap sizin e-posta adresinizi kullanmak istedi. Hiçbir şey değişmedi.',
    heading: 'E-posta adresiniz kullanımda',
    paragraphs: [
      `Başka bir ${appName} hesabı, e-posta adresini bu adresle değiştirmek istedi. Adres sizin hesabınıza ait olduğu için hiçbir şey değiştirilmedi.`,
      'Diğer hesap da sizinse o hesapta oturum açın ve başka bir e-posta adresi seçin.',
    ],
    footnote: 'Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz. Hiçbir şey değişmedi.',
  }),
  'email-changed': (_, { appName }) => ({
    subject: `${appName} hesabınızın e-posta adresi değiştirildi`,
    preheader: 'Bu adres artık kullanılmıyor. Bunu siz yapmadıysanız bizimle iletişime geçin.',
    heading: 'E-posta adresiniz değiştirildi',
    paragraphs: [`${appName} hesabınızın e-posta adresi artık bu adres değil.`],
    footnote:
      'Bunu yapan sizseniz bir şey yapmanız gerekmez. Siz değilseniz bizimle iletişime geçin: Başka biri hesabınıza erişiyor olabilir.',
  }),
}

/** The texts in Turkish. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { codeLifetime } from '../code-lifetime.ts'
import type { Mails, Texts } from '../texts.ts'
import { deviceFact, passkeyFacts } from './facts.ts'

const labels = ['Geçiş anahtarı', 'Cihaz veya parola yöneticisi', 'Zaman'] as const

const notYours = 'Bunu siz yapmadıysanız başka biri hesabınıza erişiyor olabilir.'
const ifNotYou = (what: string): string => `Bunu siz yapmadıysanız ${what}: Başka biri hesabınıza erişiyor olabilir.`

export const mails: MailTexts<Mails> = {
  'passkey-added': (notice, context) => ({
    subject: `${context.appName} hesabınıza bir geçiş anahtarı eklendi`,
    preheader: notYours,
    heading: 'Bir geçiş anahtarı eklendi',
    paragraphs: [
      `Bu geçiş anahtarıyla artık ${context.appName} hesabınızda oturum açılabilir.`,
      ...(notice.isAutomatic ? ['Anahtarı, parolanızla oturum açtığınızda tarayıcınız oluşturdu.'] : []),
    ],
    facts: [...passkeyFacts(notice, context, labels), ...deviceFact(notice, 'Eklendiği cihaz', '·')],
    ...context.button('/account/security', 'Bunu ben yapmadım'),
    footnote: ifNotYou('geçiş anahtarını kaldırın, parolanızı değiştirin ve oturumlarınızı sonlandırın'),
  }),
  'passkey-removed': (notice, context) => ({
    subject: `${context.appName} hesabınızın bir geçiş anahtarı kaldırıldı`,
    preheader: notYours,
    heading: 'Bir geçiş anahtarı kaldırıldı',
    paragraphs: [`Bu geçiş anahtarıyla artık ${context.appName} hesabınızda oturum açılamaz.`],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Bunu ben yapmadım'),
    footnote: `Bunu yapan sizseniz geçiş anahtarını parola yöneticinizden de silin. ${ifNotYou('parolanızı değiştirin ve oturumlarınızı sonlandırın')}`,
  }),
  'passkey-cloned': (notice, context) => ({
    subject: `${context.appName} hesabınızın bir geçiş anahtarı askıya alındı`,
    preheader: 'Kopyalanmış olabileceği için onunla oturum açılamaz.',
    heading: 'Bir geçiş anahtarı askıya alındı',
    paragraphs: [
      'Bu geçiş anahtarıyla oturum açılırken sayacının geri gittiği görüldü. Bu, anahtar kopyalandığında olur.',
      'Oturum açılmadı. Başka bir yöntemle oturum açın, sonra geçiş anahtarını kaldırın veya nedenini biliyorsanız yeniden izin verin.',
    ],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Oturum açma yöntemlerinizi gözden geçirin'),
  }),
  'passkey-sign-up': ({ code }, { appName, duration }) => ({
    subject: `${appName} kodunuz: ${code}`,
    preheader: `Hesap oluşturmak için bu kodu girin. Süresi ${duration(codeLifetime)} sonra dolar.`,
    heading: 'Hesap oluşturma kodunuz',
    paragraphs: [
      `${appName} hesabı oluşturmak için bu kodu girin. Süresi ${duration(codeLifetime)} sonra dolar. Kimseyle paylaşmayın.`,
    ],
    facts: [['Kod', code]],
    footnote: 'Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'passkey-added': (_, { appName }) =>
    `${appName}: Hesabınıza bir geçiş anahtarı eklendi. Siz değil misiniz? Parolanızı şimdi değiştirin ve hesabınızın güvenliğini gözden geçirin.`,
}

/** The texts in Turkish. */
import type { MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import { noticeIn } from '../factor-notice.ts'
import type { Mails, Texts } from '../texts.ts'
import { resetMails, resetTexts } from './reset-tr.ts'

const notice = (write: Parameters<typeof noticeIn>[1]) =>
  noticeIn(
    {
      ...{
        factor: 'İkinci faktör',
        time: 'Zaman',
        device: 'Cihaz',
        ipAddress: 'IP adresi',
        on: '·',
        review: 'Güvenliğinizi gözden geçirin',
      },
      names: { totp: 'Kimlik doğrulama uygulaması', otp: 'Gönderilen kodlar', passkey: 'Geçiş anahtarı' },
    },
    write,
  )

const notYou =
  'Bunu siz yapmadıysanız parolanızı şimdi değiştirin ve ikinci faktörlerinizi gözden geçirin: Başka biri hesabınıza erişiyor olabilir.'
const codesLeft = ({ plural }: TextContext, left: number | null) =>
  plural(left ?? 0, { one: '# yedek kodunuz kaldı', other: '# yedek kodunuz kaldı' })

const added = (appName: string, what: string) =>
  `${appName}: ${what} Siz değil misiniz? Parolanızı şimdi değiştirin ve hesabınızın güvenliğini gözden geçirin.`

export const mails: MailTexts<Mails> = {
  'two-factor-enabled': notice((_, { appName: app }) => ({
    subject: `${app} hesabınıza ikinci faktör eklendi`,
    heading: 'İkinci faktör eklendi',
    paragraphs: ['Bundan sonra hesabınızda oturum açarken ikinci faktör istenir.'],
    footnote: notYou,
  })),
  'two-factor-disabled': notice((_, { appName: app }) => ({
    subject: `${app} hesabınızdan bir ikinci faktör kaldırıldı`,
    heading: 'Bir ikinci faktör kaldırıldı',
    paragraphs: ['Artık onunla hesabınızda oturum açılamaz.'],
    footnote: notYou,
  })),
  'backup-code-used': notice(({ left }, context) => ({
    subject: `${context.appName} hesabınızın bir yedek kodu kullanıldı`,
    heading: 'Bir yedek kod kullanıldı',
    paragraphs: [`${codesLeft(context, left)}.`],
    footnote: notYou,
  })),
  'backup-codes-low': notice(({ left }, context) => ({
    subject: `${context.appName} hesabınız için az sayıda yedek kod kaldı`,
    heading: codesLeft(context, left),
    paragraphs: ['Telefonunuzu kaybettiğinizde oturum açabilmek için yeni yedek kodlar oluşturun.'],
    footnote: 'Yenilerini oluşturduğunuzda önceki kodlar geçersiz olur.',
  })),
  'backup-codes-created': notice((_, { appName: app }) => ({
    subject: `${app} hesabınız için yeni yedek kodlar`,
    heading: 'Yeni yedek kodlar oluşturuldu',
    paragraphs: ['Önceki kodlar artık çalışmaz.'],
    footnote: notYou,
  })),
  'password-may-be-known': notice((_, { appName: app }) => ({
    subject: `${app} parolanızı başka biri biliyor olabilir`,
    heading: 'Parolanızı başka biri biliyor olabilir',
    paragraphs: [
      'Biri doğru parolayı veya başka bir kanıtı girdi, ancak ikinci faktörü girmedi. Bu kişinin hesabınıza erişimi yok.',
    ],
    footnote: 'Bunu yapan sizseniz bir şey yapmanız gerekmez. Siz değilseniz parolanızı şimdi değiştirin.',
  })),
  'trusted-browser-copied': notice((_, { appName: app }) => ({
    subject: `${app} hesabınızın güvenilen bir tarayıcısı kopyalandı`,
    heading: 'Güvenilen bir tarayıcı kopyalandı',
    paragraphs: ['Biri, güvenilen bir tarayıcınızın çerezinin eski bir kopyasını kullandı. Bu tarayıcıya artık güvenilmiyor.'],
    footnote: 'Oturumlarınızı gözden geçirin ve tanımadığınız bir oturum varsa parolanızı değiştirin.',
  })),
  'two-factor-suspended': notice((_, { appName: app }) => ({
    subject: `${app} hesabınızın kodları kapatıldı`,
    heading: 'Kodlar kapatıldı',
    paragraphs: [
      'Hesabınız için çok fazla yanlış kod girildi. Bir yedek kodla oturum açın ve kimlik doğrulama uygulamanızı yeniden ayarlayın.',
      'Henüz ikinci faktör ayarlamadıysanız önce parolanızı değiştirin. Ardından kodlar yeniden gönderilir.',
    ],
    footnote: 'Başka biri parolanızı biliyor. Oturum açar açmaz değiştirin.',
  })),
  'two-factor-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${appName} kodunuz: ${otp}`,
    preheader: 'Oturum açmanızı tamamlar.',
    heading: otp,
    paragraphs: [
      `Bu kod ${appName} hesabınızda oturum açmanızı tamamlar. Süresi ${duration(config.twoFactor.otpOptions.period * 60)} sonra dolar.`,
    ],
    footnote: 'Kimseyle paylaşmayın. Oturum açan siz değilseniz başka biri parolanızı biliyor: Parolanızı şimdi değiştirin.',
  }),
  ...resetMails,
}

export const texts: ShortTexts<Texts> = {
  'two-factor-code': ({ otp }, { appName, config, duration }) =>
    `${appName} kodunuz: ${otp}. Süresi ${duration(config.twoFactor.otpOptions.period * 60)} sonra dolar. Kimseyle paylaşmayın.${bound(config, otp)}`,
  'two-factor-enabled': (_, { appName }) => added(appName, 'Hesabınıza ikinci faktör eklendi.'),
  'backup-codes-created': (_, { appName }) => added(appName, 'Hesabınız için yeni yedek kodlar oluşturuldu.'),
  ...resetTexts,
}

/** The texts about a reset of second factors in Turkish. */
import type { MailContent, MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import type { ResetNotice } from '../reset-mail.ts'
import { factorList, resetPage } from '../reset-page.ts'
import type { ResetMails, ResetTexts } from '../texts.ts'

// The first letter becomes a capital by the rules of English, so no name starts with an i.
const names: Readonly<Record<string, string>> = {
  totp: 'kimlik doğrulama uygulaması',
  otp: 'gönderilen kodlar',
  passkeys: 'geçiş anahtarları',
  'backup-codes': 'yedek kodlar',
}

function inTurkish(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const who = isOwn ? 'Bunu oturum açarken siz istediniz' : 'Bunu bir yönetici istedi'
  const subjects = {
    requested: `${app} hesabınızın ikinci faktörleri sıfırlanacak`,
    soon: `Hatırlatma: ${app} hesabınızın ikinci faktörleri sıfırlanacak`,
    done: `${app} hesabınızın ikinci faktörleri sıfırlandı`,
  }
  const requested = isOwn ? 'Oturum açarken istendiği gibi' : 'Bir yöneticinin isteğiyle'
  const paragraphs =
    stage === 'done'
      ? [
          `${requested}, hesabınızın ikinci faktörleri kaldırıldı ve her yerde oturumunuz kapatıldı. Yeniden oturum açın ve gerekenleri ayarlayın.`,
        ]
      : [
          `${who}. Hesabınızın ikinci faktörlerinin kaldırılacağı ve her yerde oturumunuzun kapatılacağı zaman: ${time(effectiveAt)}.`,
          'İkinci faktörle oturum açmak sıfırlamayı iptal eder.',
        ]
  const contact = isOwn ? 'parolanızı değiştirin: Başka biri parolanızı biliyor' : 'bu hizmetin işletmecisiyle iletişime geçin'
  return {
    subject: subjects[stage],
    preheader: paragraphs[0] ?? '',
    heading: stage === 'done' ? 'İkinci faktörleriniz sıfırlandı' : 'İkinci faktörleriniz sıfırlanacak',
    paragraphs,
    facts: [
      ['İkinci faktörler', factorList(notice, names)],
      ['Zaman', time(effectiveAt)],
    ],
    ...resetPage(context, notice, ['Sıfırlamayı iptal et', 'Güvenliğinizi gözden geçirin']),
    footnote:
      stage === 'done'
        ? 'Bunu siz istemediyseniz bu hizmetin işletmecisiyle iletişime geçin ve parolanızı değiştirin.'
        : `Bunu siz istemediyseniz sıfırlamayı iptal edin ve ${contact}.`,
  }
}

export const resetMails: MailTexts<ResetMails> = {
  'two-factor-reset': inTurkish,
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${appName} hesabınızın ikinci faktörlerini sıfırlama kodunuz: ${otp}`,
    preheader: 'Tüm ikinci faktörlerinizi kaldırır.',
    heading: otp,
    paragraphs: [
      `Bu kodla ${appName} hesabınızın ikinci faktörlerinin sıfırlanması istenir. Süresi ${duration(config.twoFactor.otpOptions.period * 60)} sonra dolar.`,
    ],
    footnote: 'Kimseyle paylaşmayın. Bunu siz istemediyseniz başka biri parolanızı biliyor: Parolanızı şimdi değiştirin.',
  }),
}

export const resetTexts: ShortTexts<ResetTexts> = {
  'two-factor-reset': ({ stage, effectiveAt }, { appName, time }) => {
    if (stage === 'cancelled') return `${appName}: İkinci faktörlerinizin sıfırlanması iptal edildi. Oldukları gibi kalırlar.`
    return stage === 'done'
      ? `${appName}: İkinci faktörleriniz sıfırlandı. Siz değil misiniz? Bu hizmetin işletmecisiyle iletişime geçin.`
      : `${appName}: İkinci faktörleriniz sıfırlanacak. Zaman: ${time(effectiveAt)}. Siz değil misiniz? E-postamızdaki bağlantıyla iptal edin.`
  },
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) =>
    `${appName} hesabınızın ikinci faktörlerini sıfırlama kodunuz: ${otp}. Süresi ${duration(config.twoFactor.otpOptions.period * 60)} sonra dolar. Kimseyle paylaşmayın.${bound(config, otp)}`,
}

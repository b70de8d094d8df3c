/** The texts in Turkish. */
import type { MailContent, MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { deviceIn, signInFacts, supportOf } from './facts.ts'

const wasYou = 'Bunu yapan sizseniz bir şey yapmanız gerekmez.'

const facts = { time: 'Zaman', device: 'Cihaz', ipAddress: 'IP adresi', on: '·' }

const passwordRemoved = ({ appName }: TextContext): MailContent => ({
  subject: `${appName} hesabınızın parolası kaldırıldı`,
  preheader: 'Parolayı, e-posta adresiniz doğrulanmadan önce başka biri belirlemiş olabilir.',
  heading: 'Parolanız kaldırıldı',
  paragraphs: [
    `${appName} hesabınızın, e-posta adresiniz doğrulanmadan önce belirlenmiş bir parolası vardı. Onu başka biri belirlemiş olabileceği için artık çalışmıyor.`,
  ],
  footnote: 'Yeniden parolayla oturum açmak için parola sıfırlama isteyin ve yeni bir parola seçin.',
})

export const mails: MailTexts<Mails> = {
  'sign-in-method-removed': ({ providerId, reason }, context) =>
    reason === 'email-verified'
      ? passwordRemoved(context)
      : {
          subject: `${context.appName} hesabınızın bir oturum açma yöntemi kaldırıldı`,
          preheader: 'Bunu siz yapmadıysanız parolanızı şimdi değiştirin.',
          heading: 'Bir oturum açma yöntemi kaldırıldı',
          paragraphs: [`Bu yöntemle artık ${context.appName} hesabınızda oturum açılamaz.`],
          facts: [['Oturum açma yöntemi', providerId === 'credential' ? 'Parola' : providerId]],
          footnote: `${wasYou} Siz değilseniz parolanızı şimdi değiştirin: Başka biri hesabınıza erişiyor olabilir.`,
        },
  'account-banned': ({ expiresAt }, { appName, time }) => ({
    subject: `${appName} hesabınız engellendi`,
    preheader: expiresAt === null ? 'Artık oturum açamazsınız.' : `Yeniden oturum açabileceğiniz zaman: ${time(expiresAt)}.`,
    heading: 'Hesabınız engellendi',
    paragraphs: [
      `Bir yönetici ${appName} hesabınızı engelledi ve oturumlarını sonlandırdı.`,
      expiresAt === null ? 'Engelin bitiş tarihi yok.' : `Engelin bitişi: ${time(expiresAt)}.`,
    ],
    footnote: 'Bunun bir hata olduğunu düşünüyorsanız destek ekibiyle iletişime geçin.',
  }),
  'account-deleted': (_, { appName }) => ({
    subject: `${appName} hesabınız silindi`,
    preheader: 'Hesabınız ve verileri artık yok.',
    heading: 'Hesabınız silindi',
    paragraphs: [`${appName} hesabınız ve verileri silindi.`],
    footnote: 'Bunu beklemiyorsanız destek ekibiyle iletişime geçin.',
  }),
  'account-impersonated': ({ time, endsAt }, context) => {
    const support = supportOf(context)
    return {
      subject: `Bir yönetici ${context.appName} hesabınızı açtı`,
      preheader: 'Bir yönetici hesabınızı kısa bir süre kullanabilir.',
      heading: 'Bir yönetici hesabınızı açtı',
      paragraphs: [
        `${context.appName} yöneticilerinden biri, sizin gördüklerinizi görmek için hesabınızı açtı. Parolanızı veya oturum açma yöntemlerinizi değiştiremez.`,
      ],
      facts: [
        ['Zaman', context.time(time)],
        ['En geç bitiş', context.time(endsAt)],
      ],
      footnote:
        support === undefined
          ? 'Bunu beklemiyorsanız destek ekibiyle iletişime geçin.'
          : `Bunu beklemiyorsanız şu adrese yazın: ${support}.`,
    }
  },
  'new-sign-in': (notice, context) => ({
    subject: `${context.appName} hesabınızda yeni oturum açıldı`,
    preheader: ['Yeni bir cihazdan veya ağdan', deviceIn(notice.device, facts.on)].filter(Boolean).join(': '),
    heading: 'Hesabınızda yeni oturum açıldı',
    paragraphs: [
      `${context.appName} hesabınızda yeni bir cihazdan veya ağdan oturum açıldı.`,
      ...(notice.hasReplaced ? ['Aynı tarayıcının veya programın önceki oturumu böylece sona erdi.'] : []),
    ],
    facts: signInFacts(notice, context, facts),
    ...context.button('/account/sessions', 'Oturumlarınızı gözden geçirin'),
    footnote: `${wasYou} Siz değilseniz parolanızı değiştirin ve oturumu sonlandırın: Başka biri hesabınıza erişiyor.`,
  }),
  'session-limit': ({ sessionsEnded, maxSessions, ...signIn }, context) => {
    const oldest = context.plural(sessionsEnded, { one: 'en eski oturumunuzu', other: 'en eski # oturumunuzu' })
    return {
      subject: `${context.appName} hesabınızda oturum açılması ${oldest} sonlandırdı`,
      preheader: context.plural(maxSessions, {
        one: 'Hesabınızın en fazla # oturumu olabilir.',
        other: 'Hesabınızın en fazla # oturumu olabilir.',
      }),
      heading: `Yeni bir oturum ${oldest} sonlandırdı`,
      paragraphs: [
        `${context.appName} hesabınız en fazla oturum sayısına (${maxSessions}) ulaştı. Yeni bir oturum ${oldest} sonlandırdı, bu yüzden bir tarayıcıda veya programda yeniden oturum açmak gerekebilir.`,
      ],
      facts: signInFacts(signIn, context, facts),
      ...context.button('/account/sessions', 'Oturumlarınızı gözden geçirin'),
      footnote:
        'Programlarınızdan biri her çalıştığında oturum açıyorsa oturumunu saklasın veya bir API anahtarı kullansın. Bu oturumu tanımıyorsanız parolanızı değiştirin: Başka biri hesabınıza erişiyor.',
    }
  },
}

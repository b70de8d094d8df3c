/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedFacts, supportOf } from './facts.ts'

export const mails: MailTexts<Mails> = {
  'account-locked': (notice, context) => {
    const { appName } = context
    return {
      subject: `${appName} hesabınız kilitli`,
      preheader: 'Kilidi açılana kadar kimse oturum açamaz.',
      heading: 'Hesabınız kilitli',
      paragraphs: [
        `${appName} hesabınız kilitlendi. Tüm cihazlarda oturum kapatıldı ve hiçbir yöntemle oturum açılamaz.`,
        notice.opensByReset
          ? 'Kilidi açmak için parolanızı sıfırlayın.'
          : `Kilidi yalnızca destek ekibimiz açabilir: ${supportOf(context) ?? 'bize yazın'}.`,
      ],
      facts: endedFacts(notice, 'Sona erenler', ['Oturumlar', 'API anahtarları', 'Bağlantılar ve kodlar', 'Bağlı hesaplar']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Parolayı sıfırla')),
      footnote: 'Kilitleyen siz değilseniz, e-postalarınıza erişimi olan başka biri veya destek ekibimiz kilitlemiştir.',
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `${appName} hesabınız yeniden kullanılabilir`,
      preheader: 'Başka birinin neleri değiştirmiş olabileceğini kontrol edin.',
      heading: 'Hesabınız yeniden kullanılabilir',
      paragraphs: [
        `${appName} hesabınızda yeniden oturum açabilirsiniz.`,
        'Başka biri hesabınıza erişmiş olabilir. E-posta adresinizi ve telefon numaranızı kontrol edin; tanımadığınız ikinci faktörleri, geçiş anahtarlarını ve bağlı hesapları kaldırın.',
      ],
      ...context.button('/account/security', 'Güvenliği gözden geçir'),
      footnote: 'Kilidi açan siz değilseniz hesabı yeniden kilitleyin.',
    }
  },
}

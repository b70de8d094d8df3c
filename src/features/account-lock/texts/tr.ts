/** The texts in Turkish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedFacts, supportOf } from './facts.ts'

export const mails: MailTexts<Mails> = {
  'account-locked': (notice, context) => {
    const { appName } = context
    return {
      subject: `${appName} hesabınız kilitli`,
      preheader: 'Kilidi açılana kadar kimse bu hesapta oturum açamaz.',
      heading: 'Hesabınız kilitli',
      paragraphs: [
        `${appName} hesabınız kilitlendi. Tüm cihazlarda oturum kapatıldı ve hiçbir yöntemle oturum açılamıyor.`,
        notice.opensByReset
          ? 'Kilidi açmak için parolanızı sıfırlayın.'
          : `Kilidi yalnızca destek ekibimiz açabilir: ${supportOf(context) ?? 'bizimle iletişime geçin'}.`,
      ],
      facts: endedFacts(notice, 'Sona erenler', ['Oturumlar', 'API anahtarları', 'Bağlantılar ve kodlar', 'Bağlı hesaplar']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Parolayı sıfırla')),
      footnote: 'Siz kilitlemediyseniz e-postalarınıza erişimi olan başka biri veya destek ekibimiz kilitlemiştir.',
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `${appName} hesabınızın kilidi açıldı`,
      preheader: 'Başka birinin neleri değiştirmiş olabileceğini denetleyin.',
      heading: 'Hesabınızın kilidi açıldı',
      paragraphs: [
        `${appName} hesabınızda yeniden oturum açabilirsiniz.`,
        'Başka biri hesabınıza erişmiş olabilir. E-posta adresinizi ve telefon numaranızı denetleyin, tanımadığınız ikinci faktörleri, geçiş anahtarlarını ve bağlı hesapları kaldırın.',
      ],
      ...context.button('/account/security', 'Güvenliği denetle'),
      footnote: 'Kilidi siz açmadıysanız hesabı yeniden kilitleyin.',
    }
  },
}

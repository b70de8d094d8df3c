/** The texts in Turkish. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { CodeKind, CodeMail } from '../mails.ts'
import type { Mails } from '../texts.ts'

const turkish = (appName: string): Readonly<Record<CodeKind, string>> => ({
  'sign-in': `${appName} hesabınızda oturum açmak için bu kodu girin.`,
  'email-verification': `${appName} için e-posta adresinizi doğrulamak üzere bu kodu girin.`,
  'forget-password': `${appName} hesabınız için yeni bir parola seçmek üzere bu kodu girin.`,
  'change-email': `${appName} hesabınızda bu e-posta adresini kullanmak için bu kodu girin.`,
})

const facts = { requested: 'İstek zamanı', device: 'Cihaz', ipAddress: 'IP adresi', on: '·' }

const content = (mail: CodeMail, context: TextContext) => {
  const duration = context.duration(context.config.emailOTP.expiresIn)
  return {
    subject: `${context.appName} kodunuz: ${mail.otp}`,
    preheader: `Süresi ${duration} sonra dolar. Kimseyle paylaşmayın.`,
    heading: `Kodunuz: ${mail.otp}`,
    paragraphs: [turkish(context.appName)[mail.type], 'Bu kodu kimseyle paylaşmayın: Biz de sizden asla istemeyiz.'],
    facts: requesterFacts(mail, context, facts),
    footnote: `Kod bir kez çalışır ve süresi ${duration} sonra dolar. Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz.`,
  }
}

export const mails: MailTexts<Mails> = {
  'email-code': content,
  'sign-in-email': (mail, context) => ({
    ...content(mail, context),
    action: { label: 'Veya bu bağlantıyla oturum açın', url: mail.url },
  }),
  'email-change-code': content,
}

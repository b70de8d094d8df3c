/** The texts in Polish. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { CodeKind, CodeMail } from '../mails.ts'
import type { Mails } from '../texts.ts'

const purposes = (appName: string): Readonly<Record<CodeKind, string>> => ({
  'sign-in': `Wpisz ten kod, aby zalogować się do konta ${appName}.`,
  'email-verification': `Wpisz ten kod, aby zweryfikować adres e-mail dla ${appName}.`,
  'forget-password': `Wpisz ten kod, aby ustawić nowe hasło do konta ${appName}.`,
  'change-email': `Wpisz ten kod, aby używać tego adresu e-mail na koncie ${appName}.`,
})

const facts = { requested: 'Czas prośby', device: 'Urządzenie', ipAddress: 'Adres IP', on: 'w systemie' }

const content = (mail: CodeMail, context: TextContext) => {
  const duration = context.duration(context.config.emailOTP.expiresIn)
  return {
    subject: `${mail.otp} to Twój kod ${context.appName}`,
    preheader: `Czas ważności: ${duration}. Nikomu go nie podawaj.`,
    heading: `Twój kod: ${mail.otp}`,
    paragraphs: [purposes(context.appName)[mail.type], 'Nikomu nie podawaj tego kodu: nigdy o niego nie pytamy.'],
    facts: requesterFacts(mail, context, facts),
    footnote: `Kod działa jeden raz. Czas ważności: ${duration}. Jeśli ta prośba nie pochodzi od Ciebie, zignoruj ten e-mail.`,
  }
}

export const mails: MailTexts<Mails> = {
  'email-code': content,
  'sign-in-email': (mail, context) => ({
    ...content(mail, context),
    action: { label: 'Możesz też zalogować się tym linkiem', url: mail.url },
  }),
  'email-change-code': content,
}

/** The texts in Russian. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { CodeKind, CodeMail } from '../mails.ts'
import type { Mails } from '../texts.ts'

const purposes = (appName: string): Readonly<Record<CodeKind, string>> => ({
  'sign-in': `Введите этот код, чтобы войти в аккаунт ${appName}.`,
  'email-verification': `Введите этот код, чтобы подтвердить адрес электронной почты для ${appName}.`,
  'forget-password': `Введите этот код, чтобы задать новый пароль для аккаунта ${appName}.`,
  'change-email': `Введите этот код, чтобы использовать этот адрес электронной почты в аккаунте ${appName}.`,
})

const facts = { requested: 'Время запроса', device: 'Устройство', ipAddress: 'IP-адрес', on: 'на' }

const content = (mail: CodeMail, context: TextContext) => {
  const duration = context.duration(context.config.emailOTP.expiresIn)
  return {
    subject: `${mail.otp} — ваш код ${context.appName}`,
    preheader: `Срок действия: ${duration}. Никому его не сообщайте.`,
    heading: `Ваш код: ${mail.otp}`,
    paragraphs: [purposes(context.appName)[mail.type], 'Никому не сообщайте этот код: мы никогда его не спрашиваем.'],
    facts: requesterFacts(mail, context, facts),
    footnote: `Код действует один раз. Срок его действия: ${duration}. Если вы его не запрашивали, не обращайте внимания на это письмо.`,
  }
}

export const mails: MailTexts<Mails> = {
  'email-code': content,
  'sign-in-email': (mail, context) => ({
    ...content(mail, context),
    action: { label: 'Или войдите по этой ссылке', url: mail.url },
  }),
  'email-change-code': content,
}

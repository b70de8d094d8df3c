/** The texts in Ukrainian. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { CodeKind, CodeMail } from '../mails.ts'
import type { Mails } from '../texts.ts'

const purposes = (appName: string): Readonly<Record<CodeKind, string>> => ({
  'sign-in': `Введіть цей код, щоб увійти до облікового запису ${appName}.`,
  'email-verification': `Введіть цей код, щоб підтвердити електронну адресу для ${appName}.`,
  'forget-password': `Введіть цей код, щоб задати новий пароль для облікового запису ${appName}.`,
  'change-email': `Введіть цей код, щоб використовувати цю електронну адресу в обліковому записі ${appName}.`,
})

const facts = { requested: 'Час запиту', device: 'Пристрій', ipAddress: 'IP-адреса', on: 'на' }

const content = (mail: CodeMail, context: TextContext) => {
  const duration = context.duration(context.config.emailOTP.expiresIn)
  return {
    subject: `${mail.otp} — ваш код ${context.appName}`,
    preheader: `Термін дії: ${duration}. Нікому його не повідомляйте.`,
    heading: `Ваш код: ${mail.otp}`,
    paragraphs: [purposes(context.appName)[mail.type], 'Нікому не повідомляйте цей код: ми ніколи його не питаємо.'],
    facts: requesterFacts(mail, context, facts),
    footnote: `Код діє один раз. Термін його дії: ${duration}. Якщо ви не надсилали цього запиту, не зважайте на цей лист.`,
  }
}

export const mails: MailTexts<Mails> = {
  'email-code': content,
  'sign-in-email': (mail, context) => ({
    ...content(mail, context),
    action: { label: 'Або ввійдіть за цим посиланням', url: mail.url },
  }),
  'email-change-code': content,
}

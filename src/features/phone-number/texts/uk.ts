/** The texts in Ukrainian. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { endOf } from '../codes.ts'
import type { Mails, Texts } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'phone-number-changed': (_, { appName }) => ({
    subject: `Номер телефону облікового запису ${appName} змінено`,
    preheader: 'Якщо це були не ви, можливо, доступ до облікового запису має хтось інший.',
    heading: 'Номер телефону змінено',
    paragraphs: [`У вашому обліковому записі ${appName} додано номер телефону або замінено попередній.`],
    footnote:
      'Якщо це були ви, нічого робити не потрібно. Якщо ні, зв’яжіться з нами: можливо, доступ до облікового запису має хтось інший.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'phone-verification': (message, { appName, config, duration }) =>
    `${message.code} — ваш код ${appName}. Термін дії: ${duration(config.phoneNumber.expiresIn)}. Нікому його не повідомляйте.${endOf(message)}`,
  'phone-password-reset': (message, { appName, config, duration }) =>
    `${message.code} — ваш код для скидання пароля ${appName}. Термін дії: ${duration(config.phoneNumber.expiresIn)}. Нікому його не повідомляйте.${endOf(message)}`,
}

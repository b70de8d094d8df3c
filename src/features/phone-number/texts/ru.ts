/** The texts in Russian. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { endOf } from '../codes.ts'
import type { Mails, Texts } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'phone-number-changed': (_, { appName }) => ({
    subject: `Номер телефона аккаунта ${appName} изменён`,
    preheader: 'Если это были не вы, возможно, доступ к аккаунту есть у кого-то ещё.',
    heading: 'Номер телефона изменён',
    paragraphs: [`В вашем аккаунте ${appName} добавлен номер телефона или заменён прежний.`],
    footnote:
      'Если это были вы, ничего делать не нужно. Если нет, свяжитесь с нами: возможно, доступ к аккаунту есть у кого-то ещё.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'phone-verification': (message, { appName, config, duration }) =>
    `${message.code} — ваш код ${appName}. Срок действия: ${duration(config.phoneNumber.expiresIn)}. Никому его не сообщайте.${endOf(message)}`,
  'phone-password-reset': (message, { appName, config, duration }) =>
    `${message.code} — ваш код для сброса пароля ${appName}. Срок действия: ${duration(config.phoneNumber.expiresIn)}. Никому его не сообщайте.${endOf(message)}`,
}

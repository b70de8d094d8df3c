/** The texts in Turkish. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { endOf } from '../codes.ts'
import type { Mails, Texts } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'phone-number-changed': (_, { appName }) => ({
    subject: `${appName} hesabınızın telefon numarası değiştirildi`,
    preheader: 'Bunu siz yapmadıysanız başka biri hesabınıza erişiyor olabilir.',
    heading: 'Telefon numaranız değiştirildi',
    paragraphs: [`${appName} hesabınıza bir telefon numarası eklendi veya önceki numara değiştirildi.`],
    footnote:
      'Bunu yapan sizseniz bir şey yapmanız gerekmez. Siz değilseniz bizimle iletişime geçin: Başka biri hesabınıza erişiyor olabilir.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'phone-verification': (message, { appName, config, duration }) =>
    `${appName} kodunuz: ${message.code}. Süresi ${duration(config.phoneNumber.expiresIn)} sonra dolar. Kimseyle paylaşmayın.${endOf(message)}`,
  'phone-password-reset': (message, { appName, config, duration }) =>
    `${appName} parolanızı sıfırlama kodunuz: ${message.code}. Süresi ${duration(config.phoneNumber.expiresIn)} sonra dolar. Kimseyle paylaşmayın.${endOf(message)}`,
}

/** The texts in Polish. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { endOf } from '../codes.ts'
import type { Mails, Texts } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'phone-number-changed': (_, { appName }) => ({
    subject: `Numer telefonu konta ${appName} został zmieniony`,
    preheader: 'Jeśli to nie Ty, ktoś inny może mieć dostęp do Twojego konta.',
    heading: 'Numer telefonu został zmieniony',
    paragraphs: [`Do Twojego konta ${appName} dodano numer telefonu lub zastąpiono poprzedni.`],
    footnote: 'Jeśli to Ty, nie musisz nic robić. Jeśli nie, skontaktuj się z nami: ktoś inny może mieć dostęp do Twojego konta.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'phone-verification': (message, { appName, config, duration }) =>
    `${message.code} to Twój kod ${appName}. Czas ważności: ${duration(config.phoneNumber.expiresIn)}. Nikomu go nie podawaj.${endOf(message)}`,
  'phone-password-reset': (message, { appName, config, duration }) =>
    `${message.code} to Twój kod do zresetowania hasła ${appName}. Czas ważności: ${duration(config.phoneNumber.expiresIn)}. Nikomu go nie podawaj.${endOf(message)}`,
}

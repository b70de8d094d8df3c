/** The texts in English. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { endOf } from '../codes.ts'
import type { Mails, Texts } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'phone-number-changed': (_, { appName }) => ({
    subject: `The phone number of your ${appName} account was changed`,
    preheader: "If this wasn't you, someone else may have access to your account.",
    heading: 'Your phone number was changed',
    paragraphs: [`A phone number was added to your ${appName} account, or replaced the former one.`],
    footnote:
      "If this was you, you don't need to do anything. If it wasn't, contact us: someone else may have access to your account.",
  }),
}

export const texts: ShortTexts<Texts> = {
  'phone-verification': (message, { appName, config, duration }) =>
    `${message.code} is your ${appName} code. It expires in ${duration(config.phoneNumber.expiresIn)}. Never share it.${endOf(message)}`,
  'phone-password-reset': (message, { appName, config, duration }) =>
    `${message.code} is your code to reset your ${appName} password. It expires in ${duration(config.phoneNumber.expiresIn)}. Never share it.${endOf(message)}`,
}

/** The texts in Spanish. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { endOf } from '../codes.ts'
import type { Mails, Texts } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'phone-number-changed': (_, { appName }) => ({
    subject: `Se cambió el número de teléfono de tu cuenta de ${appName}`,
    preheader: 'Si no fuiste tú, es posible que otra persona tenga acceso a tu cuenta.',
    heading: 'Se cambió tu número de teléfono',
    paragraphs: [`Se añadió un número de teléfono a tu cuenta de ${appName} o se sustituyó el anterior.`],
    footnote: 'Si fuiste tú, no tienes que hacer nada. Si no, contáctanos: es posible que otra persona tenga acceso a tu cuenta.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'phone-verification': (message, { appName, config, duration }) =>
    `${message.code} es tu código de ${appName}. Vence en ${duration(config.phoneNumber.expiresIn)}. No lo compartas nunca.${endOf(message)}`,
  'phone-password-reset': (message, { appName, config, duration }) =>
    `${message.code} es tu código para restablecer tu contraseña de ${appName}. Vence en ${duration(config.phoneNumber.expiresIn)}. No lo compartas nunca.${endOf(message)}`,
}

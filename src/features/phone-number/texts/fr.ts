/** The texts in French. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { endOf } from '../codes.ts'
import type { Mails, Texts } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'phone-number-changed': (_, { appName }) => ({
    subject: `Le numéro de téléphone de votre compte ${appName} a été modifié`,
    preheader: 'Si ce n’était pas vous, une autre personne a peut-être accès à votre compte.',
    heading: 'Votre numéro de téléphone a été modifié',
    paragraphs: [`Un numéro de téléphone a été ajouté à votre compte ${appName}, ou a remplacé le précédent.`],
    footnote:
      'Si c’était vous, vous n’avez rien à faire. Sinon, contactez-nous\u202f: une autre personne a peut-être accès à votre compte.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'phone-verification': (message, { appName, config, duration }) =>
    `${message.code} est votre code ${appName}. Il expire dans ${duration(config.phoneNumber.expiresIn)}. Ne le communiquez jamais.${endOf(message)}`,
  'phone-password-reset': (message, { appName, config, duration }) =>
    `${message.code} est votre code pour réinitialiser votre mot de passe ${appName}. Il expire dans ${duration(config.phoneNumber.expiresIn)}. Ne le communiquez jamais.${endOf(message)}`,
}

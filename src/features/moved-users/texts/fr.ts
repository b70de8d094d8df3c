/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'set-up-link': ({ url }, { appName, config, duration }) => ({
    subject: `Définissez votre mot de passe ${appName}`,
    preheader: `Choisissez un mot de passe. Le lien expire dans ${duration(config.seed.setupLinkExpiresIn)}.`,
    heading: 'Définissez votre mot de passe',
    paragraphs: [
      `Votre compte ${appName} est passé à un nouveau système de connexion. Définissez un mot de passe pour vous reconnecter. Le reste de votre compte ne change pas.`,
    ],
    action: { label: 'Définir le mot de passe', url },
    footnote: `Ce lien ne fonctionne qu’une fois et expire dans ${duration(config.seed.setupLinkExpiresIn)}. Vous le recevez parce que quelqu’un a essayé de se connecter avec votre adresse e-mail. Si ce n’était pas vous, vous pouvez ignorer cet e-mail.`,
  }),
}

/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'reset-password': ({ url }, { appName, config, duration }) => ({
    subject: `Réinitialisez votre mot de passe ${appName}`,
    preheader: `Choisissez un nouveau mot de passe. Le lien expire dans ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}.`,
    heading: 'Réinitialisez votre mot de passe',
    paragraphs: [`Nous avons reçu une demande de réinitialisation du mot de passe de votre compte ${appName}.`],
    action: { label: 'Réinitialiser le mot de passe', url },
    footnote: `Ce lien ne fonctionne qu’une fois et expire dans ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}. Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Votre mot de passe reste le même.`,
  }),
}

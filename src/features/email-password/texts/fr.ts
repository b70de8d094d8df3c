/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-exists': (_, { appName }) => ({
    subject: `Vous avez déjà un compte ${appName}`,
    preheader: 'Une tentative d’inscription a utilisé votre adresse e-mail. Rien n’a changé.',
    heading: 'Vous avez déjà un compte',
    paragraphs: [
      `Une inscription sur ${appName} a utilisé cette adresse e-mail. Vous avez déjà un compte, aucun autre n’a donc été créé.`,
      'Connectez-vous avec votre mot de passe. Si vous l’avez oublié, demandez sa réinitialisation.',
    ],
    footnote: 'Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Rien n’a changé.',
  }),
}

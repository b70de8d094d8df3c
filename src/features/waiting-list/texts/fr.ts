/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'waiting-list-joined': (_, { appName }) => ({
    subject: `Vous êtes sur la liste d’attente ${appName}`,
    preheader: 'Nous vous écrirons dès que vous pourrez créer votre compte.',
    heading: 'Vous êtes sur la liste d’attente',
    paragraphs: [
      `Merci de l’intérêt que vous portez à ${appName}. Nous vous enverrons un e-mail dès que vous pourrez créer votre compte.`,
    ],
    footnote: 'Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Aucun compte n’a été créé.',
  }),
  'waiting-list-approved': ({ url }, { appName }) => ({
    subject: `Vous pouvez maintenant créer votre compte ${appName}`,
    preheader: 'Utilisez cette adresse e-mail lors de l’inscription.',
    heading: 'Vous pouvez maintenant créer votre compte',
    paragraphs: [`Votre tour est venu sur la liste d’attente ${appName}. Utilisez cette adresse e-mail lors de l’inscription.`],
    action: { label: 'Créer le compte', url },
    footnote: 'Si vous ne souhaitez plus créer de compte, vous pouvez ignorer cet e-mail.',
  }),
}

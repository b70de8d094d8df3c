/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'delete-account': ({ url }, { appName, config, duration }) => ({
    subject: `Confirmez la suppression de votre compte ${appName}`,
    preheader: 'Toutes les données de votre compte seront supprimées. Cette action est irréversible.',
    heading: 'Supprimez votre compte',
    paragraphs: [
      `Nous avons reçu une demande de suppression de votre compte ${appName}.`,
      'Votre compte et toutes ses données seront supprimés. Cette action est irréversible.',
    ],
    action: { label: 'Supprimer le compte', url },
    footnote: `Ce lien ne fonctionne qu’une fois et expire dans ${duration(config.user.deleteUser.deleteTokenExpiresIn)}. Ouvrez-le dans un navigateur où votre session est ouverte. Si vous n’avez rien demandé, changez votre mot de passe\u202f: une autre personne a peut-être accès à votre compte.`,
  }),
}

/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'api-key-created': ({ start }, { appName, button }) => ({
    subject: `Une clé API a été créée pour votre compte ${appName}`,
    preheader: 'Les programmes qui ont la clé agissent en votre nom. Si ce n’était pas vous, supprimez-la.',
    heading: 'Une clé API a été créée',
    paragraphs: [`Une clé API a été créée pour votre compte ${appName}. Les programmes qui ont la clé agissent en votre nom.`],
    ...(start !== null && { facts: [['Début de la clé', start]] as const }),
    ...button('/account/api-keys', 'Examiner vos clés API'),
    footnote:
      'Si c’était vous, vous n’avez rien à faire. Sinon, supprimez la clé et changez votre mot de passe\u202f: une autre personne a accès à votre compte.',
  }),
}

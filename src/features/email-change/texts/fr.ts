/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'change-email': ({ url, newEmail }, { appName, config, duration }) => ({
    subject: `Confirmez votre nouvelle adresse e-mail pour ${appName}`,
    preheader: `Votre compte utilisera l’adresse ${newEmail}.`,
    heading: 'Modifiez votre adresse e-mail',
    paragraphs: [`Nous avons reçu une demande de modification de l’adresse e-mail de votre compte ${appName}.`],
    facts: [['Nouvelle adresse e-mail', newEmail]],
    action: { label: 'Modifier l’adresse e-mail', url },
    footnote: `Ce lien expire dans ${duration(config.emailVerification.expiresIn)}. Ouvrez-le dans un navigateur où votre session est ouverte. Si vous n’avez rien demandé, changez votre mot de passe\u202f: une autre personne a peut-être accès à votre compte.`,
  }),
  'email-in-use': (_, { appName }) => ({
    subject: `Votre adresse e-mail est déjà utilisée sur ${appName}`,
    preheader: 'Un autre compte a voulu utiliser votre adresse e-mail. Rien n’a changé.',
    heading: 'Votre adresse e-mail est déjà utilisée',
    paragraphs: [
      `Un autre compte ${appName} a demandé à utiliser cette adresse e-mail. Elle appartient à votre compte, rien n’a donc été modifié.`,
      'Si l’autre compte est aussi le vôtre, connectez-vous à ce compte et choisissez une adresse e-mail différente.',
    ],
    footnote: 'Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Rien n’a changé.',
  }),
  'email-changed': (_, { appName }) => ({
    subject: `L’adresse e-mail de votre compte ${appName} a été modifiée`,
    preheader: 'Cette adresse n’est plus utilisée. Si ce n’était pas vous, contactez-nous.',
    heading: 'Votre adresse e-mail a été modifiée',
    paragraphs: [`L’adresse e-mail de votre compte ${appName} n’est plus celle-ci.`],
    footnote:
      'Si c’était vous, vous n’avez rien à faire. Sinon, contactez-nous\u202f: une autre personne a peut-être accès à votre compte.',
  }),
}

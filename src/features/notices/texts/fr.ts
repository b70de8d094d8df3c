/** The texts in French. */
import type { MailContent, MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { deviceIn, signInFacts, supportOf } from './facts.ts'

const wasYou = 'Si c’était vous, vous n’avez rien à faire.'

const facts = { time: 'Date', device: 'Appareil', ipAddress: 'Adresse IP', on: 'sur' }

const passwordRemoved = ({ appName }: TextContext): MailContent => ({
  subject: `Le mot de passe de votre compte ${appName} a été retiré`,
  preheader: 'Une autre personne l’a peut-être défini avant la vérification de votre adresse e-mail.',
  heading: 'Votre mot de passe a été retiré',
  paragraphs: [
    `Votre compte ${appName} avait un mot de passe antérieur à la vérification de votre adresse e-mail. Une autre personne l’a peut-être défini, il ne fonctionne donc plus.`,
  ],
  footnote: 'Pour vous connecter à nouveau avec un mot de passe, demandez sa réinitialisation et choisissez-en un nouveau.',
})

export const mails: MailTexts<Mails> = {
  'sign-in-method-removed': ({ providerId, reason }, context) =>
    reason === 'email-verified'
      ? passwordRemoved(context)
      : {
          subject: `Une méthode de connexion de votre compte ${context.appName} a été retirée`,
          preheader: 'Si ce n’était pas vous, changez votre mot de passe maintenant.',
          heading: 'Une méthode de connexion a été retirée',
          paragraphs: [`Cette méthode ne permet plus de se connecter à votre compte ${context.appName}.`],
          facts: [['Méthode de connexion', providerId === 'credential' ? 'Mot de passe' : providerId]],
          footnote: `${wasYou} Sinon, changez votre mot de passe maintenant\u202f: une autre personne a peut-être accès à votre compte.`,
        },
  'account-banned': ({ expiresAt }, { appName, time }) => ({
    subject: `Votre compte ${appName} a été bloqué`,
    preheader:
      expiresAt === null
        ? 'Vous ne pouvez plus vous connecter.'
        : `Vous pourrez à nouveau vous connecter à partir du ${time(expiresAt)}.`,
    heading: 'Votre compte a été bloqué',
    paragraphs: [
      `Un administrateur a bloqué votre compte ${appName} et mis fin à ses sessions.`,
      expiresAt === null ? 'Le blocage n’a pas de date de fin.' : `Le blocage prend fin le ${time(expiresAt)}.`,
    ],
    footnote: 'Si vous pensez qu’il s’agit d’une erreur, contactez l’assistance.',
  }),
  'account-deleted': (_, { appName }) => ({
    subject: `Votre compte ${appName} a été supprimé`,
    preheader: 'Votre compte et ses données n’existent plus.',
    heading: 'Votre compte a été supprimé',
    paragraphs: [`Votre compte ${appName} et ses données ont été supprimés.`],
    footnote: 'Si vous ne vous y attendiez pas, contactez l’assistance.',
  }),
  'account-impersonated': ({ time, endsAt }, context) => ({
    subject: `Un administrateur a ouvert votre compte ${context.appName}`,
    preheader: 'Un administrateur peut utiliser votre compte pendant une courte durée.',
    heading: 'Un administrateur a ouvert votre compte',
    paragraphs: [
      `Un administrateur du service ${context.appName} a ouvert votre compte, pour voir ce que vous voyez. Il ne peut modifier ni votre mot de passe ni vos méthodes de connexion.`,
    ],
    facts: [
      ['Date', context.time(time)],
      ['Fin au plus tard', context.time(endsAt)],
    ],
    footnote: `Si vous ne vous y attendiez pas, contactez ${supportOf(context) ?? 'l’assistance'}.`,
  }),
  'new-sign-in': (notice, context) => ({
    subject: `Nouvelle connexion à votre compte ${context.appName}`,
    preheader: ['Depuis un nouvel appareil ou réseau', deviceIn(notice.device, facts.on)].filter(Boolean).join('\u202f: '),
    heading: 'Nouvelle connexion à votre compte',
    paragraphs: [
      `Une connexion à votre compte ${context.appName} a eu lieu depuis un nouvel appareil ou réseau.`,
      ...(notice.hasReplaced ? ['Elle a mis fin à la session que le même navigateur ou programme avait auparavant.'] : []),
    ],
    facts: signInFacts(notice, context, facts),
    ...context.button('/account/sessions', 'Examiner vos sessions'),
    footnote: `${wasYou} Sinon, changez votre mot de passe et révoquez la session\u202f: une autre personne a accès à votre compte.`,
  }),
  'session-limit': ({ sessionsEnded, maxSessions, ...signIn }, context) => {
    const oldest = context.plural(sessionsEnded, {
      one: 'votre plus ancienne session',
      other: 'vos # plus anciennes sessions',
    })
    return {
      subject: `Une connexion à votre compte ${context.appName} a mis fin à ${oldest}`,
      preheader: context.plural(maxSessions, {
        one: 'Votre compte peut avoir # session.',
        other: 'Votre compte peut avoir # sessions.',
      }),
      heading: `Une connexion a mis fin à ${oldest}`,
      paragraphs: [
        `Votre compte ${context.appName} a atteint le nombre maximal de sessions (${maxSessions}). Une nouvelle connexion a mis fin à ${oldest}, un navigateur ou un programme devra donc peut-être se reconnecter.`,
      ],
      facts: signInFacts(signIn, context, facts),
      ...context.button('/account/sessions', 'Examiner vos sessions'),
      footnote:
        'Si l’un de vos programmes se connecte à chaque exécution, faites-lui conserver sa session ou utiliser une clé API. Si vous ne reconnaissez pas cette connexion, changez votre mot de passe\u202f: une autre personne a accès à votre compte.',
    }
  },
}

/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedFacts, supportOf } from './facts.ts'

export const mails: MailTexts<Mails> = {
  'account-locked': (notice, context) => {
    const { appName } = context
    return {
      subject: `Votre compte ${appName} est verrouillé`,
      preheader: 'Personne ne peut s’y connecter tant qu’il n’est pas déverrouillé.',
      heading: 'Votre compte est verrouillé',
      paragraphs: [
        `Votre compte ${appName} a été verrouillé. Tous les appareils ont été déconnectés, et personne ne peut se connecter à ce compte, quelle que soit la méthode.`,
        notice.opensByReset
          ? 'Pour le déverrouiller, réinitialisez votre mot de passe.'
          : `Seule notre assistance peut le déverrouiller. Contactez ${supportOf(context) ?? 'l’assistance'}.`,
      ],
      facts: endedFacts(notice, 'Ont pris fin', [
        'Sessions\u202f',
        'Clés API\u202f',
        'Liens et codes\u202f',
        'Comptes associés\u202f',
      ]),
      ...(notice.opensByReset && context.button('/forgot-password', 'Réinitialiser le mot de passe')),
      footnote:
        'Si vous ne l’avez pas verrouillé, c’est le fait d’une autre personne ayant accès à vos e-mails, ou de notre assistance.',
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `Votre compte ${appName} est déverrouillé`,
      preheader: 'Contrôlez ce qu’une autre personne a pu modifier.',
      heading: 'Votre compte est déverrouillé',
      paragraphs: [
        `Vous pouvez à nouveau vous connecter à votre compte ${appName}.`,
        'Une autre personne y a peut-être eu accès. Contrôlez votre adresse e-mail et votre numéro de téléphone, et retirez les seconds facteurs, clés d’accès et comptes associés que vous ne reconnaissez pas.',
      ],
      ...context.button('/account/security', 'Contrôler la sécurité'),
      footnote: 'Si vous ne l’avez pas déverrouillé, verrouillez-le à nouveau.',
    }
  },
}

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
        `Votre compte ${appName} a été verrouillé. Tous les appareils ont été déconnectés et personne ne peut s’y connecter, quelle que soit la méthode.`,
        notice.opensByReset
          ? 'Pour le déverrouiller, réinitialisez votre mot de passe.'
          : `Seule notre assistance peut le déverrouiller\u202f: ${supportOf(context) ?? 'contactez-nous'}.`,
      ],
      facts: endedFacts(notice, 'Terminés', ['Sessions', 'Clés d’API', 'Liens et codes', 'Comptes associés']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Réinitialiser le mot de passe')),
      footnote: 'Si vous ne l’avez pas verrouillé, une autre personne ayant accès à vos e-mails, ou notre assistance, l’a fait.',
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `Votre compte ${appName} est de nouveau accessible`,
      preheader: 'Vérifiez ce qu’une autre personne a pu modifier.',
      heading: 'Votre compte est de nouveau accessible',
      paragraphs: [
        `Vous pouvez de nouveau vous connecter à votre compte ${appName}.`,
        'Une autre personne y a peut-être eu accès. Vérifiez votre adresse e-mail et votre numéro de téléphone, et supprimez les seconds facteurs, clés d’accès et comptes associés que vous ne reconnaissez pas.',
      ],
      ...context.button('/account/security', 'Vérifier la sécurité'),
      footnote: 'Si vous ne l’avez pas déverrouillé, verrouillez-le de nouveau.',
    }
  },
}

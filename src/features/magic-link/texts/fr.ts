/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { Mails } from '../texts.ts'

const facts = { requested: 'Demandé', device: 'Appareil', ipAddress: 'Adresse IP', on: 'sur' }

export const mails: MailTexts<Mails> = {
  'magic-link': ({ url, code, ...requester }, context) => {
    const duration = context.duration(context.config.magicLink.expiresIn)
    return {
      subject: `${code} est votre code ${context.appName}, ou connectez-vous avec le lien`,
      preheader: `Le lien et le code expirent dans ${duration}.`,
      heading: `Connectez-vous à ${context.appName}`,
      paragraphs: [
        `Ouvrez le lien sur l’appareil où vous l’avez demandé. Si c’est un autre appareil, saisissez-y ce code\u202f: ${code}`,
        'Ne transférez jamais cet e-mail\u202f: nous ne vous le demanderons jamais.',
      ],
      facts: requesterFacts(requester, context, facts),
      action: { label: 'Se connecter', url },
      footnote: `Le lien ne fonctionne qu’une fois et expire dans ${duration}. Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail.`,
    }
  },
}

/** The texts in French. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedParts, type PartTexts } from './parts.ts'

const parts = ({ plural }: TextContext): PartTexts => ({
  ...{ password: 'mot de passe', phoneNumber: 'numéro de téléphone', provider: (id) => `compte ${id}` },
  sessions: (count) => plural(count, { one: '# session', other: '# sessions' }),
  apiKeys: (count) => plural(count, { one: '# clé API', other: '# clés API' }),
  passkeys: (count) => plural(count, { one: '# clé d’accès', other: '# clés d’accès' }),
  secondFactors: (count) => plural(count, { one: '# second facteur', other: '# seconds facteurs' }),
  trustedBrowsers: (count) => plural(count, { one: '# navigateur de confiance', other: '# navigateurs de confiance' }),
})

export const mails: MailTexts<Mails> = {
  verification: ({ url }, { appName, config, duration }) => ({
    subject: `Vérifiez votre adresse e-mail pour ${appName}`,
    preheader: `Terminez la création de votre compte. Le lien expire dans ${duration(config.emailVerification.expiresIn)}.`,
    heading: 'Vérifiez votre adresse e-mail',
    paragraphs: [`Vérifiez votre adresse e-mail pour terminer la création de votre compte ${appName}.`],
    action: { label: 'Vérifier l’adresse e-mail', url },
    footnote: `Ce lien expire dans ${duration(config.emailVerification.expiresIn)}. Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail.`,
  }),
  'earlier-access-ended': (ended, context) => ({
    subject: `Les accès antérieurs à votre compte ${context.appName} ont pris fin`,
    preheader: 'Une autre personne a peut-être créé le compte avec votre adresse e-mail avant vous.',
    heading: 'Les accès antérieurs ont pris fin',
    paragraphs: [
      `Vous venez de vérifier que cette adresse e-mail est la vôtre. Elle ne l’était pas auparavant, une autre personne a donc peut-être créé ce compte ${context.appName} avec elle. C’est pourquoi tout ce qui avait été configuré auparavant a pris fin.`,
    ],
    facts: [['Supprimé', endedParts(ended, parts(context)).join(', ')]],
    footnote:
      'Si ces éléments venaient de vous, configurez-les à nouveau dans votre compte. Vous pouvez toujours vous connecter avec votre adresse e-mail.',
  }),
}

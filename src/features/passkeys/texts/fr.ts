/** The texts in French. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { codeLifetime } from '../code-lifetime.ts'
import type { Mails, Texts } from '../texts.ts'
import { deviceFact, passkeyFacts } from './facts.ts'

const labels = ['Clé d’accès', 'Appareil ou gestionnaire de mots de passe', 'Date'] as const

const notYours = 'Si ce n’était pas vous, une autre personne a peut-être accès à votre compte.'
const ifNotYou = (what: string): string =>
  `Si ce n’était pas vous, ${what}\u202f: une autre personne a peut-être accès à votre compte.`

export const mails: MailTexts<Mails> = {
  'passkey-added': (notice, context) => ({
    subject: `Une clé d’accès a été ajoutée à votre compte ${context.appName}`,
    preheader: notYours,
    heading: 'Une clé d’accès a été ajoutée',
    paragraphs: [
      `Cette clé d’accès permet maintenant de se connecter à votre compte ${context.appName}.`,
      ...(notice.isAutomatic ? ['Votre navigateur l’a créée lors d’une connexion avec votre mot de passe.'] : []),
    ],
    facts: [...passkeyFacts(notice, context, labels), ...deviceFact(notice, 'Ajoutée avec', 'sur')],
    ...context.button('/account/security', 'Ce n’était pas moi'),
    footnote: ifNotYou('retirez la clé d’accès, changez votre mot de passe et révoquez vos sessions'),
  }),
  'passkey-removed': (notice, context) => ({
    subject: `Une clé d’accès de votre compte ${context.appName} a été retirée`,
    preheader: notYours,
    heading: 'Une clé d’accès a été retirée',
    paragraphs: [`Cette clé d’accès ne permet plus de se connecter à votre compte ${context.appName}.`],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Ce n’était pas moi'),
    footnote: `Si c’était vous, supprimez aussi la clé d’accès dans votre gestionnaire de mots de passe. ${ifNotYou('changez votre mot de passe et révoquez vos sessions')}`,
  }),
  'passkey-cloned': (notice, context) => ({
    subject: `Une clé d’accès de votre compte ${context.appName} a été suspendue`,
    preheader: 'Elle a peut-être été copiée, elle ne permet donc plus de se connecter.',
    heading: 'Une clé d’accès a été suspendue',
    paragraphs: [
      'Une connexion a utilisé cette clé d’accès avec un compteur revenu en arrière. Cela se produit quand une clé a été copiée.',
      'La connexion a été refusée. Connectez-vous avec une autre méthode, puis retirez la clé d’accès, ou autorisez-la à nouveau si vous en connaissez la raison.',
    ],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Examiner vos méthodes de connexion'),
  }),
  'passkey-sign-up': ({ code }, { appName, duration }) => ({
    subject: `${code} est votre code ${appName}`,
    preheader: `Saisissez-le pour créer votre compte. Il expire dans ${duration(codeLifetime)}.`,
    heading: 'Votre code pour créer un compte',
    paragraphs: [
      `Saisissez ce code pour créer un compte ${appName}. Il expire dans ${duration(codeLifetime)}. Ne le communiquez jamais.`,
    ],
    facts: [['Code', code]],
    footnote: 'Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'passkey-added': (_, { appName }) =>
    `${appName} : une clé d'accès a été ajoutée à votre compte. Ce n'était pas vous ? Changez votre mot de passe maintenant et examinez la sécurité de votre compte.`,
}

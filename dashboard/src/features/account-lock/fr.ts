import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  lockAccount: 'Verrouiller mon compte',
  question: 'Verrouiller votre compte\u202f?',
  lead: ({ email }) =>
    `Nous avons envoyé le lien à ${email}. Si la connexion ou la modification signalée dans cet e-mail ne vient pas de vous, verrouillez votre compte dès maintenant.`,
  textLead:
    'Nous avons envoyé le lien par SMS. Si la modification signalée dans ce message ne vient pas de vous, verrouillez votre compte dès maintenant.',
  ends: 'Prennent fin immédiatement\u202f:',
  sessions: ({ sessions }, { plural }) =>
    plural(sessions, { one: 'La session sur # appareil', other: 'Les sessions sur # appareils' }),
  apiKeys: ({ apiKeys }, { plural }) => plural(apiKeys, { one: '# clé API', other: '# clés API' }),
  linksAndCodes: ({ linksAndCodes }, { plural }) =>
    plural(linksAndCodes, { one: '# lien ou code en attente', other: '# liens et codes en attente' }),
  linkedAccounts: ({ linkedAccounts }, { plural }) =>
    plural(linkedAccounts, {
      one: 'L’accès enregistré à # compte associé',
      other: 'L’accès enregistré à # comptes associés',
    }),
  trustedBrowsers: ({ trustedBrowsers }, { plural }) =>
    plural(trustedBrowsers, { one: '# navigateur de confiance', other: '# navigateurs de confiance' }),
  everySignIn: 'Toute connexion, quelle que soit la méthode, jusqu’au déverrouillage du compte',
  opensByReset: 'Vous déverrouillez ensuite votre compte avec un nouveau mot de passe.',
  opensBySupport:
    'L’adresse e-mail du compte a changé, ou le compte a déjà été verrouillé. Seule notre assistance peut donc le déverrouiller, après s’être assurée qu’il est bien à vous.',
  textOpens: 'Ensuite, seule notre assistance peut le déverrouiller, après s’être assurée qu’il est bien à vous.',
  isLocked: 'Le compte est déjà verrouillé. Vous pouvez le verrouiller à nouveau avec ce lien.',
  wasMe: 'C’était moi\u202f: ne rien faire',
  locked: 'Votre compte est verrouillé',
  lockedLead: 'Tous les appareils sont déconnectés, et personne ne peut se connecter à ce compte.',
  nextReset: 'Choisissez maintenant un nouveau mot de passe. Il déverrouillera votre compte.',
  nextSupport:
    'Seule notre assistance peut le déverrouiller. Contactez-la, et signalez qu’une autre personne a modifié votre compte.',
  resetPassword: 'Réinitialiser votre mot de passe',
  contactSupport: 'Contacter l’assistance',
  linkFailed: 'Ce lien ne fonctionne pas',
  linkFailedLead:
    'Il a expiré ou a déjà été utilisé. Si une autre personne a accès à votre compte, réinitialisez votre mot de passe ou contactez l’assistance.',
}

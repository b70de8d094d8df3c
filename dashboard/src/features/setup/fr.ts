import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  setPassword: 'Définissez votre mot de passe',
  setPasswordLead: ({ email }) => `Choisissez le mot de passe pour ${email}. Ce lien ne fonctionne qu’une fois.`,
  savePassword: 'Définir le mot de passe',
  saved: 'Votre mot de passe est défini',
  savedLead: ({ email }) => `Vous pouvez maintenant vous connecter avec ${email}.`,
  signIn: 'Se connecter',
  linkFailed: 'Ce lien ne fonctionne plus',
  linkFailedLead: 'Il a déjà été utilisé, il a expiré ou il est incomplet.',
  linkFailedOperator: 'Si vous gérez ce site, créez-en un nouveau sur le serveur avec\u202f:',
  copyCommand: 'Copier la commande',
}

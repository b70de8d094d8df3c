import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  forgotPassword: 'Mot de passe oublié\u202f?',
  forgotLead: 'Saisissez l’adresse e-mail de votre compte. Nous vous envoyons un lien pour choisir un nouveau mot de passe.',
  email: 'Adresse e-mail',
  byPhone: 'Utiliser plutôt votre numéro de téléphone',
  sendLink: 'Envoyer le lien de réinitialisation',
  rememberedIt: 'Mot de passe retrouvé\u202f?',
  signIn: 'Se connecter',
  newPassword: 'Choisissez un nouveau mot de passe',
  newPasswordLead: 'Il vous servira désormais à vous connecter.',
  savePassword: 'Enregistrer le mot de passe',
  saved: 'Votre mot de passe a été changé',
  savedLead: 'Connectez-vous avec votre nouveau mot de passe.',
  linkFailed: 'Ce lien ne fonctionne plus',
  linkFailedLead: 'Il a déjà été utilisé, il a expiré ou il est incomplet. Vous pouvez en demander un nouveau.',
  requestNewLink: 'Demander un nouveau lien',
  byCode: 'Utiliser plutôt un code',
  byLink: 'Utiliser plutôt un lien',
  forgotLeadCode:
    'Saisissez l’adresse e-mail de votre compte. Nous vous envoyons un code avec lequel choisir un nouveau mot de passe.',
  sendCode: 'Envoyer le code',
  codeSent: ({ email }) =>
    `S’il existe un compte pour ${email}, nous y avons envoyé un code. Saisissez-le avec votre nouveau mot de passe.`,
  code: 'Code',
  openMailbox: ({ provider }) => `Ouvrir ${provider}`,
  newCodeSent: 'Nous avons envoyé un nouveau code. Le précédent n’est plus valable.',
  sendNewCode: 'Envoyer un nouveau code',
  newCodeIn: ({ time }) => `Envoyer un nouveau code dans ${time}`,
}

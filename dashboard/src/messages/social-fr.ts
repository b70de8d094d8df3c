import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './social-en.ts'

export const messages: Translation<typeof english> = {
  continueWith: ({ provider }) => `Continuer avec ${provider}`,
  withProvider: ({ provider }) => `avec ${provider}`,
  or: 'ou',
  notSignedIn: 'La connexion n’a pas abouti',
  notSignedInWith: ({ provider }) => `La connexion avec ${provider} n’a pas abouti`,
  accountNotLinked: ({ provider }) =>
    `Il existe déjà un compte avec cette adresse e-mail. Connectez-vous comme auparavant, puis associez ${provider} dans «\u202fMot de passe et connexion\u202f». Votre adresse e-mail doit être vérifiée chez ${provider}.`,
  noAccountYet: 'Il n’existe pas encore de compte pour cette connexion. Créez-en d’abord un.',
  createAccount: 'Créer un compte',
  finishInOtherWindow: 'Terminez la connexion dans l’autre fenêtre. Cette page se poursuivra ensuite.',
  windowBlocked: 'Votre navigateur a bloqué la fenêtre. Autorisez les fenêtres pop-up pour ce site, puis réessayez.',
  anotherUser: ({ email, own }) =>
    `Vous avez utilisé le compte ${email}. Pour continuer sur cette page, connectez-vous avec ${own}.`,
}

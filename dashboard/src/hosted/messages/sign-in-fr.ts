import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Se connecter',
  signInLead: ({ appName }) => `Accédez à votre compte ${appName}.`,
  noAccountYet: 'Pas encore de compte\u202f?',
  createAccount: 'Créer un compte',
  accountCreated: 'Votre compte est prêt. Connectez-vous pour continuer.',
  signedInAs: 'Votre session est ouverte',
  signedInLead: ({ email }) => `Votre session est ouverte avec l’adresse ${email}.`,
  continueAs: ({ name }) => `Continuer en tant que ${name}`,
  continueAsWith: ({ name, how }) => `Continuer en tant que ${name} ${how}`,
  notAnn: ({ name }) => `Vous n’êtes pas ${name}\u202f? Utilisez un autre compte`,
  email: 'Adresse e-mail',
  emailOrUsername: 'Adresse e-mail ou nom d’utilisateur',
  emailOrPhone: 'Adresse e-mail ou numéro de téléphone',
  emailUsernameOrPhone: 'Adresse e-mail, nom d’utilisateur ou téléphone',
  phoneNumber: 'Numéro de téléphone',
  continue: 'Continuer',
  change: 'Modifier',
  anotherWay: 'Autre méthode',
  useAnotherAccount: 'Utiliser un autre compte',
  addAccount: 'Ajouter un autre compte',
  stayLead: ({ email }) => `Votre session avec l’adresse ${email} reste ouverte.`,
  backToAccount: 'Retour à votre compte',
  noMethod: 'Aucune méthode de connexion n’est activée sur ce site.',
}

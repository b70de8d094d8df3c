import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Se connecter',
  withPassword: 'avec votre mot de passe',
  signInLead: ({ appName }) => `Accédez à votre compte ${appName}.`,
  email: 'Adresse e-mail',
  emailOrUsername: 'Adresse e-mail ou nom d’utilisateur',
  signUpWithPasskey: 'Créer un compte avec une clé d’accès',
  signUpByPhone: 'Créer un compte avec un numéro de téléphone',
  password: 'Mot de passe',
  rememberMe: 'Se souvenir de moi',
  forgotPassword: 'Mot de passe oublié\u202f?',
  noAccountYet: 'Pas encore de compte\u202f?',
  createAccount: 'Créer un compte',
  resetWithoutWaiting: 'Réinitialiser votre mot de passe sans attendre',
  signUp: 'Créez votre compte',
  signUpLead: ({ appName }) => `Il vous faut un compte pour utiliser ${appName}.`,
  name: 'Nom',
  submitSignUp: 'Créer le compte',
  signUpClosed: 'Les inscriptions sont fermées',
  signUpClosedLead: ({ appName }) =>
    `Les nouveaux comptes ${appName} sont créés par les administrateurs. Adressez-vous à eux s’il vous en faut un.`,
  onlyInvited: 'Seules les personnes invitées peuvent créer un compte. Utilisez l’adresse e-mail qui a reçu l’invitation.',
  alreadyHaveAccount: 'Vous avez déjà un compte\u202f?',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-up-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Créer un compte avec une clé d’accès',
  lead: 'Aucun mot de passe n’est nécessaire\u202f: vous vous connectez avec votre empreinte, votre visage ou le code PIN de votre appareil.',
  name: 'Nom',
  email: 'Adresse e-mail',
  continue: 'Continuer',
  usePassword: 'Utiliser plutôt un mot de passe',
  alreadyHaveAccount: 'Vous avez déjà un compte\u202f?',
  signIn: 'Se connecter',
  codeTitle: 'Consultez vos e-mails',
  codeSent: ({ email }) => `Nous avons envoyé un e-mail à ${email}. Saisissez ici le code qu’il contient.`,
  code: 'Code',
  sendAgain: 'Renvoyer',
  sendAgainIn: ({ time }) => `Renvoyer dans ${time}`,
  sentAgain: 'Nous avons fait un nouvel envoi. Le précédent n’est plus valable.',
  wrongAddress: 'Mauvaise adresse\u202f? La modifier',
  createTitle: 'Créez votre clé d’accès',
  createLead: ({ email }) =>
    `L’adresse ${email} est vérifiée. La dernière étape crée votre compte\u202f: votre appareil vous demande votre empreinte, votre visage ou son code PIN.`,
  create: 'Créer la clé d’accès',
  notHere: 'Ce navigateur ne peut pas créer de clés d’accès. Utilisez-en un autre, ou activez JavaScript.',
  cancelled: 'Aucune clé d’accès n’a été créée. Réessayez.',
  notPossible: 'La clé d’accès n’a pas pu être créée ici. Essayez avec un autre navigateur ou appareil.',
}

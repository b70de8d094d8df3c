import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  invite: 'Lien d’invitation',
  inviteTitle: ({ appName }) => `Vous avez une invitation pour ${appName}`,
  inviteLead: 'Créez votre compte pour accepter l’invitation.',
  inviteToOrganization: ({ organization }) => `Vous avez une invitation à rejoindre ${organization}`,
  createAccount: 'Créer le compte',
  haveAccount: 'Vous avez déjà un compte\u202f?',
  signIn: 'Se connecter',
  joinLead: ({ organization, email }) =>
    `Votre session est ouverte avec l’adresse ${email}. Vous deviendrez membre de l’organisation ${organization}.`,
  join: ({ organization }) => `Rejoindre ${organization}`,
  alreadySignedIn: ({ email }) =>
    `Votre session est ouverte avec l’adresse ${email}. Ce lien est destiné aux utilisateurs sans compte.`,
  useAnotherAccount: 'Utiliser un autre compte',
  unusable: 'Ce lien d’invitation ne fonctionne plus',
  unusableLead: 'Il a expiré, a atteint sa limite d’utilisation ou a été révoqué. Demandez-en un nouveau.',
  waitingList: 'Liste d’attente',
  waitingListLead: ({ appName }) =>
    `Laissez votre adresse e-mail. Nous vous écrirons dès que vous pourrez créer votre compte ${appName}.`,
  email: 'Adresse e-mail',
  name: 'Nom',
  joinWaitingList: 'Rejoindre la liste d’attente',
  onTheList: 'Merci',
  onTheListLead: ({ email }) => `Nous écrirons à ${email} dès que vous pourrez créer votre compte.`,
  approved: 'Votre demande a été acceptée\u202f?',
}

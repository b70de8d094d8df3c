import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  deleteAccount: 'Supprimer le compte',
  deleteLead: 'La suppression de votre compte est irréversible.',
  whatIsDeleted: 'Ce qui est supprimé',
  confirmation: 'Confirmation',
  confirmationText: 'Pour que votre compte ne soit pas supprimé par erreur.',
  deletedProfile: 'Votre profil et tout ce que vous y avez saisi',
  deletedMethods: 'Vos méthodes de connexion\u202f: vous ne pourrez plus vous connecter',
  deletedSessions: 'Vos sessions\u202f: tous les appareils et toutes les applications sont déconnectés',
  deletedOrganizations: 'Vos organisations qui n’ont pas d’autre membre',
  handOverFirst:
    'Une organisation avec d’autres membres n’a que vous comme propriétaire\u202f? Donnez d’abord ce rôle à un autre membre.',
  organizationsLink: 'Vos organisations',
  exportFirst: 'Voulez-vous garder une copie\u202f?',
  exportLink: 'Exporter vos données',
  typeEmail: ({ email }) => `Saisissez ${email} pour confirmer`,
  password: 'Votre mot de passe',
  sendLink: 'Envoyer le lien de suppression',
  sendLinkText: ({ email }) => `Nous envoyons un lien à ${email}. Ouvrez-le et confirmez pour supprimer votre compte.`,
  linkSent: 'Consultez vos e-mails',
  linkSentText: ({ email }) =>
    `Nous avons envoyé un lien à ${email}. Votre compte n’est pas supprimé tant que vous ne l’avez pas ouvert et confirmé.`,
  confirmDeletion: 'Supprimer votre compte\u202f?',
  confirmDeletionLead: 'Ce compte et toutes ses données seront supprimés. Cette action est irréversible.',
  keepAccount: 'Conserver le compte',
  linkFailed: 'Ce lien ne peut pas supprimer votre compte',
  linkFailedLead: ({ email }) =>
    `Votre session est ouverte avec l’adresse ${email}. Le lien a déjà été utilisé, a expiré, est incomplet ou appartient à un autre compte.`,
  requestNewLink: 'Demander un nouveau lien',
  useAnotherAccount: 'Utiliser un autre compte',
}

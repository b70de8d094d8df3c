import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './hosted-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Conditions',
  acceptTitle: 'Acceptez les conditions',
  acceptLead: ({ appName }) => `Lisez-les, puis acceptez-les pour accéder à votre compte ${appName}.`,
  changedTitle: 'Nos conditions ont changé',
  changedLead: ({ appName }) => `Lisez ce qui est nouveau, puis acceptez pour accéder à votre compte ${appName}.`,
  version: ({ version }) => `Version ${version}`,
  replaces: ({ version, former }) => `Version ${version}. Vous avez accepté la version ${former}.`,
  whatIsNew: 'Nouveautés\u202f:',
  read: ({ title }) => `Lire «\u202f${title}\u202f» dans un nouvel onglet`,
  accept: 'Accepter et continuer',
  notNow: 'Pas maintenant',
  postponeUntil: ({ date }) => `Vous pouvez reporter ce choix jusqu’au ${date}.`,
  decline: 'Refuser',
  cancel: 'Annuler la connexion',
  declined: 'Vous avez refusé les conditions',
  declinedLead:
    'Sans les accepter, vous ne pouvez pas vous connecter. Vous pouvez récupérer vos données et supprimer votre compte.',
  exportTitle: 'Vos données',
  exportText: 'Un fichier JSON contenant tout ce qui est enregistré à votre sujet.',
  exportData: 'Télécharger vos données',
  deleteTitle: 'Votre compte',
  deleteText: ({ email }) => `Le compte ${email} et toutes ses données seront supprimés. Cette action est irréversible.`,
  deleteAccount: 'Supprimer le compte',
  sendLink: 'Envoyer le lien de suppression',
  sendLinkText: ({ email }) =>
    `Nous envoyons un lien à ${email}. Ouvrez-le dans ce navigateur tant que cette connexion est en attente.`,
  linkSent: ({ email }) =>
    `Nous avons envoyé un lien à ${email}. Votre compte n’est pas supprimé tant que vous ne l’avez pas ouvert et confirmé.`,
  back: 'Revenir aux conditions',
  signIn: 'Se connecter',
  linkFailed: 'Ce lien ne peut pas supprimer votre compte',
  linkFailedLead:
    'Le lien a déjà été utilisé ou a expiré, ou la connexion n’est plus en attente. Connectez-vous, puis demandez un nouveau lien.',
  confirmDeletion: 'Supprimer votre compte\u202f?',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signInWithPasskey: 'Se connecter avec une clé d’accès',
  withPasskey: 'avec votre clé d’accès',
  confirmWithPasskey: 'Utiliser votre clé d’accès',
  passkeyLead: 'Utilisez votre clé d’accès. Votre appareil vous demande votre empreinte, votre visage ou son code PIN.',
  cancelled: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou choisissez une autre méthode.',
  wrongDomain: ({ domain }) =>
    `Les clés d’accès sont liées à ${domain}, et ce navigateur ne peut pas les utiliser à cette adresse.`,
  goToDomain: ({ domain }) => `Continuer sur ${domain}`,
  notPossible: 'La clé d’accès n’a pas pu être utilisée ici. Réessayez, ou choisissez une autre méthode.',
}

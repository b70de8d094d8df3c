import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  somethingWentWrong: 'Une erreur s’est produite',
  lastStepFailed:
    'La dernière étape n’a pas pu aboutir. Revenez en arrière et réessayez. Si l’échec se répète, contactez le responsable de ce site.',
  errorCode: 'Code d’erreur',
  requestId: 'ID de la requête',
  returnToApplication: 'Revenir à l’application',
  emailChange: 'Modification de l’adresse e-mail',
  emailChanged: 'Votre adresse e-mail a été modifiée',
  emailChangedTo: ({ email }) => `Vous vous connectez désormais avec ${email}.`,
  emailChangedLead: 'Désormais, connectez-vous avec votre nouvelle adresse e-mail.',
  confirmNew: 'Encore une étape\u202f: ouvrez le second e-mail',
  confirmNewLead:
    'Vous avez confirmé la modification. Nous avons envoyé un autre e-mail à votre nouvelle adresse. Ouvrez le lien qu’il contient pour terminer.',
  verifyNewLead: ({ email }) => `Nous avons envoyé un e-mail à ${email}. Ouvrez le lien qu’il contient pour vérifier l’adresse.`,
  emailNotChanged: 'Votre adresse e-mail n’a pas été modifiée',
  unauthorized:
    'Ouvrez le lien dans un navigateur où vous avez ouvert une session avec le compte dont l’adresse e-mail est modifiée.',
  changeAgain: 'Vous pouvez redemander la modification dans votre compte.',
  accountDeletion: 'Suppression du compte',
  accountDeleted: 'Votre compte est supprimé',
  accountDeletedLead: ({ appName }) =>
    `Votre compte ${appName} et ses données n’existent plus, et tous vos appareils sont déconnectés.`,
  signedOut: 'Déconnexion effectuée',
  signedOutLead: ({ appName }) => `Votre session ${appName} n’est plus ouverte dans ce navigateur.`,
}

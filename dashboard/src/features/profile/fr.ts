import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  profile: 'Profil',
  profileLead: 'Les données personnelles de votre compte.',
  account: 'Compte',
  accountText: 'Votre photo, et l’ID avec lequel l’assistance vous retrouve.',
  details: 'Informations personnelles',
  detailsText: 'Votre nom, et ce que ce site vous demande.',
  name: 'Nom',
  created: 'Création du compte',
  userId: 'ID utilisateur',
  copyUserId: 'Copier l’ID utilisateur',
  changePicture: 'Modifier la photo',
  addPicture: 'Ajouter une photo',
  removePicture: 'Retirer la photo',
  cropPicture: 'Choisissez une partie de la photo',
  cropHint: 'Faites glisser la photo, ou utilisez les curseurs.',
  cropZoom: 'Zoom',
  cropAcross: 'Gauche et droite',
  cropDown: 'Haut et bas',
  usePicture: 'Utiliser la photo',
  pictureHint: 'Les applications peuvent la montrer à toute personne autorisée à voir votre nom.',
  pictureSaved: 'Votre photo a été enregistrée.',
  pictureRemoved: 'Votre photo a été retirée.',
  save: 'Enregistrer le profil',
  saved: 'Votre profil a été enregistré.',
}

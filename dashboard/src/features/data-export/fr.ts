import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  exportData: 'Exporter',
  exportTitle: 'Exporter vos données',
  exportLead: 'Une copie de tout ce qui est enregistré à votre sujet.',
  file: 'Un fichier JSON',
  contains: 'Votre profil, vos méthodes de connexion et vos sessions. Il ne contient ni mot de passe ni clé.',
  safety: 'Conservez le fichier en lieu sûr\u202f: il contient des données personnelles, comme vos adresses IP.',
  download: 'Télécharger les données',
  downloaded: 'Vos données ont été téléchargées.',
}

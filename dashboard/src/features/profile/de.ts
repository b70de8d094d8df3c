import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  profile: 'Profil',
  profileLead: ['Die persönlichen Daten Ihres Kontos.', 'Die persönlichen Daten deines Kontos.'],
  account: 'Konto',
  accountText: ['Ihr Bild und die ID, mit der der Support Sie findet.', 'Dein Bild und die ID, mit der der Support dich findet.'],
  details: 'Persönliche Angaben',
  detailsText: ['Ihr Name und weitere Angaben für diese Website.', 'Dein Name und weitere Angaben für diese Website.'],
  name: 'Name',
  created: 'Konto erstellt',
  userId: 'Benutzer-ID',
  copyUserId: 'Benutzer-ID kopieren',
  changePicture: 'Bild ändern',
  addPicture: 'Bild hinzufügen',
  removePicture: 'Bild entfernen',
  cropPicture: 'Ausschnitt wählen',
  cropHint: ['Ziehen Sie das Bild, oder benutzen Sie die Regler.', 'Zieh das Bild, oder benutze die Regler.'],
  cropZoom: 'Vergrößerung',
  cropAcross: 'Links und rechts',
  cropDown: 'Oben und unten',
  usePicture: 'Bild verwenden',
  pictureHint: [
    'Anwendungen können es allen zeigen, die Ihren Namen sehen dürfen.',
    'Anwendungen können es allen zeigen, die deinen Namen sehen dürfen.',
  ],
  pictureSaved: ['Ihr Bild wurde gespeichert.', 'Dein Bild wurde gespeichert.'],
  pictureRemoved: ['Ihr Bild wurde entfernt.', 'Dein Bild wurde entfernt.'],
  save: 'Profil speichern',
  saved: ['Ihr Profil wurde gespeichert.', 'Dein Profil wurde gespeichert.'],
}

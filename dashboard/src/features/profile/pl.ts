import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  profile: 'Profil',
  profileLead: 'Dane osobowe Twojego konta.',
  account: 'Konto',
  accountText: 'Twoje zdjęcie i identyfikator, po którym znajdzie Cię pomoc techniczna.',
  details: 'Dane osobowe',
  detailsText: 'Twoje imię i nazwisko oraz inne dane, o które prosi ten serwis.',
  name: 'Imię i nazwisko',
  created: 'Utworzenie konta',
  userId: 'Identyfikator użytkownika',
  copyUserId: 'Kopiuj identyfikator użytkownika',
  changePicture: 'Zmień zdjęcie',
  addPicture: 'Dodaj zdjęcie',
  removePicture: 'Usuń zdjęcie',
  cropPicture: 'Wybierz fragment zdjęcia',
  cropHint: 'Przeciągnij zdjęcie lub użyj suwaków.',
  cropZoom: 'Powiększenie',
  cropAcross: 'W lewo i w prawo',
  cropDown: 'W górę i w dół',
  usePicture: 'Użyj zdjęcia',
  pictureHint: 'Aplikacje mogą je pokazywać każdemu, kto widzi Twoje imię i nazwisko.',
  pictureSaved: 'Zdjęcie zostało zapisane.',
  pictureRemoved: 'Zdjęcie zostało usunięte.',
  save: 'Zapisz profil',
  saved: 'Profil został zapisany.',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  profile: 'Profil',
  profileLead: 'Ihr Name und weitere Angaben für diese Website.',
  name: 'Name',
  created: 'Konto erstellt',
  userId: 'Benutzer-ID',
  copyUserId: 'Benutzer-ID kopieren',
  save: 'Profil speichern',
  saved: 'Ihr Profil wurde gespeichert.',
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './admission-en.ts'

export const messages: Translation<typeof english> = {
  invitationOpened: [
    'Ihre Einladung liegt vor. Erstellen Sie Ihr Konto, um sie anzunehmen.',
    'Deine Einladung liegt vor. Erstelle dein Konto, um sie anzunehmen.',
  ],
  needsInvitation: [
    'Sie brauchen eine Einladung, um ein Konto zu erstellen. Öffnen Sie zuerst Ihren Einladungslink.',
    'Du brauchst eine Einladung, um ein Konto zu erstellen. Öffne zuerst deinen Einladungslink.',
  ],
  needsInvitationOrAddress: [
    'Sie brauchen eine Einladung, um ein Konto zu erstellen. Öffnen Sie zuerst Ihren Einladungslink, oder verwenden Sie die E-Mail-Adresse, die eingeladen wurde.',
    'Du brauchst eine Einladung, um ein Konto zu erstellen. Öffne zuerst deinen Einladungslink, oder verwende die E-Mail-Adresse, die eingeladen wurde.',
  ],
  needsApproval: [
    'Sie können ein Konto erstellen, sobald Sie freigeschaltet sind.',
    'Du kannst ein Konto erstellen, sobald du freigeschaltet bist.',
  ],
  notYet: [
    'Mit dieser E-Mail-Adresse kann noch kein Konto erstellt werden. Tragen Sie sich auf der Warteliste ein, und wir schreiben Ihnen.',
    'Mit dieser E-Mail-Adresse kann noch kein Konto erstellt werden. Trage dich auf der Warteliste ein, und wir schreiben dir.',
  ],
  joinWaitingList: 'Auf die Warteliste',
}

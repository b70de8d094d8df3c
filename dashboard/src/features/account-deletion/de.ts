import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  deleteAccount: 'Konto löschen',
  deleteLead: 'Ein gelöschtes Konto kann nicht wiederhergestellt werden.',
  whatIsDeleted: 'Was gelöscht wird',
  confirmation: 'Bestätigung',
  confirmationText: ['Damit Ihr Konto nicht versehentlich gelöscht wird.', 'Damit dein Konto nicht versehentlich gelöscht wird.'],
  deletedProfile: ['Ihr Profil mit allen Angaben', 'Dein Profil mit allen Angaben'],
  deletedMethods: [
    'Ihre Anmeldemethoden: Sie können sich nicht mehr anmelden',
    'Deine Anmeldemethoden: Du kannst dich nicht mehr anmelden',
  ],
  deletedSessions: [
    'Ihre Sitzungen: alle Geräte und Apps werden abgemeldet',
    'Deine Sitzungen: alle Geräte und Apps werden abgemeldet',
  ],
  deletedOrganizations: [
    'Ihre Organisationen, die keine weiteren Mitglieder haben',
    'Deine Organisationen, die keine weiteren Mitglieder haben',
  ],
  handOverFirst: [
    'Sind Sie der letzte Eigentümer einer Organisation mit weiteren Mitgliedern? Geben Sie zuerst einem anderen Mitglied diese Rolle.',
    'Bist du der letzte Eigentümer einer Organisation mit weiteren Mitgliedern? Gib zuerst einem anderen Mitglied diese Rolle.',
  ],
  organizationsLink: ['Ihre Organisationen', 'Deine Organisationen'],
  exportFirst: ['Möchten Sie eine Kopie behalten?', 'Möchtest du eine Kopie behalten?'],
  exportLink: ['Ihre Daten exportieren', 'Deine Daten exportieren'],
  typeEmail: ({ email }) => [`Geben Sie zur Bestätigung ${email} ein`, `Gib zur Bestätigung ${email} ein`],
  password: ['Ihr Passwort', 'Dein Passwort'],
  sendLink: 'Löschlink senden',
  sendLinkText: ({ email }) => [
    `Wir senden einen Link an ${email}. Öffnen Sie ihn und bestätigen Sie, um Ihr Konto zu löschen.`,
    `Wir senden einen Link an ${email}. Öffne ihn und bestätige, um dein Konto zu löschen.`,
  ],
  linkSent: ['Sehen Sie in Ihrem Postfach nach', 'Sieh in deinem Postfach nach'],
  linkSentText: ({ email }) => [
    `Wir haben einen Link an ${email} gesendet. Ihr Konto wird erst gelöscht, wenn Sie ihn öffnen und bestätigen.`,
    `Wir haben einen Link an ${email} gesendet. Dein Konto wird erst gelöscht, wenn du ihn öffnest und bestätigst.`,
  ],
  confirmDeletion: 'Konto löschen?',
  confirmDeletionLead: 'Dieses Konto und alle seine Daten werden gelöscht. Das kann nicht rückgängig gemacht werden.',
  keepAccount: 'Konto behalten',
  linkFailed: ['Dieser Link kann Ihr Konto nicht löschen', 'Dieser Link kann dein Konto nicht löschen'],
  linkFailedLead: ({ email }) => [
    `Sie sind als ${email} angemeldet. Der Link wurde schon verwendet, ist abgelaufen oder unvollständig, oder er gehört zu einem anderen Konto.`,
    `Du bist als ${email} angemeldet. Der Link wurde schon verwendet, ist abgelaufen oder unvollständig, oder er gehört zu einem anderen Konto.`,
  ],
  requestNewLink: 'Neuen Link anfordern',
  useAnotherAccount: 'Anderes Konto verwenden',
}

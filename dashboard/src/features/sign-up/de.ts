import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  invite: 'Einladungslink',
  inviteTitle: ({ appName }) => [`Sie sind zu ${appName} eingeladen`, `Du bist zu ${appName} eingeladen`],
  inviteLead: ['Erstellen Sie Ihr Konto, um die Einladung anzunehmen.', 'Erstelle dein Konto, um die Einladung anzunehmen.'],
  inviteToOrganization: ({ organization }) => [
    `Sie sind eingeladen, ${organization} beizutreten`,
    `Du bist eingeladen, ${organization} beizutreten`,
  ],
  createAccount: 'Konto erstellen',
  haveAccount: ['Haben Sie bereits ein Konto?', 'Hast du bereits ein Konto?'],
  signIn: 'Anmelden',
  joinLead: ({ organization, email }) => [
    `Sie sind als ${email} angemeldet. Sie werden Mitglied von ${organization}.`,
    `Du bist als ${email} angemeldet. Du wirst Mitglied von ${organization}.`,
  ],
  join: ({ organization }) => `${organization} beitreten`,
  alreadySignedIn: ({ email }) => [
    `Sie sind als ${email} angemeldet. Dieser Link ist für Benutzer ohne Konto.`,
    `Du bist als ${email} angemeldet. Dieser Link ist für Benutzer ohne Konto.`,
  ],
  useAnotherAccount: 'Anderes Konto verwenden',
  unusable: 'Dieser Einladungslink funktioniert nicht mehr',
  unusableLead: [
    'Er ist abgelaufen, aufgebraucht oder widerrufen. Bitten Sie um einen neuen.',
    'Er ist abgelaufen, aufgebraucht oder widerrufen. Bitte um einen neuen.',
  ],
  waitingList: 'Warteliste',
  waitingListLead: ({ appName }) => [
    `Hinterlassen Sie Ihre E-Mail-Adresse. Wir schreiben Ihnen, sobald Sie Ihr Konto bei ${appName} erstellen können.`,
    `Hinterlasse deine E-Mail-Adresse. Wir schreiben dir, sobald du dein Konto bei ${appName} erstellen kannst.`,
  ],
  email: 'E-Mail-Adresse',
  name: 'Name',
  joinWaitingList: 'Auf die Warteliste',
  onTheList: 'Vielen Dank',
  onTheListLead: ({ email }) => [
    `Wir schreiben an ${email}, sobald Sie Ihr Konto erstellen können.`,
    `Wir schreiben an ${email}, sobald du dein Konto erstellen kannst.`,
  ],
  approved: ['Sind Sie schon freigeschaltet?', 'Bist du schon freigeschaltet?'],
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Anmelden',
  signInLead: ({ appName }) => `Weiter zu Ihrem Konto bei ${appName}.`,
  noAccountYet: 'Noch kein Konto?',
  createAccount: 'Konto erstellen',
  accountCreated: 'Ihr Konto ist erstellt. Melden Sie sich an, um fortzufahren.',
  signedInAs: 'Sie sind angemeldet',
  signedInLead: ({ email }) => `Sie sind als ${email} angemeldet.`,
  continueAs: ({ name }) => `Weiter als ${name}`,
  useAnotherAccount: 'Anderes Konto verwenden',
  addAccount: 'Weiteres Konto hinzufügen',
  stayLead: ({ email }) => `Sie bleiben als ${email} angemeldet.`,
  backToAccount: 'Zurück zu Ihrem Konto',
  noMethod: 'Auf dieser Website ist keine Anmeldemethode aktiviert.',
}

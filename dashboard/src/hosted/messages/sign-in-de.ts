import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Anmelden',
  signInLead: ({ appName }) => [`Weiter zu Ihrem Konto bei ${appName}.`, `Weiter zu deinem Konto bei ${appName}.`],
  noAccountYet: 'Noch kein Konto?',
  createAccount: 'Konto erstellen',
  accountCreated: [
    'Ihr Konto ist erstellt. Melden Sie sich an, um fortzufahren.',
    'Dein Konto ist erstellt. Melde dich an, um fortzufahren.',
  ],
  signedInAs: ['Sie sind angemeldet', 'Du bist angemeldet'],
  signedInLead: ({ email }) => [`Sie sind als ${email} angemeldet.`, `Du bist als ${email} angemeldet.`],
  continueAs: ({ name }) => `Weiter als ${name}`,
  continueAsWith: ({ name, how }) => `Weiter als ${name} ${how}`,
  notAnn: ({ name }) => `Nicht ${name}? Anderes Konto verwenden`,
  email: 'E-Mail-Adresse',
  emailOrUsername: 'E-Mail-Adresse oder Benutzername',
  emailOrPhone: 'E-Mail-Adresse oder Telefonnummer',
  emailUsernameOrPhone: 'E-Mail-Adresse, Benutzername oder Telefonnummer',
  phoneNumber: 'Telefonnummer',
  continue: 'Weiter',
  change: 'Ändern',
  anotherWay: 'Ein anderer Weg',
  useAnotherAccount: 'Anderes Konto verwenden',
  addAccount: 'Weiteres Konto hinzufügen',
  stayLead: ({ email }) => [`Sie bleiben als ${email} angemeldet.`, `Du bleibst als ${email} angemeldet.`],
  backToAccount: ['Zurück zu Ihrem Konto', 'Zurück zu deinem Konto'],
  noMethod: 'Auf dieser Website ist keine Anmeldemethode aktiviert.',
}

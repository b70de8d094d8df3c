import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './social-en.ts'

export const messages: Translation<typeof english> = {
  continueWith: ({ provider }) => `Weiter mit ${provider}`,
  withProvider: ({ provider }) => `mit ${provider}`,
  or: 'oder',
  notSignedIn: ['Sie wurden nicht angemeldet', 'Du wurdest nicht angemeldet'],
  notSignedInWith: ({ provider }) => [
    `Sie wurden nicht mit ${provider} angemeldet`,
    `Du wurdest nicht mit ${provider} angemeldet`,
  ],
  accountNotLinked: ({ provider }) => [
    `Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich an wie bisher und verknüpfen Sie ${provider} dann unter „Passwort und Anmeldung“. Ihre E-Mail-Adresse muss bei ${provider} bestätigt sein.`,
    `Mit dieser E-Mail-Adresse gibt es bereits ein Konto. Melde dich an wie bisher und verknüpfe ${provider} dann unter „Passwort und Anmeldung“. Deine E-Mail-Adresse muss bei ${provider} bestätigt sein.`,
  ],
  noAccountYet: [
    'Zu dieser Anmeldung gibt es noch kein Konto. Erstellen Sie zuerst eines.',
    'Zu dieser Anmeldung gibt es noch kein Konto. Erstelle zuerst eines.',
  ],
  createAccount: 'Konto erstellen',
  finishInOtherWindow: [
    'Schließen Sie die Anmeldung im anderen Fenster ab. Danach geht es hier weiter.',
    'Schließe die Anmeldung im anderen Fenster ab. Danach geht es hier weiter.',
  ],
  windowBlocked: [
    'Ihr Browser hat das Fenster blockiert. Lassen Sie Pop-up-Fenster für diese Website zu und versuchen Sie es erneut.',
    'Dein Browser hat das Fenster blockiert. Lass Pop-up-Fenster für diese Website zu und versuche es erneut.',
  ],
  anotherUser: ({ email, own }) => [
    `Sie haben sich als ${email} angemeldet. Um hier fortzufahren, melden Sie sich als ${own} an.`,
    `Du hast dich als ${email} angemeldet. Um hier fortzufahren, melde dich als ${own} an.`,
  ],
}

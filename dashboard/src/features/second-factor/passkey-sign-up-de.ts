import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-up-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Konto mit Passkey erstellen',
  lead: [
    'Sie brauchen kein Passwort: Sie melden sich mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an.',
    'Du brauchst kein Passwort: Du meldest dich mit Fingerabdruck, Gesicht oder der PIN deines Geräts an.',
  ],
  name: 'Name',
  email: 'E-Mail-Adresse',
  continue: 'Weiter',
  usePassword: 'Stattdessen ein Passwort verwenden',
  alreadyHaveAccount: ['Sie haben schon ein Konto?', 'Du hast schon ein Konto?'],
  signIn: 'Anmelden',
  codeTitle: ['Prüfen Sie Ihre E-Mails', 'Prüfe deine E-Mails'],
  codeSent: ({ email }) => [
    `Wir haben eine E-Mail an ${email} gesendet. Geben Sie den Code daraus hier ein.`,
    `Wir haben eine E-Mail an ${email} gesendet. Gib den Code daraus hier ein.`,
  ],
  code: 'Code aus der E-Mail',
  sendAgain: 'Erneut senden',
  sendAgainIn: ({ time }) => `Erneut senden in ${time}`,
  sentAgain: 'Wir haben eine neue E-Mail gesendet. Der Code davor gilt nicht mehr.',
  wrongAddress: 'Falsche Adresse? Ändern',
  createTitle: ['Erstellen Sie Ihren Passkey', 'Erstelle deinen Passkey'],
  createLead: ({ email }) => [
    `${email} ist bestätigt. Der letzte Schritt erstellt Ihr Konto: Ihr Gerät fragt nach Fingerabdruck, Gesicht oder PIN.`,
    `${email} ist bestätigt. Der letzte Schritt erstellt dein Konto: Dein Gerät fragt nach Fingerabdruck, Gesicht oder PIN.`,
  ],
  create: 'Passkey erstellen',
  notHere: [
    'Dieser Browser kann keine Passkeys erstellen. Verwenden Sie einen anderen, oder schalten Sie JavaScript ein.',
    'Dieser Browser kann keine Passkeys erstellen. Verwende einen anderen, oder schalte JavaScript ein.',
  ],
  cancelled: ['Es wurde kein Passkey erstellt. Versuchen Sie es erneut.', 'Es wurde kein Passkey erstellt. Versuche es erneut.'],
  notPossible: [
    'Der Passkey konnte hier nicht erstellt werden. Versuchen Sie es mit einem anderen Browser oder Gerät.',
    'Der Passkey konnte hier nicht erstellt werden. Versuche es mit einem anderen Browser oder Gerät.',
  ],
}

import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  signInByEmail: 'Per E-Mail anmelden',
  withEmail: 'per E-Mail',
  emailCode: 'Code per E-Mail senden',
  emailLink: 'Link per E-Mail senden',
  byEmailTitle: 'Per E-Mail anmelden',
  codeLead: ['Wir senden Ihnen einen Code. Sie brauchen kein Passwort.', 'Wir senden dir einen Code. Du brauchst kein Passwort.'],
  linkLead: ['Wir senden Ihnen einen Link. Sie brauchen kein Passwort.', 'Wir senden dir einen Link. Du brauchst kein Passwort.'],
  codeLeadSignUp: [
    'Wir senden Ihnen einen Code. Wenn Sie noch kein Konto haben, erstellen wir eines.',
    'Wir senden dir einen Code. Wenn du noch kein Konto hast, erstellen wir eines.',
  ],
  linkLeadSignUp: [
    'Wir senden Ihnen einen Link. Wenn Sie noch kein Konto haben, erstellen wir eines.',
    'Wir senden dir einen Link. Wenn du noch kein Konto hast, erstellen wir eines.',
  ],
  email: 'E-Mail',
  sendCode: 'Code senden',
  sendLink: 'Link senden',
  otherMethods: 'Andere Anmeldemethoden',
  checkEmail: ['Sehen Sie in Ihr Postfach', 'Sieh in dein Postfach'],
  codeSent: ({ email }) => [
    `Wir haben einen Code an ${email} gesendet, falls es dafür ein Konto geben kann. Geben Sie ihn hier ein.`,
    `Wir haben einen Code an ${email} gesendet, falls es dafür ein Konto geben kann. Gib ihn hier ein.`,
  ],
  linkSent: ({ email }) => [
    `Wir haben eine E-Mail an ${email} gesendet, falls es dafür ein Konto geben kann. Öffnen Sie den Link in diesem Browser, oder geben Sie hier den Code ein.`,
    `Wir haben eine E-Mail an ${email} gesendet, falls es dafür ein Konto geben kann. Öffne den Link in diesem Browser, oder gib hier den Code ein.`,
  ],
  requestedAt: ({ time }) => `Die E-Mail wurde um ${time} angefordert.`,
  code: 'Bestätigungscode',
  openMailbox: ({ provider }) => `${provider} öffnen`,
  signIn: 'Anmelden',
  sendAgain: 'Erneut senden',
  sendAgainIn: ({ time }) => `Erneut senden in ${time}`,
  sentAgain: 'Wir haben eine neue E-Mail gesendet. Die vorige gilt nicht mehr.',
  wrongAddress: 'Falsche Adresse? Ändern',
  linkTitle: 'Mit diesem Link anmelden',
  askedAt: ({ email, time }) => `Ein Link zur Anmeldung als ${email} wurde ${time} angefordert.`,
  askedAtFrom: ({ email, time, device }) =>
    `Ein Link zur Anmeldung als ${email} wurde ${time} mit ${device.replace(' on ', ' unter ')} angefordert.`,
  createsAccount: 'Mit dieser Adresse gibt es noch kein Konto. Die Anmeldung erstellt eines.',
  notRequested: [
    'Wenn Sie ihn nicht angefordert haben, schließen Sie diese Seite. Geben Sie den Code nie weiter.',
    'Wenn du ihn nicht angefordert hast, schließ diese Seite. Gib den Code nie weiter.',
  ],
  signInHere: 'Auf diesem Gerät anmelden',
  askedElsewhere: 'Ich habe ihn auf einem anderen Gerät angefordert',
  switchesFrom: ({ current, email }) => [
    `Sie sind als ${current} angemeldet. Die Anmeldung wechselt zu ${email}.`,
    `Du bist als ${current} angemeldet. Die Anmeldung wechselt zu ${email}.`,
  ],
  codeTitle: ['Geben Sie diesen Code auf dem anderen Gerät ein', 'Gib diesen Code auf dem anderen Gerät ein'],
  codeText: [
    'Geben Sie ihn in dem Fenster ein, in dem Sie den Link angefordert haben. Tun Sie das nur, wenn Sie das selbst waren.',
    'Gib ihn in dem Fenster ein, in dem du den Link angefordert hast. Tu das nur, wenn du das selbst warst.',
  ],
  openThere: ['Öffnen Sie den Link dort, wo Sie ihn angefordert haben', 'Öffne den Link dort, wo du ihn angefordert hast'],
  openThereText: 'Dieser Link funktioniert nur in dem Browser, in dem er angefordert wurde.',
  proveTitle: ['Ist das Ihr Konto?', 'Ist das dein Konto?'],
  proveLead: ({ email }) => [
    `Jemand hat sich in einem anderen Browser mit ${email} registriert. Wenn Sie das waren, geben Sie das Passwort ein, das Sie gewählt haben.`,
    `Jemand hat sich in einem anderen Browser mit ${email} registriert. Wenn du das warst, gib das Passwort ein, das du gewählt hast.`,
  ],
  password: 'Passwort',
  notMe: 'Ich habe mich nicht registriert oder habe das Passwort vergessen',
  takeOverTitle: ['Machen Sie dieses Konto zu Ihrem', 'Mach dieses Konto zu deinem'],
  takeOverEnds:
    'Alles von vorher endet: alle Sitzungen, das Passwort, verknüpfte soziale Konten, die Telefonnummer und API-Schlüssel. Wer sich registriert hat, verliert den Zugriff.',
  takeOver: 'Anmelden und anderen Zugriff beenden',
  back: 'Zurück',
  linkEnded: 'Dieser Link funktioniert nicht',
  newLink: 'Neuen Link anfordern',
}

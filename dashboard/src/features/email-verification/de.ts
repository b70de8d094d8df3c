import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  checkEmail: 'Prüfen Sie Ihr Postfach',
  verifySent: ({ email }) =>
    `Wir haben eine E-Mail an ${email} gesendet. Öffnen Sie den Link darin, um Ihre E-Mail-Adresse zu bestätigen.`,
  resetSent: ({ email }) =>
    `Falls es ein Konto mit der Adresse ${email} gibt, haben wir dorthin einen Link gesendet, mit dem Sie ein neues Passwort wählen.`,
  replaceSent: ({ email }) =>
    `Ihr Konto braucht ein neues Passwort. Wir haben eine E-Mail an ${email} gesendet. Öffnen Sie den Link darin, um eines zu wählen.`,
  replaceReason:
    'Eine andere Person kennt möglicherweise das jetzige Passwort, denn es wurde festgelegt, bevor Ihre E-Mail-Adresse bestätigt war.',
  changeSent: 'Wir haben Ihnen eine E-Mail gesendet. Öffnen Sie den Link darin, um Ihre E-Mail-Adresse zu ändern.',
  changeAgain: 'Falls sie nicht ankommt, fordern Sie die Änderung in Ihrem Konto noch einmal an.',
  notThere: 'Nach einer Minute noch nichts da? Sehen Sie im Spam-Ordner nach oder lassen Sie die E-Mail erneut senden.',
  sendAgain: 'Erneut senden',
  sendAgainIn: ({ time }) => `Erneut senden in ${time}`,
  sentAgain: 'Wir haben die E-Mail erneut gesendet.',
  useAnotherEmail: 'Andere E-Mail-Adresse verwenden',
  backToSignIn: 'Zurück zur Anmeldung',
  verifyLead: 'Geben Sie Ihre E-Mail-Adresse ein. Falls sie noch nicht bestätigt ist, senden wir einen Link dorthin.',
  resetLead:
    'Geben Sie Ihre E-Mail-Adresse ein. Falls es ein Konto dazu gibt, senden wir dorthin einen Link, mit dem Sie ein neues Passwort wählen.',
  email: 'E-Mail-Adresse',
  sendLink: 'Link senden',
  emailVerification: 'Bestätigung der E-Mail-Adresse',
  verifying: 'Ihre E-Mail-Adresse wird bestätigt …',
  verified: 'Ihre E-Mail-Adresse ist bestätigt',
  verifiedLead: ({ appName }) => `Vielen Dank. Sie können Ihr Konto bei ${appName} jetzt verwenden.`,
  signIn: 'Anmelden',
  notVerified: 'Ihre E-Mail-Adresse ist noch nicht bestätigt',
  verifyAgain: 'Neuen Link anfordern',
}

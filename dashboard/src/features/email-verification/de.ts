import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  checkEmail: ['Prüfen Sie Ihr Postfach', 'Prüfe dein Postfach'],
  verifySent: ({ email }) => [
    `Wir haben eine E-Mail an ${email} gesendet. Öffnen Sie den Link darin, um Ihre E-Mail-Adresse zu bestätigen.`,
    `Wir haben eine E-Mail an ${email} gesendet. Öffne den Link darin, um deine E-Mail-Adresse zu bestätigen.`,
  ],
  resetSent: ({ email }) => [
    `Falls es ein Konto mit der Adresse ${email} gibt, haben wir dorthin einen Link gesendet, mit dem Sie ein neues Passwort wählen.`,
    `Falls es ein Konto mit der Adresse ${email} gibt, haben wir dorthin einen Link gesendet, mit dem du ein neues Passwort wählst.`,
  ],
  replaceSent: ({ email }) => [
    `Ihr Konto braucht ein neues Passwort. Wir haben eine E-Mail an ${email} gesendet. Öffnen Sie den Link darin, um eines zu wählen.`,
    `Dein Konto braucht ein neues Passwort. Wir haben eine E-Mail an ${email} gesendet. Öffne den Link darin, um eines zu wählen.`,
  ],
  replaceReason: [
    'Ein Administrator verlangt ein neues Passwort, bevor Sie sich wieder anmelden.',
    'Ein Administrator verlangt ein neues Passwort, bevor du dich wieder anmeldest.',
  ],
  changeSent: [
    'Wir haben Ihnen eine E-Mail gesendet. Öffnen Sie den Link darin, um Ihre E-Mail-Adresse zu ändern.',
    'Wir haben dir eine E-Mail gesendet. Öffne den Link darin, um deine E-Mail-Adresse zu ändern.',
  ],
  changeAgain: [
    'Falls sie nicht ankommt, fordern Sie die Änderung in Ihrem Konto erneut an.',
    'Falls sie nicht ankommt, fordere die Änderung in deinem Konto erneut an.',
  ],
  notThere: [
    'Nach einer Minute noch nichts da? Sehen Sie im Spam-Ordner nach oder lassen Sie die E-Mail erneut senden.',
    'Nach einer Minute noch nichts da? Sieh im Spam-Ordner nach oder lass die E-Mail erneut senden.',
  ],
  verifyCodeSent: ({ email }) => [
    `Wir haben einen Code an ${email} gesendet. Geben Sie ihn hier ein, um Ihre E-Mail-Adresse zu bestätigen.`,
    `Wir haben einen Code an ${email} gesendet. Gib ihn hier ein, um deine E-Mail-Adresse zu bestätigen.`,
  ],
  verifyLeadCode: [
    'Geben Sie Ihre E-Mail-Adresse ein. Wenn sie noch bestätigt werden muss, senden wir dorthin einen Code.',
    'Gib deine E-Mail-Adresse ein. Wenn sie noch bestätigt werden muss, senden wir dorthin einen Code.',
  ],
  sendCode: 'Code senden',
  code: 'Bestätigungscode',
  openMailbox: ({ provider }) => `${provider} öffnen`,
  sendAgain: 'Erneut senden',
  sendAgainIn: ({ time }) => `Erneut senden in ${time}`,
  sentAgain: 'Wir haben die E-Mail erneut gesendet.',
  useAnotherEmail: 'Andere E-Mail-Adresse verwenden',
  backToSignIn: 'Zurück zur Anmeldung',
  verifyLead: [
    'Geben Sie Ihre E-Mail-Adresse ein. Falls sie noch nicht bestätigt ist, senden wir einen Link dorthin.',
    'Gib deine E-Mail-Adresse ein. Falls sie noch nicht bestätigt ist, senden wir einen Link dorthin.',
  ],
  resetLead: [
    'Geben Sie Ihre E-Mail-Adresse ein. Falls es ein Konto dazu gibt, senden wir dorthin einen Link, mit dem Sie ein neues Passwort wählen.',
    'Gib deine E-Mail-Adresse ein. Falls es ein Konto dazu gibt, senden wir dorthin einen Link, mit dem du ein neues Passwort wählst.',
  ],
  email: 'E-Mail-Adresse',
  sendLink: 'Link senden',
  emailVerification: 'Bestätigung der E-Mail-Adresse',
  verified: ['Ihre E-Mail-Adresse ist bestätigt', 'Deine E-Mail-Adresse ist bestätigt'],
  verifiedLead: ({ appName }) => [
    `Vielen Dank. Sie können Ihr Konto bei ${appName} jetzt verwenden.`,
    `Vielen Dank. Du kannst dein Konto bei ${appName} jetzt verwenden.`,
  ],
  signIn: 'Anmelden',
  confirmTitle: ['Bestätigen Sie Ihre E-Mail-Adresse', 'Bestätige deine E-Mail-Adresse'],
  confirmLead: ({ email }) => [
    `Bestätigen Sie, dass ${email} Ihre E-Mail-Adresse ist.`,
    `Bestätige, dass ${email} deine E-Mail-Adresse ist.`,
  ],
  verify: 'E-Mail-Adresse bestätigen',
  changeTitle: ['Ändern Sie Ihre E-Mail-Adresse', 'Ändere deine E-Mail-Adresse'],
  changeLead: ({ email, newEmail }) => [
    `Die E-Mail-Adresse Ihres Kontos ändert sich von ${email} zu ${newEmail}.`,
    `Die E-Mail-Adresse deines Kontos ändert sich von ${email} zu ${newEmail}.`,
  ],
  confirmChange: 'E-Mail-Adresse ändern',
  signInToChange: ({ email }) => [
    `Melden Sie sich bei dem Konto von ${email} an, um die E-Mail-Adresse zu ändern.`,
    `Melde dich bei dem Konto von ${email} an, um die E-Mail-Adresse zu ändern.`,
  ],
  proveLead: ({ email }) => [
    `Jemand hat sich mit ${email} in einem anderen Browser registriert. Wenn Sie das waren, geben Sie das Passwort ein, das Sie gewählt haben.`,
    `Jemand hat sich mit ${email} in einem anderen Browser registriert. Wenn du das warst, gib das Passwort ein, das du gewählt hast.`,
  ],
  proveLeadByProvider: ({ email }) => [
    `Jemand hat sich mit ${email} in einem anderen Browser registriert. Wenn Sie das waren, melden Sie sich an.`,
    `Jemand hat sich mit ${email} in einem anderen Browser registriert. Wenn du das warst, melde dich an.`,
  ],
  password: 'Passwort',
  signInWith: ({ provider }) => `Mit ${provider} anmelden`,
  notMe: 'Ich habe mich nicht registriert oder habe das Passwort vergessen',
  notMeByProvider: 'Ich habe mich nicht registriert oder kann mich nicht anmelden',
  takeOverTitle: 'Dieses Konto übernehmen',
  takeOverLead: ({ email }) => [`Wählen Sie ein neues Passwort für ${email}.`, `Wähle ein neues Passwort für ${email}.`],
  takeOverWithoutPassword: ({ email }) => [
    `Bestätigen Sie ${email} und melden Sie sich danach neu an.`,
    `Bestätige ${email} und melde dich danach neu an.`,
  ],
  takeOverEnds:
    'Alles von vorher endet: alle Sitzungen, das alte Passwort, verknüpfte soziale Konten, die Telefonnummer und API-Schlüssel. Wer sich registriert hat, verliert den Zugriff.',
  takeOver: 'Bestätigen und anderen Zugriff beenden',
  back: 'Zurück',
  notVerified: ['Ihre E-Mail-Adresse ist noch nicht bestätigt', 'Deine E-Mail-Adresse ist noch nicht bestätigt'],
  verifyAgain: 'Neuen Link anfordern',
}

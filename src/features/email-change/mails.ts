/** Emails about a change of the email address. */
import type { LinkMail } from '../email-verification/index.ts'
import { exampleLinkMail } from '../email-verification/index.ts'
import { defineMails, mailKind } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'

export interface ChangeMail extends LinkMail {
  readonly newEmail: string
}

/** `user`: with the new email address. */
export interface ChangeNotice {
  readonly user: DescribedUser
  readonly formerEmail: string
}

export const mails = defineMails({
  'change-email': mailKind<ChangeMail>({
    hasLink: true,
    option: ({ user }) => user.changeEmail.sendChangeEmailVerification,
    content: {
      en: ({ url, newEmail }, { appName, config, duration }) => ({
        subject: `Confirm your new email address for ${appName}`,
        preheader: `Your account will use ${newEmail}.`,
        heading: 'Change your email address',
        paragraphs: [`We received a request to change the email address of your ${appName} account.`],
        facts: [['New email address', newEmail]],
        action: { label: 'Change email address', url },
        footnote: `This link expires in ${duration(config.emailVerification.expiresIn)}. Open it in a browser in which you are signed in. If you didn't request this, change your password: someone else may have access to your account.`,
      }),
      de: ({ url, newEmail }, { appName, config, duration }) => ({
        subject: `Bestätigen Sie Ihre neue E-Mail-Adresse für ${appName}`,
        preheader: `Für Ihr Konto gilt dann ${newEmail}.`,
        heading: 'E-Mail-Adresse ändern',
        paragraphs: [`Für Ihr Konto bei ${appName} wurde eine neue E-Mail-Adresse angefordert.`],
        facts: [['Neue E-Mail-Adresse', newEmail]],
        action: { label: 'E-Mail-Adresse ändern', url },
        footnote: `Der Link ist ${duration(config.emailVerification.expiresIn)} lang gültig. Öffnen Sie ihn in einem Browser, in dem Sie angemeldet sind. Wenn Sie das nicht angefordert haben, ändern Sie Ihr Passwort: Jemand anderes könnte Zugriff auf Ihr Konto haben.`,
      }),
    },
    example: (app) => ({ ...exampleLinkMail(app), newEmail: 'ida.wolfsgruber@example.org' }),
  }),
  'email-in-use': mailKind<object>({
    toStrangers: true,
    content: {
      en: (_, { appName }) => ({
        subject: `Your email address is in use at ${appName}`,
        preheader: 'Another account wanted to change to your email address. Nothing has changed.',
        heading: 'Your email address is in use',
        paragraphs: [
          `Another ${appName} account requested to change its email address to this one. It belongs to your account, so nothing was changed.`,
          'If the other account is yours too, sign in to it and choose a different email address.',
        ],
        footnote: "If you didn't request this, you can ignore this email. Nothing has changed.",
      }),
      de: (_, { appName }) => ({
        subject: `Ihre E-Mail-Adresse wird bei ${appName} bereits verwendet`,
        preheader: 'Ein anderes Konto wollte zu Ihrer E-Mail-Adresse wechseln. Es wurde nichts geändert.',
        heading: 'Ihre E-Mail-Adresse wird bereits verwendet',
        paragraphs: [
          `Für ein anderes Konto bei ${appName} wurde diese E-Mail-Adresse angefordert. Sie gehört zu Ihrem Konto, deshalb wurde nichts geändert.`,
          'Wenn auch das andere Konto Ihnen gehört, melden Sie sich dort an und wählen Sie eine andere E-Mail-Adresse.',
        ],
        footnote: 'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Es wurde nichts geändert.',
      }),
    },
    example: () => ({}),
  }),
  'email-changed': mailKind<ChangeNotice>({
    toStrangers: false,
    option: ({ user }) => user.changeEmail.sendEmailChanged,
    // Without the new address: the former one may belong to another person than the user.
    content: {
      en: (_, { appName }) => ({
        subject: `The email address of your ${appName} account was changed`,
        preheader: "This address is no longer used. If this wasn't you, contact us.",
        heading: 'Your email address was changed',
        paragraphs: [`The email address of your ${appName} account is no longer this one.`],
        footnote:
          "If this was you, you don't need to do anything. If it wasn't, contact us: someone else may have access to your account.",
      }),
      de: (_, { appName }) => ({
        subject: `Die E-Mail-Adresse Ihres Kontos bei ${appName} wurde geändert`,
        preheader: 'Diese Adresse wird nicht mehr verwendet. Wenn Sie das nicht waren, wenden Sie sich an uns.',
        heading: 'Ihre E-Mail-Adresse wurde geändert',
        paragraphs: [`Ihr Konto bei ${appName} verwendet diese E-Mail-Adresse nicht mehr.`],
        footnote:
          'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wenden Sie sich an uns: Jemand anderes könnte Zugriff auf Ihr Konto haben.',
      }),
    },
    example: (app) => ({ user: exampleUser(app), formerEmail: 'ida@example.net' }),
  }),
})

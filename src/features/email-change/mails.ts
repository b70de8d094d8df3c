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
      de: ({ url, newEmail }, { appName, config, duration, say }) => ({
        subject: say(
          `Bestätigen Sie Ihre neue E-Mail-Adresse für ${appName}`,
          `Bestätige deine neue E-Mail-Adresse für ${appName}`,
        ),
        preheader: say(`Für Ihr Konto gilt dann ${newEmail}.`, `Für dein Konto gilt dann ${newEmail}.`),
        heading: 'E-Mail-Adresse ändern',
        paragraphs: [
          say(
            `Für Ihr Konto bei ${appName} wurde eine neue E-Mail-Adresse angefordert.`,
            `Für dein Konto bei ${appName} wurde eine neue E-Mail-Adresse angefordert.`,
          ),
        ],
        facts: [['Neue E-Mail-Adresse', newEmail]],
        action: { label: 'E-Mail-Adresse ändern', url },
        footnote: say(
          `Der Link ist ${duration(config.emailVerification.expiresIn)} lang gültig. Öffnen Sie ihn in einem Browser, in dem Sie angemeldet sind. Wenn Sie das nicht angefordert haben, ändern Sie Ihr Passwort: Jemand anderes könnte Zugriff auf Ihr Konto haben.`,
          `Der Link ist ${duration(config.emailVerification.expiresIn)} lang gültig. Öffne ihn in einem Browser, in dem du angemeldet bist. Wenn du das nicht angefordert hast, ändere dein Passwort: Jemand anderes könnte Zugriff auf dein Konto haben.`,
        ),
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
      de: (_, { appName, say }) => ({
        subject: say(
          `Ihre E-Mail-Adresse wird bei ${appName} bereits verwendet`,
          `Deine E-Mail-Adresse wird bei ${appName} bereits verwendet`,
        ),
        preheader: say(
          'Ein anderes Konto wollte zu Ihrer E-Mail-Adresse wechseln. Es wurde nichts geändert.',
          'Ein anderes Konto wollte zu deiner E-Mail-Adresse wechseln. Es wurde nichts geändert.',
        ),
        heading: say('Ihre E-Mail-Adresse wird bereits verwendet', 'Deine E-Mail-Adresse wird bereits verwendet'),
        paragraphs: [
          say(
            `Für ein anderes Konto bei ${appName} wurde diese E-Mail-Adresse angefordert. Sie gehört zu Ihrem Konto, deshalb wurde nichts geändert.`,
            `Für ein anderes Konto bei ${appName} wurde diese E-Mail-Adresse angefordert. Sie gehört zu deinem Konto, deshalb wurde nichts geändert.`,
          ),
          say(
            'Wenn auch das andere Konto Ihnen gehört, melden Sie sich dort an und wählen Sie eine andere E-Mail-Adresse.',
            'Wenn auch das andere Konto dir gehört, melde dich dort an und wähle eine andere E-Mail-Adresse.',
          ),
        ],
        footnote: say(
          'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Es wurde nichts geändert.',
          'Wenn du das nicht warst, kannst du diese E-Mail ignorieren. Es wurde nichts geändert.',
        ),
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
      de: (_, { appName, say }) => ({
        subject: say(
          `Die E-Mail-Adresse Ihres Kontos bei ${appName} wurde geändert`,
          `Die E-Mail-Adresse deines Kontos bei ${appName} wurde geändert`,
        ),
        preheader: say(
          'Diese Adresse wird nicht mehr verwendet. Wenn Sie das nicht waren, wenden Sie sich an uns.',
          'Diese Adresse wird nicht mehr verwendet. Wenn du das nicht warst, wende dich an uns.',
        ),
        heading: say('Ihre E-Mail-Adresse wurde geändert', 'Deine E-Mail-Adresse wurde geändert'),
        paragraphs: [
          say(
            `Ihr Konto bei ${appName} verwendet diese E-Mail-Adresse nicht mehr.`,
            `Dein Konto bei ${appName} verwendet diese E-Mail-Adresse nicht mehr.`,
          ),
        ],
        footnote: say(
          'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wenden Sie sich an uns: Jemand anderes könnte Zugriff auf Ihr Konto haben.',
          'Wenn du das warst, musst du nichts tun. Wenn nicht, wende dich an uns: Jemand anderes könnte Zugriff auf dein Konto haben.',
        ),
      }),
    },
    example: (app) => ({ user: exampleUser(app), formerEmail: 'ida@example.net' }),
  }),
})

/** The notices as emails. */
import type { MailContent, TextContext } from '../../core/message.ts'
import { defineMails, mailKind } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import { impersonated } from './impersonation-mail.ts'
import { newSignIn, sessionLimit, warSie, warstDu, wasYou } from './sign-in-mails.ts'

export interface AccountNotice {
  readonly user: DescribedUser
}

export interface MethodNotice extends AccountNotice {
  /** ID of the provider; `credential` for the password. */
  readonly providerId: string
  /** `email-verified`: it was set before the owner of the email address verified it; `unlinked`: by the user or an administrator. */
  readonly reason: 'email-verified' | 'unlinked'
}

export interface BanNotice extends AccountNotice {
  /** ISO 8601; null: until it is lifted. */
  readonly expiresAt: string | null
}

const methodRemoved = mailKind<MethodNotice>({
  option: ({ notices }) => notices.sendSignInMethodRemoved,
  content: {
    en: ({ providerId, reason }, context) =>
      reason === 'email-verified'
        ? passwordRemoved.en(context)
        : {
            subject: `A sign-in method of your ${context.appName} account was removed`,
            preheader: "If this wasn't you, change your password now.",
            heading: 'A sign-in method was removed',
            paragraphs: [`Your ${context.appName} account can no longer be used with this sign-in method.`],
            facts: [['Sign-in method', providerId === 'credential' ? 'Password' : providerId]],
            footnote: `${wasYou} If it wasn't, change your password now: someone else may have access to your account.`,
          },
    de: ({ providerId, reason }, context) =>
      reason === 'email-verified'
        ? passwordRemoved.de(context)
        : {
            subject: context.say(
              `Eine Anmeldemethode Ihres Kontos bei ${context.appName} wurde entfernt`,
              `Eine Anmeldemethode deines Kontos bei ${context.appName} wurde entfernt`,
            ),
            preheader: context.say(
              'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort.',
              'Wenn du das nicht warst, ändere jetzt dein Passwort.',
            ),
            heading: 'Eine Anmeldemethode wurde entfernt',
            paragraphs: [
              context.say(
                `Mit dieser Anmeldemethode kann man sich nicht mehr bei Ihrem Konto anmelden.`,
                `Mit dieser Anmeldemethode kann man sich nicht mehr bei deinem Konto anmelden.`,
              ),
            ],
            facts: [['Anmeldemethode', providerId === 'credential' ? 'Passwort' : providerId]],
            footnote: context.say(
              `${warSie} Wenn nicht, ändern Sie jetzt Ihr Passwort: Jemand anderes könnte Zugriff auf Ihr Konto haben.`,
              `${warstDu} Wenn nicht, ändere jetzt dein Passwort: Jemand anderes könnte Zugriff auf dein Konto haben.`,
            ),
          },
  },
  example: (app) => ({ user: exampleUser(app), providerId: 'github', reason: 'unlinked' }),
})

const passwordRemoved = {
  en: ({ appName }: TextContext): MailContent => ({
    subject: `The password of your ${appName} account was removed`,
    preheader: 'Another person may have set it before your email address was verified.',
    heading: 'Your password was removed',
    paragraphs: [
      `Your ${appName} account had a password from before your email address was verified. Another person may have set it, so it no longer works.`,
    ],
    footnote: 'To sign in with a password again, request a password reset and choose a new one.',
  }),
  de: ({ appName, say }: TextContext): MailContent => ({
    subject: say(
      `Das Passwort Ihres Kontos bei ${appName} wurde entfernt`,
      `Das Passwort deines Kontos bei ${appName} wurde entfernt`,
    ),
    preheader: say(
      'Eine andere Person könnte es festgelegt haben, bevor Ihre E-Mail-Adresse bestätigt war.',
      'Eine andere Person könnte es festgelegt haben, bevor deine E-Mail-Adresse bestätigt war.',
    ),
    heading: say('Ihr Passwort wurde entfernt', 'Dein Passwort wurde entfernt'),
    paragraphs: [
      say(
        `Ihr Konto bei ${appName} hatte ein Passwort aus der Zeit, bevor Ihre E-Mail-Adresse bestätigt war. Eine andere Person könnte es festgelegt haben, deshalb funktioniert es nicht mehr.`,
        `Dein Konto bei ${appName} hatte ein Passwort aus der Zeit, bevor deine E-Mail-Adresse bestätigt war. Eine andere Person könnte es festgelegt haben, deshalb funktioniert es nicht mehr.`,
      ),
    ],
    footnote: say(
      'Um sich wieder mit einem Passwort anzumelden, setzen Sie es zurück und wählen Sie ein neues.',
      'Um sich wieder mit einem Passwort anzumelden, setze es zurück und wähle ein neues.',
    ),
  }),
}

const banned = mailKind<BanNotice>({
  option: ({ notices }) => notices.sendAccountBanned,
  content: {
    en: ({ expiresAt }, { appName, time }) => ({
      subject: `Your ${appName} account was banned`,
      preheader: expiresAt === null ? 'You cannot sign in any more.' : `You can sign in again after ${time(expiresAt)}.`,
      heading: 'Your account was banned',
      paragraphs: [
        `An administrator banned your ${appName} account, and its sessions were ended.`,
        expiresAt === null ? 'The ban has no end date.' : `The ban ends on ${time(expiresAt)}.`,
      ],
      footnote: 'If you believe this is an error, contact support.',
    }),
    de: ({ expiresAt }, { appName, time, say }) => ({
      subject: say(`Ihr Konto bei ${appName} wurde gesperrt`, `Dein Konto bei ${appName} wurde gesperrt`),
      preheader:
        expiresAt === null
          ? say('Sie können sich nicht mehr anmelden.', 'Du kannst dich nicht mehr anmelden.')
          : `Die Sperre endet am ${time(expiresAt)}.`,
      heading: say('Ihr Konto wurde gesperrt', 'Dein Konto wurde gesperrt'),
      paragraphs: [
        say(
          `Ein Administrator hat Ihr Konto bei ${appName} gesperrt. Alle Sitzungen wurden beendet.`,
          `Ein Administrator hat dein Konto bei ${appName} gesperrt. Alle Sitzungen wurden beendet.`,
        ),
        expiresAt === null ? 'Die Sperre ist unbefristet.' : `Die Sperre endet am ${time(expiresAt)}.`,
      ],
      footnote: say(
        'Wenn Sie das für einen Fehler halten, wenden Sie sich an den Support.',
        'Wenn du das für einen Fehler hältst, wende dich an den Support.',
      ),
    }),
  },
  example: (app) => ({ user: exampleUser(app), expiresAt: new Date(app.now().getTime() + 7 * 86_400_000).toISOString() }),
})

const deleted = mailKind<AccountNotice>({
  option: ({ notices }) => notices.sendAccountDeleted,
  content: {
    en: (_, { appName }) => ({
      subject: `Your ${appName} account was deleted`,
      preheader: 'Your account and its data no longer exist.',
      heading: 'Your account was deleted',
      paragraphs: [`Your ${appName} account and its data were deleted.`],
      footnote: "If you didn't expect this, contact support.",
    }),
    de: (_, { appName, say }) => ({
      subject: say(`Ihr Konto bei ${appName} wurde gelöscht`, `Dein Konto bei ${appName} wurde gelöscht`),
      preheader: say('Ihr Konto und seine Daten gibt es nicht mehr.', 'Dein Konto und seine Daten gibt es nicht mehr.'),
      heading: say('Ihr Konto wurde gelöscht', 'Dein Konto wurde gelöscht'),
      paragraphs: [
        say(
          `Ihr Konto bei ${appName} und seine Daten wurden gelöscht.`,
          `Dein Konto bei ${appName} und seine Daten wurden gelöscht.`,
        ),
      ],
      footnote: say(
        'Wenn Sie das nicht erwartet haben, wenden Sie sich an den Support.',
        'Wenn du das nicht erwartet hast, wende dich an den Support.',
      ),
    }),
  },
  example: (app) => ({ user: exampleUser(app) }),
})

export const mails = defineMails({
  'new-sign-in': newSignIn,
  'session-limit': sessionLimit,
  'sign-in-method-removed': methodRemoved,
  'account-banned': banned,
  'account-deleted': deleted,
  'account-impersonated': impersonated,
})

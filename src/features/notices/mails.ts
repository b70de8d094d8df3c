/** The notices as emails. */
import type { MailContent, TextContext } from '../../core/message.ts'
import { nameInMail } from '../../lib/mail-name.ts'
import { counted } from '../../lib/text.ts'
import { hostedURL } from '../dashboard/index.ts'
import { defineMails, mailKind } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import { impersonated } from './impersonation-mail.ts'

export interface AccountNotice {
  readonly user: DescribedUser
}

export interface SignInNotice extends AccountNotice {
  /** ISO 8601. */
  readonly time: string
  /** Such as `Chrome 142 on Windows`; null when the client does not say. */
  readonly device: string | null
  readonly ipAddress: string | null
  /** Whether it ended the session that the same browser or program had before. */
  readonly hasReplaced: boolean
}

export interface SessionLimitNotice extends SignInNotice {
  /** How many sessions the sign-in has ended. */
  readonly sessionsEnded: number
  /** `session.maxPerUser` */
  readonly maxSessions: number
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

const wasYou = "If this was you, you don't need to do anything."
const warSie = 'Wenn Sie das waren, müssen Sie nichts tun.'

const newSignIn = mailKind<SignInNotice>({
  option: ({ notices }) => notices.sendNewSignIn,
  content: {
    en: (notice, context) => ({
      subject: `New sign-in to your ${context.appName} account`,
      preheader: ['From a new device or network', notice.device].filter(Boolean).map(oneLine).join(': '),
      heading: 'New sign-in to your account',
      paragraphs: [
        `Your ${context.appName} account was signed in to from a new device or network.`,
        ...(notice.hasReplaced ? ['It ended the session that the same browser or program had before.'] : []),
      ],
      facts: signInFacts(notice, context, { time: 'Time', device: 'Device', ipAddress: 'IP address' }),
      ...actionOf(context, 'Review your sessions'),
      footnote: `${wasYou} If it wasn't, change your password and revoke the session: someone else has access to your account.`,
    }),
    de: (notice, context) => ({
      subject: `Neue Anmeldung bei ${context.appName}`,
      preheader: ['Von einem neuen Gerät oder Netz', germanDevice(notice.device)].filter(Boolean).map(oneLine).join(': '),
      heading: 'Neue Anmeldung bei Ihrem Konto',
      paragraphs: [
        `Mit Ihrem Konto bei ${context.appName} hat sich jemand von einem neuen Gerät oder aus einem neuen Netz angemeldet.`,
        ...(notice.hasReplaced ? ['Die bisherige Sitzung desselben Browsers oder Programms wurde dadurch beendet.'] : []),
      ],
      facts: signInFacts({ ...notice, device: germanDevice(notice.device) }, context, germanFacts),
      ...actionOf(context, 'Sitzungen prüfen'),
      footnote: `${warSie} Wenn nicht, ändern Sie Ihr Passwort und beenden Sie die Sitzung: Jemand anderes hat Zugriff auf Ihr Konto.`,
    }),
  },
  example: (app) => exampleSignIn(app),
})

const sessionLimit = mailKind<SessionLimitNotice>({
  option: ({ notices }) => notices.sendSessionLimit,
  content: {
    en: ({ sessionsEnded, maxSessions, ...signIn }, context) => {
      const oldest = sessionsEnded === 1 ? 'your oldest session' : `your ${sessionsEnded} oldest sessions`
      return {
        subject: `A sign-in to your ${context.appName} account ended ${oldest}`,
        preheader: `Your account can have ${counted(maxSessions, 'session')}.`,
        heading: `A sign-in ended ${oldest}`,
        paragraphs: [
          `Your ${context.appName} account has the maximum of ${maxSessions} sessions. A new sign-in ended ${oldest}, so a browser or program may have to sign in again.`,
        ],
        facts: signInFacts(signIn, context, { time: 'Time', device: 'Device', ipAddress: 'IP address' }),
        ...actionOf(context, 'Review your sessions'),
        footnote: `If a program of yours signs in each time it runs, let it keep its session or use an API key. If you don't know this sign-in, change your password: someone else has access to your account.`,
      }
    },
    de: ({ sessionsEnded, maxSessions, ...signIn }, context) => {
      const oldest = sessionsEnded === 1 ? 'Ihre älteste Sitzung' : `Ihre ${sessionsEnded} ältesten Sitzungen`
      return {
        subject: `Eine Anmeldung bei ${context.appName} hat ${oldest} beendet`,
        preheader: `Mehr als ${maxSessions} Sitzungen zugleich kann Ihr Konto nicht haben.`,
        heading: `Eine Anmeldung hat ${oldest} beendet`,
        paragraphs: [
          `Ihr Konto bei ${context.appName} hat die höchste Zahl von ${maxSessions} Sitzungen erreicht. Eine neue Anmeldung hat ${oldest} beendet. Ein Browser oder Programm muss sich deshalb vielleicht erneut anmelden.`,
        ],
        facts: signInFacts({ ...signIn, device: germanDevice(signIn.device) }, context, germanFacts),
        ...actionOf(context, 'Sitzungen prüfen'),
        footnote:
          'Wenn sich ein Programm bei jedem Start anmeldet, lassen Sie es seine Sitzung behalten oder einen API-Schlüssel verwenden. Wenn Sie diese Anmeldung nicht kennen, ändern Sie Ihr Passwort: Jemand anderes hat Zugriff auf Ihr Konto.',
      }
    },
  },
  example: (app) => ({ ...exampleSignIn(app), sessionsEnded: 1, maxSessions: 50 }),
})

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
            subject: `Eine Anmeldemethode Ihres Kontos bei ${context.appName} wurde entfernt`,
            preheader: 'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort.',
            heading: 'Eine Anmeldemethode wurde entfernt',
            paragraphs: [`Mit dieser Anmeldemethode kann man sich nicht mehr bei Ihrem Konto anmelden.`],
            facts: [['Anmeldemethode', providerId === 'credential' ? 'Passwort' : providerId]],
            footnote: `${warSie} Wenn nicht, ändern Sie jetzt Ihr Passwort: Jemand anderes könnte Zugriff auf Ihr Konto haben.`,
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
  de: ({ appName }: TextContext): MailContent => ({
    subject: `Das Passwort Ihres Kontos bei ${appName} wurde entfernt`,
    preheader: 'Eine andere Person könnte es festgelegt haben, bevor Ihre E-Mail-Adresse bestätigt war.',
    heading: 'Ihr Passwort wurde entfernt',
    paragraphs: [
      `Ihr Konto bei ${appName} hatte ein Passwort aus der Zeit, bevor Ihre E-Mail-Adresse bestätigt war. Eine andere Person könnte es festgelegt haben, deshalb funktioniert es nicht mehr.`,
    ],
    footnote: 'Um sich wieder mit einem Passwort anzumelden, setzen Sie es zurück und wählen Sie ein neues.',
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
    de: ({ expiresAt }, { appName, time }) => ({
      subject: `Ihr Konto bei ${appName} wurde gesperrt`,
      preheader: expiresAt === null ? 'Sie können sich nicht mehr anmelden.' : `Die Sperre endet am ${time(expiresAt)}.`,
      heading: 'Ihr Konto wurde gesperrt',
      paragraphs: [
        `Ein Administrator hat Ihr Konto bei ${appName} gesperrt. Alle Sitzungen wurden beendet.`,
        expiresAt === null ? 'Die Sperre ist unbefristet.' : `Die Sperre endet am ${time(expiresAt)}.`,
      ],
      footnote: 'Wenn Sie das für einen Fehler halten, wenden Sie sich an den Support.',
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
    de: (_, { appName }) => ({
      subject: `Ihr Konto bei ${appName} wurde gelöscht`,
      preheader: 'Ihr Konto und seine Daten gibt es nicht mehr.',
      heading: 'Ihr Konto wurde gelöscht',
      paragraphs: [`Ihr Konto bei ${appName} und seine Daten wurden gelöscht.`],
      footnote: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an den Support.',
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

const exampleSignIn = (app: Parameters<typeof exampleUser>[0]): SignInNotice => ({
  user: exampleUser(app),
  ...{ time: app.now().toISOString(), device: 'Chrome 142 on Windows', ipAddress: '203.0.113.24', hasReplaced: false },
})

type SignInFact = 'time' | 'device' | 'ipAddress'
const germanFacts: Readonly<Record<SignInFact, string>> = { time: 'Zeit', device: 'Gerät', ipAddress: 'IP-Adresse' }

/** `Chrome 142 on Windows` */
const germanDevice = (device: string | null): string | null => device?.replace(' on ', ' unter ') ?? null
const oneLine = (text: string | null): string => nameInMail(text ?? '')

const signInFacts = (
  { time, device, ipAddress }: Pick<SignInNotice, SignInFact>,
  context: TextContext,
  names: Readonly<Record<SignInFact, string>>,
): NonNullable<MailContent['facts']> => [
  [names.time, context.time(time)],
  ...(device === null ? [] : [[names.device, nameInMail(device)] as const]),
  ...(ipAddress === null ? [] : [[names.ipAddress, ipAddress] as const]),
]

function actionOf({ config }: TextContext, label: string): Pick<MailContent, 'action'> {
  const url = hostedURL(config, '/account/sessions')
  return url === null ? {} : { action: { label, url } }
}

/** The notices of sign-ins as emails. */
import type { MailContent, TextContext } from '../../core/message.ts'
import { nameInMail } from '../../lib/mail-name.ts'
import { counted } from '../../lib/text.ts'
import { hostedURL } from '../dashboard/index.ts'
import { mailKind } from '../outbox/index.ts'
import { exampleUser } from '../users/index.ts'
import type { AccountNotice } from './mails.ts'

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

export const wasYou = "If this was you, you don't need to do anything."
export const warSie = 'Wenn Sie das waren, müssen Sie nichts tun.'
export const warstDu = 'Wenn du das warst, musst du nichts tun.'

export const newSignIn = mailKind<SignInNotice>({
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
      heading: context.say('Neue Anmeldung bei Ihrem Konto', 'Neue Anmeldung bei deinem Konto'),
      paragraphs: [
        context.say(
          `Mit Ihrem Konto bei ${context.appName} hat sich jemand von einem neuen Gerät oder aus einem neuen Netz angemeldet.`,
          `Mit deinem Konto bei ${context.appName} hat sich jemand von einem neuen Gerät oder aus einem neuen Netz angemeldet.`,
        ),
        ...(notice.hasReplaced ? ['Die bisherige Sitzung desselben Browsers oder Programms wurde dadurch beendet.'] : []),
      ],
      facts: signInFacts({ ...notice, device: germanDevice(notice.device) }, context, germanFacts),
      ...actionOf(context, 'Sitzungen prüfen'),
      footnote: context.say(
        `${warSie} Wenn nicht, ändern Sie Ihr Passwort und beenden Sie die Sitzung: Jemand anderes hat Zugriff auf Ihr Konto.`,
        `${warstDu} Wenn nicht, ändere dein Passwort und beende die Sitzung: Jemand anderes hat Zugriff auf dein Konto.`,
      ),
    }),
  },
  example: (app) => exampleSignIn(app),
})

export const sessionLimit = mailKind<SessionLimitNotice>({
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
      const oldest =
        sessionsEnded === 1
          ? context.say('Ihre älteste Sitzung', 'deine älteste Sitzung')
          : context.say(`Ihre ${sessionsEnded} ältesten Sitzungen`, `deine ${sessionsEnded} ältesten Sitzungen`)
      return {
        subject: `Eine Anmeldung bei ${context.appName} hat ${oldest} beendet`,
        preheader: context.say(
          `Mehr als ${maxSessions} Sitzungen zugleich kann Ihr Konto nicht haben.`,
          `Mehr als ${maxSessions} Sitzungen zugleich kann dein Konto nicht haben.`,
        ),
        heading: `Eine Anmeldung hat ${oldest} beendet`,
        paragraphs: [
          context.say(
            `Ihr Konto bei ${context.appName} hat die höchste Zahl von ${maxSessions} Sitzungen erreicht. Eine neue Anmeldung hat ${oldest} beendet. Ein Browser oder Programm muss sich deshalb vielleicht erneut anmelden.`,
            `Dein Konto bei ${context.appName} hat die höchste Zahl von ${maxSessions} Sitzungen erreicht. Eine neue Anmeldung hat ${oldest} beendet. Ein Browser oder Programm muss sich deshalb vielleicht erneut anmelden.`,
          ),
        ],
        facts: signInFacts({ ...signIn, device: germanDevice(signIn.device) }, context, germanFacts),
        ...actionOf(context, 'Sitzungen prüfen'),
        footnote: context.say(
          'Wenn sich ein Programm bei jedem Start anmeldet, lassen Sie es seine Sitzung behalten oder einen API-Schlüssel verwenden. Wenn Sie diese Anmeldung nicht kennen, ändern Sie Ihr Passwort: Jemand anderes hat Zugriff auf Ihr Konto.',
          'Wenn sich ein Programm bei jedem Start anmeldet, lass es seine Sitzung behalten oder einen API-Schlüssel verwenden. Wenn du diese Anmeldung nicht kennst, ändere dein Passwort: Jemand anderes hat Zugriff auf dein Konto.',
        ),
      }
    },
  },
  example: (app) => ({ ...exampleSignIn(app), sessionsEnded: 1, maxSessions: 50 }),
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

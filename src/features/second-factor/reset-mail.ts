/** The emails about a reset of second factors: requested, soon, done, and the code that requests one. */
import type { MailContent, TextContext } from '../../core/message.ts'
import { hostedURL } from '../dashboard/index.ts'
import { defineMails, mailKind } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import { type CodeMail, codeLifetime } from './code-messages.ts'
import type { Pair } from './factor-notice.ts'

export type Requester = 'administrator' | 'operator' | 'user'

/** What happens to the second factors of a user. */
export interface ResetNotice {
  readonly user: DescribedUser
  /** `requested`: it waits; `soon`: half of the time is over; `done`: it has taken effect. */
  readonly stage: 'requested' | 'soon' | 'done'
  readonly requestedBy: Requester
  /** `totp`, `otp`, `passkeys` and `backup-codes`. */
  readonly factors: readonly string[]
  /** ISO 8601. */
  readonly effectiveAt: string
  /** The page that cancels the reset; null when it is done, or the hosted pages are disabled. */
  readonly url: string | null
  /** For `POST /two-factor/cancel-reset`; null when it is done. */
  readonly token: string | null
}

const names: Readonly<Record<string, readonly [en: string, de: string]>> = {
  totp: ['authenticator app', 'Authenticator-App'],
  otp: ['codes that are sent', 'zugesandte Codes'],
  passkeys: ['passkeys', 'Passkeys'],
  'backup-codes': ['backup codes', 'Ersatzcodes'],
}

/** The first letter is a capital: it stands alone. */
function namesOf({ factors }: ResetNotice, language: 0 | 1): string {
  const list = factors.map((factor) => names[factor]?.[language] ?? factor).join(', ')
  return list.slice(0, 1).toUpperCase() + list.slice(1)
}

const page = ({ config }: TextContext, { url, stage }: ResetNotice, labels: readonly [cancel: string, review: string]) => {
  const target = stage === 'done' ? hostedURL(config, '/account/security') : url
  return target === null ? {} : { action: { label: stage === 'done' ? labels[1] : labels[0], url: target } }
}

function inEnglish(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const who = isOwn ? 'You asked for this at sign-in' : 'An administrator requested this'
  const subjects = {
    requested: `The second factors of your ${app} account will be reset`,
    soon: `Reminder: the second factors of your ${app} account will be reset`,
    done: `The second factors of your ${app} account were reset`,
  }
  const removed = isOwn ? 'As requested at sign-in, second factors were' : 'An administrator had second factors'
  const paragraphs =
    stage === 'done'
      ? [`${removed} removed from your account, and you were signed out everywhere. Sign in again, and set up what you need.`]
      : [
          `${who}. On ${time(effectiveAt)}, second factors are removed from your account, and you are signed out everywhere.`,
          'A sign-in with a second factor cancels the reset.',
        ]
  const contact = isOwn ? 'change your password: another person knows it' : 'contact the operator of this service'
  return {
    subject: subjects[stage],
    preheader: paragraphs[0] ?? '',
    heading: stage === 'done' ? 'Your second factors were reset' : 'Your second factors will be reset',
    paragraphs,
    facts: [
      ['Second factors', namesOf(notice, 0)],
      ['Time', time(effectiveAt)],
    ],
    ...page(context, notice, ['Cancel the reset', 'Review your security']),
    footnote:
      stage === 'done'
        ? "If you didn't ask for this, contact the operator of this service, and change your password."
        : `If you didn't ask for this, cancel the reset, and ${contact}.`,
  }
}

function inGerman(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time, say } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const isDone = stage === 'done'
  const subjects: Readonly<Record<ResetNotice['stage'], Pair>> = {
    requested: [
      `Die zweiten Faktoren Ihres Kontos bei ${app} werden zurückgesetzt`,
      `Die zweiten Faktoren deines Kontos bei ${app} werden zurückgesetzt`,
    ],
    soon: [
      `Erinnerung: Die zweiten Faktoren Ihres Kontos bei ${app} werden zurückgesetzt`,
      `Erinnerung: Die zweiten Faktoren deines Kontos bei ${app} werden zurückgesetzt`,
    ],
    done: [
      `Die zweiten Faktoren Ihres Kontos bei ${app} wurden zurückgesetzt`,
      `Die zweiten Faktoren deines Kontos bei ${app} wurden zurückgesetzt`,
    ],
  }
  const heading = isDone
    ? say('Ihre zweiten Faktoren wurden zurückgesetzt', 'Deine zweiten Faktoren wurden zurückgesetzt')
    : say('Ihre zweiten Faktoren werden zurückgesetzt', 'Deine zweiten Faktoren werden zurückgesetzt')
  const paragraphs = isDone ? [doneInGerman(isOwn, context)] : waitingInGerman(isOwn, time(effectiveAt), context)
  return {
    subject: say(...subjects[stage]),
    preheader: paragraphs[0] ?? '',
    heading,
    paragraphs,
    facts: [
      ['Zweite Faktoren', namesOf(notice, 1)],
      ['Zeit', time(effectiveAt)],
    ],
    ...page(context, notice, ['Zurücksetzen abbrechen', 'Sicherheit prüfen']),
    footnote: isDone ? doneNote(context) : waitingNote(isOwn, context),
  }
}

const doneInGerman = (isOwn: boolean, { say }: TextContext): string =>
  isOwn
    ? say(
        'Wie bei der Anmeldung angefordert, wurden zweite Faktoren aus Ihrem Konto entfernt, und Sie wurden überall abgemeldet. Melden Sie sich wieder an, und richten Sie ein, was Sie brauchen.',
        'Wie bei der Anmeldung angefordert, wurden zweite Faktoren aus deinem Konto entfernt, und du wurdest überall abgemeldet. Melde dich wieder an, und richte ein, was du brauchst.',
      )
    : say(
        'Ein Administrator hat zweite Faktoren aus Ihrem Konto entfernen lassen, und Sie wurden überall abgemeldet. Melden Sie sich wieder an, und richten Sie ein, was Sie brauchen.',
        'Ein Administrator hat zweite Faktoren aus deinem Konto entfernen lassen, und du wurdest überall abgemeldet. Melde dich wieder an, und richte ein, was du brauchst.',
      )

const waitingInGerman = (isOwn: boolean, time: string, { say }: TextContext): string[] => [
  isOwn
    ? say(
        `Sie haben das bei der Anmeldung angefordert. Am ${time} werden zweite Faktoren aus Ihrem Konto entfernt, und Sie werden überall abgemeldet.`,
        `Du hast das bei der Anmeldung angefordert. Am ${time} werden zweite Faktoren aus deinem Konto entfernt, und du wirst überall abgemeldet.`,
      )
    : say(
        `Ein Administrator hat das angefordert. Am ${time} werden zweite Faktoren aus Ihrem Konto entfernt, und Sie werden überall abgemeldet.`,
        `Ein Administrator hat das angefordert. Am ${time} werden zweite Faktoren aus deinem Konto entfernt, und du wirst überall abgemeldet.`,
      ),
  'Eine Anmeldung mit einem zweiten Faktor bricht das Zurücksetzen ab.',
]

const doneNote = ({ say }: TextContext): string =>
  say(
    'Wenn Sie nicht darum gebeten haben, wenden Sie sich an den Betreiber dieses Dienstes, und ändern Sie Ihr Passwort.',
    'Wenn du nicht darum gebeten hast, wende dich an den Betreiber dieses Dienstes, und ändere dein Passwort.',
  )

const waitingNote = (isOwn: boolean, { say }: TextContext): string =>
  isOwn
    ? say(
        'Wenn Sie nicht darum gebeten haben, brechen Sie das Zurücksetzen ab, und ändern Sie Ihr Passwort: Jemand anderes kennt es.',
        'Wenn du nicht darum gebeten hast, brich das Zurücksetzen ab, und ändere dein Passwort: Jemand anderes kennt es.',
      )
    : say(
        'Wenn Sie nicht darum gebeten haben, brechen Sie das Zurücksetzen ab, und wenden Sie sich an den Betreiber dieses Dienstes.',
        'Wenn du nicht darum gebeten hast, brich das Zurücksetzen ab, und wende dich an den Betreiber dieses Dienstes.',
      )

const exampleToken = 'Zk2p0vXnq7Lw4tR9sYb1cE6hZk2p0vXn'

export const resetMails = defineMails({
  'two-factor-reset': mailKind<ResetNotice>({
    content: { en: inEnglish, de: inGerman },
    example: (app) => ({
      user: exampleUser(app),
      ...{ stage: 'requested', requestedBy: 'user', factors: ['totp', 'backup-codes'] },
      effectiveAt: new Date(app.now().getTime() + 259_200_000).toISOString(),
      ...{ url: cancelURL(app.config, exampleToken), token: exampleToken },
    }),
  }),
  'two-factor-reset-code': mailKind<CodeMail>({
    lifetime: codeLifetime,
    content: {
      en: ({ otp }, { appName, config, duration }) => ({
        subject: `${otp} is your code to reset the second factors of your ${appName} account`,
        preheader: 'It removes all of your second factors.',
        heading: otp,
        paragraphs: [
          `This code requests a reset of your second factors at ${appName}. It expires in ${duration(config.twoFactor.otpOptions.period * 60)}.`,
        ],
        footnote: "Never share it. If you didn't ask for it, another person knows your password: change it now.",
      }),
      de: ({ otp }, { appName, config, duration, say }) => ({
        subject: say(
          `${otp} ist Ihr Code zum Zurücksetzen der zweiten Faktoren bei ${appName}`,
          `${otp} ist dein Code zum Zurücksetzen der zweiten Faktoren bei ${appName}`,
        ),
        preheader: say('Er entfernt alle Ihre zweiten Faktoren.', 'Er entfernt alle deine zweiten Faktoren.'),
        heading: otp,
        paragraphs: [
          say(
            `Mit diesem Code lassen Sie Ihre zweiten Faktoren bei ${appName} zurücksetzen. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}.`,
            `Mit diesem Code lässt du deine zweiten Faktoren bei ${appName} zurücksetzen. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}.`,
          ),
        ],
        footnote: say(
          'Geben Sie ihn nie weiter. Wenn Sie ihn nicht angefordert haben, kennt jemand Ihr Passwort: Ändern Sie es jetzt.',
          'Gib ihn nie weiter. Wenn du ihn nicht angefordert hast, kennt jemand dein Passwort: Ändere es jetzt.',
        ),
      }),
    },
    example: (app) => ({ user: exampleUser(app), otp: '482913' }),
  }),
})

/** The page that cancels a reset with one click. */
export const cancelURL = (config: TextContext['config'], token: string): string | null => {
  const url = hostedURL(config, '/two-factor/cancel-reset')
  return url === null ? null : `${url}?token=${token}`
}

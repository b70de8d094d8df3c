/** The texts about a reset of second factors in German. */
import type { MailContent, MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import type { ResetNotice } from '../reset-mail.ts'
import { factorList, resetPage } from '../reset-page.ts'
import type { ResetMails, ResetTexts } from '../texts.ts'

const names: Readonly<Record<string, string>> = {
  totp: 'Authenticator-App',
  otp: 'zugesandte Codes',
  passkeys: 'Passkeys',
  'backup-codes': 'Ersatzcodes',
}

function inGerman(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time, say } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const isDone = stage === 'done'
  const subjects: Readonly<Record<ResetNotice['stage'], readonly [string, string]>> = {
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
      ['Zweite Faktoren', factorList(notice, names)],
      ['Zeit', time(effectiveAt)],
    ],
    ...resetPage(context, notice, ['Zurücksetzen abbrechen', 'Sicherheit prüfen']),
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

export const resetMails: MailTexts<ResetMails> = {
  'two-factor-reset': inGerman,
  'two-factor-reset-code': ({ otp }, { appName, config, duration, say }) => ({
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
}

export const resetTexts: ShortTexts<ResetTexts> = {
  'two-factor-reset': ({ stage, effectiveAt }, { appName, time, say }) => {
    if (stage === 'cancelled')
      return say(
        `${appName}: Das Zurücksetzen Ihrer zweiten Faktoren wurde abgebrochen. Sie bleiben, wie sie sind.`,
        `${appName}: Das Zurücksetzen deiner zweiten Faktoren wurde abgebrochen. Sie bleiben, wie sie sind.`,
      )
    return stage === 'done'
      ? say(
          `${appName}: Ihre zweiten Faktoren wurden zurückgesetzt. Das waren nicht Sie? Wenden Sie sich an den Betreiber.`,
          `${appName}: Deine zweiten Faktoren wurden zurückgesetzt. Das warst nicht du? Wende dich an den Betreiber.`,
        )
      : say(
          `${appName}: Ihre zweiten Faktoren werden am ${time(effectiveAt)} zurückgesetzt. Das waren nicht Sie? Der Link in unserer E-Mail bricht es ab.`,
          `${appName}: Deine zweiten Faktoren werden am ${time(effectiveAt)} zurückgesetzt. Das warst nicht du? Der Link in unserer E-Mail bricht es ab.`,
        )
  },
  'two-factor-reset-code': ({ otp }, { appName, config, duration, say }) =>
    say(
      `${otp} ist Ihr Code zum Zurücksetzen der zweiten Faktoren bei ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Geben Sie ihn nie weiter.${bound(config, otp)}`,
      `${otp} ist dein Code zum Zurücksetzen der zweiten Faktoren bei ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Gib ihn nie weiter.${bound(config, otp)}`,
    ),
}

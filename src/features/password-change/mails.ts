/** The notice of a new password (ASVS 6.3.7). */
import type { TextContext } from '../../core/message.ts'
import { counted } from '../../lib/text.ts'
import type { PasswordSource } from '../accounts/index.ts'
import { hostedURL } from '../dashboard/index.ts'
import { defineMails, mailKind } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'

export interface PasswordNotice {
  readonly user: DescribedUser
  /** What set the password; `session`: the user, who gave the former one. */
  readonly by: PasswordSource
  /** How many sessions and API keys ended with the former password, and how many API keys the user still has. */
  readonly sessionsEnded: number
  readonly apiKeysEnded: number
  readonly apiKeysLeft: number
}

export const mails = defineMails({
  'password-changed': mailKind<PasswordNotice>({
    option: ({ emailAndPassword }) => emailAndPassword.sendPasswordChanged,
    content: {
      en: (notice, context) => ({
        subject: `Your ${context.appName} password was changed`,
        preheader: "If this wasn't you, request a password reset now.",
        heading: 'Your password was changed',
        paragraphs: inEnglish(notice, context),
        ...actionOf(notice, context, 'Review your API keys'),
        footnote:
          "If this was you, you don't need to do anything. If it wasn't, request a password reset now: someone else may have access to your account.",
      }),
      de: (notice, context) => ({
        subject: context.say(
          `Ihr Passwort für ${context.appName} wurde geändert`,
          `Dein Passwort für ${context.appName} wurde geändert`,
        ),
        preheader: context.say(
          'Wenn Sie das nicht waren, setzen Sie Ihr Passwort jetzt zurück.',
          'Wenn du das nicht warst, setze dein Passwort jetzt zurück.',
        ),
        heading: context.say('Ihr Passwort wurde geändert', 'Dein Passwort wurde geändert'),
        paragraphs: inGerman(notice, context),
        ...actionOf(notice, context, 'API-Schlüssel prüfen'),
        footnote: context.say(
          'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, setzen Sie Ihr Passwort jetzt zurück: Jemand anderes könnte Zugriff auf Ihr Konto haben.',
          'Wenn du das warst, musst du nichts tun. Wenn nicht, setze dein Passwort jetzt zurück: Jemand anderes könnte Zugriff auf dein Konto haben.',
        ),
      }),
    },
    example: (app) => ({ user: exampleUser(app), by: 'reset-link', sessionsEnded: 2, apiKeysEnded: 0, apiKeysLeft: 1 }),
  }),
})

function actionOf({ apiKeysLeft }: PasswordNotice, { config }: TextContext, label: string) {
  const url = apiKeysLeft > 0 ? hostedURL(config, '/account/api-keys') : null
  return url !== null && { action: { label, url } }
}

const englishMeans: Readonly<Record<PasswordSource, string>> = {
  session: '',
  ...{ 'reset-link': ' with a reset link', 'setup-link': ' with a setup link', 'verification-link': ' with a verification link' },
  ...{ code: ' with a code by text message', administrator: ' by an administrator', operator: ' by an operator' },
}

function inEnglish({ by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice, { appName }: TextContext): string[] {
  const ended = [
    ...(sessionsEnded > 0 ? [counted(sessionsEnded, 'session')] : []),
    ...(apiKeysEnded > 0 ? [counted(apiKeysEnded, 'API key')] : []),
  ]
  const changed = `The password of your ${appName} account was changed${englishMeans[by] ?? ''}.`
  const left = `${counted(apiKeysLeft, 'API key')} of your account still ${apiKeysLeft === 1 ? 'works' : 'work'}.`
  return [
    ended.length > 0 ? `${changed} This ended ${ended.join(' and ')}.` : changed,
    ...(apiKeysLeft > 0 ? [`${left} Delete those that you do not know.`] : []),
  ]
}

const germanMeans: Readonly<Record<PasswordSource, string>> = {
  session: '',
  ...{ 'reset-link': ' mit einem Link zum Zurücksetzen', 'setup-link': ' mit einem Einrichtungslink' },
  ...{ 'verification-link': ' mit einem Bestätigungslink', code: ' mit einem Code per SMS' },
  ...{ administrator: ' von einem Administrator', operator: ' vom Betreiber' },
}

function inGerman({ by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice, { appName, say }: TextContext): string[] {
  const ended = [
    ...(sessionsEnded > 0 ? [sessionsEnded === 1 ? '1 Sitzung' : `${sessionsEnded} Sitzungen`] : []),
    ...(apiKeysEnded > 0 ? [`${apiKeysEnded} API-Schlüssel`] : []),
  ]
  const changed = say(
    `Das Passwort Ihres Kontos bei ${appName} wurde${germanMeans[by] ?? ''} geändert.`,
    `Das Passwort deines Kontos bei ${appName} wurde${germanMeans[by] ?? ''} geändert.`,
  )
  const left = say(
    `${apiKeysLeft} API-Schlüssel Ihres Kontos ${apiKeysLeft === 1 ? 'funktioniert' : 'funktionieren'} weiterhin.`,
    `${apiKeysLeft} API-Schlüssel deines Kontos ${apiKeysLeft === 1 ? 'funktioniert' : 'funktionieren'} weiterhin.`,
  )
  return [
    ended.length > 0 ? `${changed} Dadurch beendet: ${ended.join(' und ')}.` : changed,
    ...(apiKeysLeft > 0
      ? [say(`${left} Löschen Sie alle, die Sie nicht kennen.`, `${left} Lösche alle, die du nicht kennst.`)]
      : []),
  ]
}

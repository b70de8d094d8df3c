/** The texts in German. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { PasswordSource } from '../../accounts/index.ts'
import type { PasswordNotice } from '../mails.ts'
import type { Mails } from '../texts.ts'

const means: Readonly<Record<PasswordSource, string>> = {
  session: '',
  ...{ 'reset-link': ' mit einem Link zum Zurücksetzen', 'setup-link': ' mit einem Einrichtungslink' },
  ...{ 'verification-link': ' mit einem Bestätigungslink', code: ' mit einem Code per SMS' },
  ...{ administrator: ' von einem Administrator', operator: ' vom Betreiber' },
}

function paragraphsOf(
  { by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice,
  { appName, say, plural, list }: TextContext,
): string[] {
  const ended = [
    ...(sessionsEnded > 0 ? [plural(sessionsEnded, { one: '# Sitzung', other: '# Sitzungen' })] : []),
    ...(apiKeysEnded > 0 ? [plural(apiKeysEnded, { other: '# API-Schlüssel' })] : []),
  ]
  const changed = say(
    `Das Passwort Ihres Kontos bei ${appName} wurde${means[by] ?? ''} geändert.`,
    `Das Passwort deines Kontos bei ${appName} wurde${means[by] ?? ''} geändert.`,
  )
  const left = say(
    plural(apiKeysLeft, {
      one: '# API-Schlüssel Ihres Kontos funktioniert weiterhin.',
      other: '# API-Schlüssel Ihres Kontos funktionieren weiterhin.',
    }),
    plural(apiKeysLeft, {
      one: '# API-Schlüssel deines Kontos funktioniert weiterhin.',
      other: '# API-Schlüssel deines Kontos funktionieren weiterhin.',
    }),
  )
  return [
    ended.length > 0 ? `${changed} Dadurch beendet: ${list(ended)}.` : changed,
    ...(apiKeysLeft > 0
      ? [say(`${left} Löschen Sie alle, die Sie nicht kennen.`, `${left} Lösche alle, die du nicht kennst.`)]
      : []),
  ]
}

export const mails: MailTexts<Mails> = {
  'password-changed': (notice, context) => ({
    subject: context.say(
      `Ihr Passwort für ${context.appName} wurde geändert`,
      `Dein Passwort für ${context.appName} wurde geändert`,
    ),
    preheader: context.say(
      'Wenn Sie das nicht waren, setzen Sie Ihr Passwort jetzt zurück.',
      'Wenn du das nicht warst, setze dein Passwort jetzt zurück.',
    ),
    heading: context.say('Ihr Passwort wurde geändert', 'Dein Passwort wurde geändert'),
    paragraphs: paragraphsOf(notice, context),
    ...(notice.apiKeysLeft > 0 && context.button('/account/api-keys', 'API-Schlüssel prüfen')),
    footnote: context.say(
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, setzen Sie Ihr Passwort jetzt zurück: Jemand anderes könnte Zugriff auf Ihr Konto haben.',
      'Wenn du das warst, musst du nichts tun. Wenn nicht, setze dein Passwort jetzt zurück: Jemand anderes könnte Zugriff auf dein Konto haben.',
    ),
  }),
}

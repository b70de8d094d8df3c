/** The texts in German. */
import type { MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import { noticeIn } from '../factor-notice.ts'
import type { Mails, Texts } from '../texts.ts'
import { resetMails, resetTexts } from './reset-de.ts'

const notice = (write: Parameters<typeof noticeIn>[1]) =>
  noticeIn(
    {
      ...{
        factor: 'Zweiter Faktor',
        time: 'Zeit',
        device: 'Gerät',
        ipAddress: 'IP-Adresse',
        on: 'auf',
        review: 'Sicherheit prüfen',
      },
      names: { totp: 'Authenticator-App', otp: 'Zugesandte Codes', passkey: 'Passkey' },
    },
    write,
  )

const nichtSie = [
  'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und prüfen Sie Ihre zweiten Faktoren: Jemand anderes könnte Zugriff auf Ihr Konto haben.',
  'Wenn du das nicht warst, ändere jetzt dein Passwort und prüfe deine zweiten Faktoren: Jemand anderes könnte Zugriff auf dein Konto haben.',
] as const
const codesÜbrig = (left: number | null) => (left === 1 ? 'ein Ersatzcode' : `${left ?? 0} Ersatzcodes`)

const added = (what: string, { appName, say }: TextContext) =>
  `${appName}: ${what} ${say(
    'Das waren nicht Sie? Ändern Sie jetzt Ihr Passwort und prüfen Sie die Sicherheit Ihres Kontos.',
    'Das warst nicht du? Ändere jetzt dein Passwort und prüfe die Sicherheit deines Kontos.',
  )}`

export const mails: MailTexts<Mails> = {
  'two-factor-enabled': notice((_, { appName: app, say }) => ({
    subject: say(
      `Ein zweiter Faktor wurde zu Ihrem Konto bei ${app} hinzugefügt`,
      `Ein zweiter Faktor wurde zu deinem Konto bei ${app} hinzugefügt`,
    ),
    heading: 'Ein zweiter Faktor wurde hinzugefügt',
    paragraphs: ['Bei der Anmeldung wird ab jetzt ein zweiter Faktor verlangt.'],
    footnote: say(...nichtSie),
  })),
  'two-factor-disabled': notice((_, { appName: app, say }) => ({
    subject: say(
      `Ein zweiter Faktor wurde aus Ihrem Konto bei ${app} entfernt`,
      `Ein zweiter Faktor wurde aus deinem Konto bei ${app} entfernt`,
    ),
    heading: 'Ein zweiter Faktor wurde entfernt',
    paragraphs: ['Er gilt bei der Anmeldung nicht mehr.'],
    footnote: say(...nichtSie),
  })),
  'backup-code-used': notice(({ left }, { appName: app, say }) => ({
    subject: say(
      `Ein Ersatzcode Ihres Kontos bei ${app} wurde verwendet`,
      `Ein Ersatzcode deines Kontos bei ${app} wurde verwendet`,
    ),
    heading: 'Ein Ersatzcode wurde verwendet',
    paragraphs: [`Es ist noch ${codesÜbrig(left)} übrig.`],
    footnote: say(...nichtSie),
  })),
  'backup-codes-low': notice(({ left }, { appName: app, say }) => ({
    subject: say(
      `Für Ihr Konto bei ${app} sind nur noch wenige Ersatzcodes übrig`,
      `Für dein Konto bei ${app} sind nur noch wenige Ersatzcodes übrig`,
    ),
    heading: `Übrig: ${codesÜbrig(left)}`,
    paragraphs: [
      say(
        'Erstellen Sie neue Ersatzcodes, damit Sie sich anmelden können, wenn Sie Ihr Telefon verlieren.',
        'Erstelle neue Ersatzcodes, damit du dich anmelden kannst, wenn du dein Telefon verlierst.',
      ),
    ],
    footnote: 'Die bisherigen Codes gelten dann nicht mehr.',
  })),
  'backup-codes-created': notice((_, { appName: app, say }) => ({
    subject: say(`Neue Ersatzcodes für Ihr Konto bei ${app}`, `Neue Ersatzcodes für dein Konto bei ${app}`),
    heading: 'Neue Ersatzcodes wurden erstellt',
    paragraphs: ['Die bisherigen Codes gelten nicht mehr.'],
    footnote: say(...nichtSie),
  })),
  'password-may-be-known': notice((_, { appName: app, say }) => ({
    subject: say(`Jemand kennt vielleicht Ihr Passwort für ${app}`, `Jemand kennt vielleicht dein Passwort für ${app}`),
    heading: say('Jemand kennt vielleicht Ihr Passwort', 'Jemand kennt vielleicht dein Passwort'),
    paragraphs: [
      say(
        'Jemand hat das richtige Passwort oder einen anderen Nachweis angegeben, aber nicht den zweiten Faktor. Ein Zugriff auf Ihr Konto fand nicht statt.',
        'Jemand hat das richtige Passwort oder einen anderen Nachweis angegeben, aber nicht den zweiten Faktor. Ein Zugriff auf dein Konto fand nicht statt.',
      ),
    ],
    footnote: say(
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, ändern Sie jetzt Ihr Passwort.',
      'Wenn du das warst, musst du nichts tun. Wenn nicht, ändere jetzt dein Passwort.',
    ),
  })),
  'trusted-browser-copied': notice((_, { appName: app, say }) => ({
    subject: say(
      `Ein vertrauter Browser Ihres Kontos bei ${app} wurde kopiert`,
      `Ein vertrauter Browser deines Kontos bei ${app} wurde kopiert`,
    ),
    heading: 'Ein vertrauter Browser wurde kopiert',
    paragraphs: [
      say(
        'Jemand hat eine alte Kopie des Cookies eines Browsers verwendet, dem Sie vertrauen. Dieser Browser gilt nicht mehr als vertraut.',
        'Jemand hat eine alte Kopie des Cookies eines Browsers verwendet, dem du vertraust. Dieser Browser gilt nicht mehr als vertraut.',
      ),
    ],
    footnote: say(
      'Prüfen Sie Ihre Sitzungen, und ändern Sie Ihr Passwort, wenn Sie eine davon nicht kennen.',
      'Prüfe deine Sitzungen, und ändere dein Passwort, wenn du eine davon nicht kennst.',
    ),
  })),
  'two-factor-suspended': notice((_, { appName: app, say }) => ({
    subject: say(`Codes für Ihr Konto bei ${app} wurden abgeschaltet`, `Codes für dein Konto bei ${app} wurden abgeschaltet`),
    heading: 'Codes wurden abgeschaltet',
    paragraphs: [
      say(
        'Für Ihr Konto wurden zu viele falsche Codes angegeben. Melden Sie sich mit einem Ersatzcode an, und richten Sie Ihre Authenticator-App neu ein. Wenn Sie noch keinen zweiten Faktor haben, ändern Sie zuerst Ihr Passwort. Danach werden wieder Codes gesendet.',
        'Für dein Konto wurden zu viele falsche Codes angegeben. Melde dich mit einem Ersatzcode an, und richte deine Authenticator-App neu ein. Wenn du noch keinen zweiten Faktor hast, ändere zuerst dein Passwort. Danach werden wieder Codes gesendet.',
      ),
    ],
    footnote: say(
      'Jemand kennt Ihr Passwort. Ändern Sie es, sobald Sie angemeldet sind.',
      'Jemand kennt dein Passwort. Ändere es, sobald du angemeldet bist.',
    ),
  })),
  'two-factor-code': ({ otp }, { appName, config, duration, say }) => ({
    subject: say(`${otp} ist Ihr Code für ${appName}`, `${otp} ist dein Code für ${appName}`),
    preheader: say('Er schließt Ihre Anmeldung ab.', 'Er schließt deine Anmeldung ab.'),
    heading: otp,
    paragraphs: [
      say(
        `Dieser Code schließt Ihre Anmeldung bei ${appName} ab. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}.`,
        `Dieser Code schließt deine Anmeldung bei ${appName} ab. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}.`,
      ),
    ],
    footnote: say(
      'Geben Sie ihn nie weiter. Wenn Sie sich nicht angemeldet haben, kennt jemand Ihr Passwort: Ändern Sie es jetzt.',
      'Gib ihn nie weiter. Wenn du dich nicht angemeldet hast, kennt jemand dein Passwort: Ändere es jetzt.',
    ),
  }),
  ...resetMails,
}

export const texts: ShortTexts<Texts> = {
  'two-factor-code': ({ otp }, { appName, config, duration, say }) =>
    say(
      `${otp} ist Ihr Code für ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Geben Sie ihn nie weiter.${bound(config, otp)}`,
      `${otp} ist dein Code für ${appName}. Er gilt ${duration(config.twoFactor.otpOptions.period * 60)}. Gib ihn nie weiter.${bound(config, otp)}`,
    ),
  'two-factor-enabled': (_, context) =>
    added(
      context.say('Ihrem Konto wurde ein zweiter Faktor hinzugefügt.', 'Deinem Konto wurde ein zweiter Faktor hinzugefügt.'),
      context,
    ),
  'backup-codes-created': (_, context) =>
    added(
      context.say('Für Ihr Konto wurden neue Ersatzcodes erstellt.', 'Für dein Konto wurden neue Ersatzcodes erstellt.'),
      context,
    ),
  ...resetTexts,
}

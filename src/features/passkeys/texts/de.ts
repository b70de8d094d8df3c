/** The texts in German. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { codeLifetime } from '../code-lifetime.ts'
import type { Mails, Texts } from '../texts.ts'
import { deviceFact, passkeyFacts } from './facts.ts'

const labels = ['Passkey', 'Gerät oder Passwortmanager', 'Zeit'] as const

const notYours = [
  'Wenn Sie das nicht waren, könnte jemand anderes Zugriff auf Ihr Konto haben.',
  'Wenn du das nicht warst, könnte jemand anderes Zugriff auf dein Konto haben.',
] as const
const endOthers = [
  'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und beenden Sie Ihre Sitzungen: Jemand anderes könnte Zugriff auf Ihr Konto haben.',
  'Wenn du das nicht warst, ändere dein Passwort und beende deine Sitzungen: Jemand anderes könnte Zugriff auf dein Konto haben.',
] as const
const removeToo = [
  'Wenn Sie das nicht waren, entfernen Sie den Passkey, ändern Sie Ihr Passwort und beenden Sie Ihre Sitzungen: Jemand anderes könnte Zugriff auf Ihr Konto haben.',
  'Wenn du das nicht warst, entferne den Passkey, ändere dein Passwort und beende deine Sitzungen: Jemand anderes könnte Zugriff auf dein Konto haben.',
] as const

export const mails: MailTexts<Mails> = {
  'passkey-added': (notice, context) => ({
    subject: context.say(
      `Ihrem Konto bei ${context.appName} wurde ein Passkey hinzugefügt`,
      `Deinem Konto bei ${context.appName} wurde ein Passkey hinzugefügt`,
    ),
    preheader: context.say(...notYours),
    heading: 'Ein Passkey wurde hinzugefügt',
    paragraphs: [
      context.say(
        `Mit diesem Passkey kann man sich jetzt bei Ihrem Konto bei ${context.appName} anmelden.`,
        `Mit diesem Passkey kann man sich jetzt bei deinem Konto bei ${context.appName} anmelden.`,
      ),
      ...(notice.isAutomatic
        ? [
            context.say(
              'Ihr Browser hat ihn erstellt, als Sie sich mit Ihrem Passwort angemeldet haben.',
              'Dein Browser hat ihn erstellt, als du dich mit deinem Passwort angemeldet hast.',
            ),
          ]
        : []),
    ],
    facts: [...passkeyFacts(notice, context, labels), ...deviceFact(notice, 'Hinzugefügt mit', 'auf')],
    ...context.button('/account/security', 'Das war ich nicht'),
    footnote: context.say(...removeToo),
  }),
  'passkey-removed': (notice, context) => ({
    subject: context.say(
      `Ein Passkey Ihres Kontos bei ${context.appName} wurde entfernt`,
      `Ein Passkey deines Kontos bei ${context.appName} wurde entfernt`,
    ),
    preheader: context.say(...notYours),
    heading: 'Ein Passkey wurde entfernt',
    paragraphs: [
      context.say(
        `Mit diesem Passkey kann man sich nicht mehr bei Ihrem Konto bei ${context.appName} anmelden.`,
        `Mit diesem Passkey kann man sich nicht mehr bei deinem Konto bei ${context.appName} anmelden.`,
      ),
    ],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Das war ich nicht'),
    footnote: context.say(
      `Wenn Sie das waren, löschen Sie den Passkey auch in Ihrem Passwortmanager. ${endOthers[0]}`,
      `Wenn du das warst, lösche den Passkey auch in deinem Passwortmanager. ${endOthers[1]}`,
    ),
  }),
  'passkey-cloned': (notice, context) => ({
    subject: context.say(
      `Ein Passkey Ihres Kontos bei ${context.appName} wurde gesperrt`,
      `Ein Passkey deines Kontos bei ${context.appName} wurde gesperrt`,
    ),
    preheader: 'Er wurde vielleicht kopiert, deshalb kann man sich mit ihm nicht anmelden.',
    heading: 'Ein Passkey wurde gesperrt',
    paragraphs: [
      'Bei einer Anmeldung mit diesem Passkey war der Zähler niedriger als zuvor. Das geschieht, wenn ihn jemand kopiert hat.',
      context.say(
        'Niemand wurde angemeldet. Melden Sie sich mit einer anderen Methode an und entfernen Sie den Passkey, oder erlauben Sie ihn wieder, wenn Sie den Grund kennen.',
        'Niemand wurde angemeldet. Melde dich mit einer anderen Methode an und entferne den Passkey, oder erlaube ihn wieder, wenn du den Grund kennst.',
      ),
    ],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Anmeldemethoden prüfen'),
  }),
  'passkey-sign-up': ({ code }, { appName, duration, say }) => ({
    subject: say(`${code} ist Ihr Code für ${appName}`, `${code} ist dein Code für ${appName}`),
    preheader: say(
      `Geben Sie ihn ein, um sich zu registrieren. Er gilt ${duration(codeLifetime)}.`,
      `Gib ihn ein, um dich zu registrieren. Er gilt ${duration(codeLifetime)}.`,
    ),
    heading: say('Ihr Code zur Registrierung', 'Dein Code zur Registrierung'),
    paragraphs: [
      say(
        `Geben Sie diesen Code ein, um sich bei ${appName} zu registrieren. Er gilt ${duration(codeLifetime)}. Geben Sie ihn nie weiter.`,
        `Gib diesen Code ein, um dich bei ${appName} zu registrieren. Er gilt ${duration(codeLifetime)}. Gib ihn nie weiter.`,
      ),
    ],
    facts: [['Code', code]],
    footnote: say(
      'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.',
      'Wenn du das nicht warst, kannst du diese E-Mail ignorieren.',
    ),
  }),
}

export const texts: ShortTexts<Texts> = {
  'passkey-added': (_, { appName, say }) =>
    say(
      `${appName}: Ihrem Konto wurde ein Passkey hinzugefügt. Das waren nicht Sie? Ändern Sie jetzt Ihr Passwort und prüfen Sie die Sicherheit Ihres Kontos.`,
      `${appName}: Deinem Konto wurde ein Passkey hinzugefügt. Das warst nicht du? Ändere jetzt dein Passwort und prüfe die Sicherheit deines Kontos.`,
    ),
}

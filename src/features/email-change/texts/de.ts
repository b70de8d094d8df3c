/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'change-email': ({ url, newEmail }, { appName, config, duration, say }) => ({
    subject: say(`Bestätigen Sie Ihre neue E-Mail-Adresse für ${appName}`, `Bestätige deine neue E-Mail-Adresse für ${appName}`),
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
  'email-in-use': (_, { appName, say }) => ({
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
  'email-changed': (_, { appName, say }) => ({
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
}

/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-exists': (_, { appName, say }) => ({
    subject: say(`Sie haben bereits ein Konto bei ${appName}`, `Du hast bereits ein Konto bei ${appName}`),
    preheader: say(
      'Jemand wollte sich mit Ihrer E-Mail-Adresse registrieren. Es wurde nichts geändert.',
      'Jemand wollte sich mit deiner E-Mail-Adresse registrieren. Es wurde nichts geändert.',
    ),
    heading: say('Sie haben bereits ein Konto', 'Du hast bereits ein Konto'),
    paragraphs: [
      say(
        `Bei einer Registrierung bei ${appName} wurde diese E-Mail-Adresse angegeben. Sie haben bereits ein Konto, deshalb wurde kein neues erstellt.`,
        `Bei einer Registrierung bei ${appName} wurde diese E-Mail-Adresse angegeben. Du hast bereits ein Konto, deshalb wurde kein neues erstellt.`,
      ),
      say(
        'Melden Sie sich mit Ihrem Passwort an. Wenn Sie es vergessen haben, setzen Sie es zurück.',
        'Melde dich mit deinem Passwort an. Wenn du es vergessen hast, setze es zurück.',
      ),
    ],
    footnote: say(
      'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Es wurde nichts geändert.',
      'Wenn du das nicht warst, kannst du diese E-Mail ignorieren. Es wurde nichts geändert.',
    ),
  }),
}

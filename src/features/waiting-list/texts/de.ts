/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'waiting-list-joined': (_, { appName, say }) => ({
    subject: say(`Sie stehen auf der Warteliste von ${appName}`, `Du stehst auf der Warteliste von ${appName}`),
    preheader: say(
      'Wir schreiben Ihnen, sobald Sie Ihr Konto erstellen können.',
      'Wir schreiben dir, sobald du dein Konto erstellen kannst.',
    ),
    heading: say('Sie stehen auf der Warteliste', 'Du stehst auf der Warteliste'),
    paragraphs: [
      say(
        `Danke für Ihr Interesse an ${appName}. Sie bekommen eine E-Mail, sobald Sie Ihr Konto erstellen können.`,
        `Danke für dein Interesse an ${appName}. Du bekommst eine E-Mail, sobald du dein Konto erstellen kannst.`,
      ),
    ],
    footnote: say(
      'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Es wurde kein Konto erstellt.',
      'Wenn du das nicht warst, kannst du diese E-Mail ignorieren. Es wurde kein Konto erstellt.',
    ),
  }),
  'waiting-list-approved': ({ url }, { appName, say }) => ({
    subject: say(`Sie können jetzt Ihr Konto bei ${appName} erstellen`, `Du kannst jetzt dein Konto bei ${appName} erstellen`),
    preheader: say(
      'Verwenden Sie bei der Registrierung diese E-Mail-Adresse.',
      'Verwende bei der Registrierung diese E-Mail-Adresse.',
    ),
    heading: say('Sie können jetzt Ihr Konto erstellen', 'Du kannst jetzt dein Konto erstellen'),
    paragraphs: [
      say(
        `Auf der Warteliste von ${appName} sind Sie an der Reihe. Verwenden Sie bei der Registrierung diese E-Mail-Adresse.`,
        `Auf der Warteliste von ${appName} bist du an der Reihe. Verwende bei der Registrierung diese E-Mail-Adresse.`,
      ),
    ],
    action: { label: 'Konto erstellen', url },
    footnote: say(
      'Wenn Sie kein Konto mehr möchten, können Sie diese E-Mail ignorieren.',
      'Wenn du kein Konto mehr möchtest, kannst du diese E-Mail ignorieren.',
    ),
  }),
}

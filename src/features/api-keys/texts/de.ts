/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'api-key-created': ({ start }, { appName, say, button }) => ({
    subject: say(
      `Ein API-Schlüssel für Ihr Konto bei ${appName} wurde erstellt`,
      `Ein API-Schlüssel für dein Konto bei ${appName} wurde erstellt`,
    ),
    preheader: say(
      'Programme mit dem Schlüssel handeln für Sie. Wenn Sie ihn nicht erstellt haben, löschen Sie ihn.',
      'Programme mit dem Schlüssel handeln für dich. Wenn du ihn nicht erstellt hast, lösche ihn.',
    ),
    heading: 'Ein API-Schlüssel wurde erstellt',
    paragraphs: [
      say(
        `Für Ihr Konto bei ${appName} wurde ein API-Schlüssel erstellt. Programme mit diesem Schlüssel handeln für Sie.`,
        `Für dein Konto bei ${appName} wurde ein API-Schlüssel erstellt. Programme mit diesem Schlüssel handeln für dich.`,
      ),
    ],
    ...(start !== null && { facts: [['Anfang des Schlüssels', start]] as const }),
    ...button('/account/api-keys', 'API-Schlüssel prüfen'),
    footnote: say(
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, löschen Sie den Schlüssel und ändern Sie Ihr Passwort: Jemand anderes hat Zugriff auf Ihr Konto.',
      'Wenn du das warst, musst du nichts tun. Wenn nicht, lösche den Schlüssel und ändere dein Passwort: Jemand anderes hat Zugriff auf dein Konto.',
    ),
  }),
}

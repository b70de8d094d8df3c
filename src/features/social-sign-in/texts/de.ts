/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-linked': ({ provider, hasRevoked }, { appName, say }) => ({
    subject: say(
      `Ihr Konto bei ${appName} wurde mit ${provider} verknüpft`,
      `Dein Konto bei ${appName} wurde mit ${provider} verknüpft`,
    ),
    preheader: `Mit einem Konto bei ${provider} kann man sich jetzt bei ${appName} anmelden.`,
    heading: say(`Sie können sich jetzt mit ${provider} anmelden`, `Du kannst dich jetzt mit ${provider} anmelden`),
    paragraphs: [
      say(
        `Ihr Konto bei ${appName} wurde mit einem Konto bei ${provider} verknüpft, mit dem man sich jetzt anmelden kann.`,
        `Dein Konto bei ${appName} wurde mit einem Konto bei ${provider} verknüpft, mit dem man sich jetzt anmelden kann.`,
      ),
      ...(hasRevoked
        ? [
            say(
              'Die E-Mail-Adresse war nie bestätigt worden, deshalb könnte sich eine andere Person damit registriert haben. Alle Geräte wurden abgemeldet, und das Passwort und andere frühere Anmeldemethoden wurden entfernt. Um sich wieder mit einem Passwort anzumelden, setzen Sie es zurück und wählen Sie ein neues.',
              'Die E-Mail-Adresse war nie bestätigt worden, deshalb könnte sich eine andere Person damit registriert haben. Alle Geräte wurden abgemeldet, und das Passwort und andere frühere Anmeldemethoden wurden entfernt. Um sich wieder mit einem Passwort anzumelden, setze es zurück und wähle ein neues.',
            ),
          ]
        : []),
    ],
    footnote: say(
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, trennen Sie die Verknüpfung in Ihrem Konto und ändern Sie Ihr Passwort: Jemand anderes könnte Zugriff haben.',
      'Wenn du das warst, musst du nichts tun. Wenn nicht, trenne die Verknüpfung in deinem Konto und ändere dein Passwort: Jemand anderes könnte Zugriff haben.',
    ),
  }),
}

/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'delete-account': ({ url }, { appName, config, duration, say }) => ({
    subject: say(
      `Bestätigen Sie die Löschung Ihres Kontos bei ${appName}`,
      `Bestätige die Löschung deines Kontos bei ${appName}`,
    ),
    preheader: say(
      'Alle Daten Ihres Kontos werden gelöscht. Das kann nicht rückgängig gemacht werden.',
      'Alle Daten deines Kontos werden gelöscht. Das kann nicht rückgängig gemacht werden.',
    ),
    heading: 'Konto löschen',
    paragraphs: [
      say(
        `Für Ihr Konto bei ${appName} wurde die Löschung angefordert.`,
        `Für dein Konto bei ${appName} wurde die Löschung angefordert.`,
      ),
      say(
        'Ihr Konto und alle seine Daten werden gelöscht. Das kann nicht rückgängig gemacht werden.',
        'Dein Konto und alle seine Daten werden gelöscht. Das kann nicht rückgängig gemacht werden.',
      ),
    ],
    action: { label: 'Konto löschen', url },
    footnote: say(
      `Der Link funktioniert einmal und ist ${duration(config.user.deleteUser.deleteTokenExpiresIn)} lang gültig. Öffnen Sie ihn in einem Browser, in dem Sie angemeldet sind. Wenn Sie das nicht angefordert haben, ändern Sie Ihr Passwort: Jemand anderes könnte Zugriff auf Ihr Konto haben.`,
      `Der Link funktioniert einmal und ist ${duration(config.user.deleteUser.deleteTokenExpiresIn)} lang gültig. Öffne ihn in einem Browser, in dem du angemeldet bist. Wenn du das nicht angefordert hast, ändere dein Passwort: Jemand anderes könnte Zugriff auf dein Konto haben.`,
    ),
  }),
}

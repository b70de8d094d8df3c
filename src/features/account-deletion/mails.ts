/** The email with the link that confirms the deletion of an account. */
import { exampleLinkMail, type LinkMail } from '../email-verification/index.ts'
import { defineMails, mailKind } from '../outbox/index.ts'

export const mails = defineMails({
  'delete-account': mailKind<LinkMail>({
    toStrangers: true,
    hasLink: true,
    option: ({ user }) => user.deleteUser.sendDeleteAccountVerification,
    content: {
      en: ({ url }, { appName, config, duration }) => ({
        subject: `Confirm the deletion of your ${appName} account`,
        preheader: 'All data of your account will be deleted. This cannot be undone.',
        heading: 'Delete your account',
        paragraphs: [
          `We received a request to delete your ${appName} account.`,
          'Your account and all its data will be deleted. This cannot be undone.',
        ],
        action: { label: 'Delete account', url },
        footnote: `This link works once and expires in ${duration(config.user.deleteUser.deleteTokenExpiresIn)}. Open it in a browser in which you are signed in. If you didn't request this, change your password: someone else may have access to your account.`,
      }),
      de: ({ url }, { appName, config, duration, say }) => ({
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
    },
    example: exampleLinkMail,
  }),
})

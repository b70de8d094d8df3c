/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'reset-password': ({ url }, { appName, config, duration, say }) => ({
    subject: say(`Setzen Sie Ihr Passwort für ${appName} zurück`, `Setze dein Passwort für ${appName} zurück`),
    preheader: `Der Link für ein neues Passwort ist ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)} lang gültig.`,
    heading: say('Setzen Sie Ihr Passwort zurück', 'Setze dein Passwort zurück'),
    paragraphs: [
      say(
        `Für Ihr Konto bei ${appName} wurde ein neues Passwort angefordert.`,
        `Für dein Konto bei ${appName} wurde ein neues Passwort angefordert.`,
      ),
    ],
    action: { label: 'Passwort zurücksetzen', url },
    footnote: say(
      `Der Link funktioniert einmal und ist ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)} lang gültig. Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt gleich.`,
      `Der Link funktioniert einmal und ist ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)} lang gültig. Wenn du das nicht angefordert hast, kannst du diese E-Mail ignorieren. Dein Passwort bleibt gleich.`,
    ),
  }),
}

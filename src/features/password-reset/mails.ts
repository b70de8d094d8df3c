/** The email with a password reset link. */
import { exampleLinkMail, type LinkMail } from '../email-verification/index.ts'
import { defineMails, mailKind } from '../outbox/index.ts'

export const mails = defineMails({
  'reset-password': mailKind<LinkMail>({
    toStrangers: true,
    hasLink: true,
    option: ({ emailAndPassword }) => emailAndPassword.sendResetPassword,
    content: {
      en: ({ url }, { appName, config, duration }) => ({
        subject: `Reset your ${appName} password`,
        preheader: `Choose a new password within ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}.`,
        heading: 'Reset your password',
        paragraphs: [`We received a request to reset the password of your ${appName} account.`],
        action: { label: 'Reset password', url },
        footnote: `This link works once and expires in ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}. If you didn't request this, you can ignore this email. Your password stays the same.`,
      }),
      de: ({ url }, { appName, config, duration, say }) => ({
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
    },
    example: exampleLinkMail,
  }),
})

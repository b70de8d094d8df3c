/** Notices of linked accounts (ASVS 6.3.7). */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { isEmailAddress } from '../../lib/text.ts'
import { defineMails, mailKind, mailTemplates, sendMail } from '../outbox/index.ts'
import { type DescribedUser, describeUser, exampleUser } from '../users/index.ts'

export interface LinkNotice {
  readonly user: DescribedUser
  /** Name of the provider. */
  readonly provider: string
  /** Whether sessions and sign-in methods from before were removed, because the email address was never verified. */
  readonly hasRevoked: boolean
}

export const mailConfig = mailTemplates<{ 'account-linked': LinkNotice }>({
  'account-linked': 'that notifies of a linked social account',
})

export const mails = defineMails({
  'account-linked': mailKind<LinkNotice>({
    option: ({ account }) => account.accountLinking.sendAccountLinked,
    content: {
      en: ({ provider, hasRevoked }, { appName }) => ({
        subject: `Your ${appName} account was linked to ${provider}`,
        preheader: `An account at ${provider} can now be used to sign in to ${appName}.`,
        heading: `You can now sign in with ${provider}`,
        paragraphs: [
          `Your ${appName} account was linked to an account at ${provider}, which can now be used to sign in.`,
          ...(hasRevoked
            ? [
                'Its email address had never been verified, so another person may have signed up with it. All devices were signed out, and the password and other sign-in methods from before were removed. To sign in with a password again, request a password reset and choose a new one.',
              ]
            : []),
        ],
        footnote:
          "If this was you, you don't need to do anything. If it wasn't, unlink it in your account, and change your password: someone else may have access.",
      }),
      de: ({ provider, hasRevoked }, { appName, say }) => ({
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
    },
    example: (app) => ({ user: exampleUser(app), provider: 'GitHub', hasRevoked: false }),
  }),
})

/** Part of the transaction that links. Some providers send a name in place of an email address. */
export async function accountLinked(tx: App, user: UserRow, notice: Omit<LinkNotice, 'user'>): Promise<void> {
  if (isEmailAddress(user.email)) await sendMail(tx, mails['account-linked'], user, { user: describeUser(tx, user), ...notice })
}

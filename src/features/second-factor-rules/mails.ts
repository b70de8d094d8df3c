/** The email before a rule takes effect. */
import { hostedURL } from '../dashboard/index.ts'
import { defineMails, mailKind } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'

export interface DueNotice {
  readonly user: DescribedUser
  /** ISO 8601. */
  readonly dueAt: string
  /** That are left. */
  readonly days: number
}

export const mails = defineMails({
  'two-factor-due': mailKind<DueNotice>({
    content: {
      en: ({ dueAt, days }, { appName, config, time }) => {
        const url = hostedURL(config, '/account/security')
        return {
          subject: `Set up a second factor for ${appName} by ${time(dueAt)}`,
          preheader: `You have ${days === 1 ? 'one day' : `${days} days`} left.`,
          heading: 'Set up a second factor',
          paragraphs: [
            `${appName} requires a second factor for your account, in addition to the password. Set one up by ${time(dueAt)}. After that, you set one up the next time you sign in, and other sessions end.`,
          ],
          ...(url !== null && { action: { label: 'Set up a second factor', url } }),
        }
      },
      de: ({ dueAt, days }, { appName, config, time, say }) => {
        const url = hostedURL(config, '/account/security')
        return {
          subject: say(
            `Richten Sie bis ${time(dueAt)} einen zweiten Faktor für ${appName} ein`,
            `Richte bis ${time(dueAt)} einen zweiten Faktor für ${appName} ein`,
          ),
          preheader: say(
            `Sie haben noch ${days === 1 ? 'einen Tag' : `${days} Tage`}.`,
            `Du hast noch ${days === 1 ? 'einen Tag' : `${days} Tage`}.`,
          ),
          heading: say('Richten Sie einen zweiten Faktor ein', 'Richte einen zweiten Faktor ein'),
          paragraphs: [
            say(
              `${appName} verlangt für Ihr Konto zusätzlich zum Passwort einen zweiten Faktor. Richten Sie ihn bis ${time(dueAt)} ein. Danach richten Sie ihn bei der nächsten Anmeldung ein, und andere Sitzungen enden.`,
              `${appName} verlangt für dein Konto zusätzlich zum Passwort einen zweiten Faktor. Richte ihn bis ${time(dueAt)} ein. Danach richtest du ihn bei der nächsten Anmeldung ein, und andere Sitzungen enden.`,
            ),
          ],
          ...(url !== null && { action: { label: 'Zweiten Faktor einrichten', url } }),
        }
      },
    },
    example: (app) => ({
      user: exampleUser(app),
      dueAt: new Date(app.now().getTime() + 7 * 86_400_000).toISOString(),
      days: 7,
    }),
  }),
})

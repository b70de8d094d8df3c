/** The email about a reset of second factors by an operator or administrator. */
import { defineMails } from '../outbox/index.ts'
import { notice } from './factor-notice.ts'

export const resetMails = defineMails({
  'two-factor-reset': notice(
    {
      en: (_, app) => ({
        subject: `The second factors of your ${app} account were reset`,
        heading: 'Your second factors were reset',
        paragraphs: [
          'An administrator removed second factors from your account, and signed you out everywhere. Sign in again, and set up what you need.',
        ],
        footnote: "If you didn't ask for this, contact the operator of this service, and change your password.",
      }),
      de: (_, app) => [
        [
          `Die zweiten Faktoren Ihres Kontos bei ${app} wurden zurückgesetzt`,
          `Die zweiten Faktoren deines Kontos bei ${app} wurden zurückgesetzt`,
        ],
        ['Ihre zweiten Faktoren wurden zurückgesetzt', 'Deine zweiten Faktoren wurden zurückgesetzt'],
        [
          'Ein Administrator hat zweite Faktoren aus Ihrem Konto entfernt und Sie überall abgemeldet. Melden Sie sich wieder an, und richten Sie ein, was Sie brauchen.',
          'Ein Administrator hat zweite Faktoren aus deinem Konto entfernt und dich überall abgemeldet. Melde dich wieder an, und richte ein, was du brauchst.',
        ],
        [
          'Wenn Sie nicht darum gebeten haben, wenden Sie sich an den Betreiber dieses Dienstes, und ändern Sie Ihr Passwort.',
          'Wenn du nicht darum gebeten hast, wende dich an den Betreiber dieses Dienstes, und ändere dein Passwort.',
        ],
      ],
    },
    { device: null, ipAddress: null },
  ),
})

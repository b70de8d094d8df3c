/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../mails.ts'

export const mails: MailTexts<Mails> = {
  'two-factor-due': ({ dueAt, days }, { appName, time, plural, button, say }) => {
    return {
      subject: say(
        `Richten Sie bis ${time(dueAt)} einen zweiten Faktor für ${appName} ein`,
        `Richte bis ${time(dueAt)} einen zweiten Faktor für ${appName} ein`,
      ),
      preheader: say(
        plural(days, { one: 'Sie haben noch einen Tag.', other: 'Sie haben noch # Tage.' }),
        plural(days, { one: 'Du hast noch einen Tag.', other: 'Du hast noch # Tage.' }),
      ),
      heading: say('Richten Sie einen zweiten Faktor ein', 'Richte einen zweiten Faktor ein'),
      paragraphs: [
        say(
          `${appName} verlangt für Ihr Konto zusätzlich zum Passwort einen zweiten Faktor. Richten Sie ihn bis ${time(dueAt)} ein. Danach richten Sie ihn bei der nächsten Anmeldung ein, und andere Sitzungen enden.`,
          `${appName} verlangt für dein Konto zusätzlich zum Passwort einen zweiten Faktor. Richte ihn bis ${time(dueAt)} ein. Danach richtest du ihn bei der nächsten Anmeldung ein, und andere Sitzungen enden.`,
        ),
      ],
      ...button('/account/security', 'Zweiten Faktor einrichten'),
    }
  },
}

/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../mails.ts'

export const mails: MailTexts<Mails> = {
  'two-factor-due': ({ dueAt, days }, { appName, time, plural, button }) => {
    return {
      subject: `Set up a second factor for ${appName} by ${time(dueAt)}`,
      preheader: plural(days, { one: 'You have one day left.', other: 'You have # days left.' }),
      heading: 'Set up a second factor',
      paragraphs: [
        `${appName} requires a second factor for your account, in addition to the password. Set one up by ${time(dueAt)}. After that, you set one up the next time you sign in, and other sessions end.`,
      ],
      ...button('/account/security', 'Set up a second factor'),
    }
  },
}

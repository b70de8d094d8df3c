import type { App } from '../../core/app.ts'
import { durationInWords } from '../../lib/duration.ts'
import type { LinkMail } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import type { MailContent } from '../outbox/index.ts'

export const mails = {
  'delete-account': {
    callback: ({ user: { deleteUser } }: Config) =>
      typeof deleteUser.sendDeleteAccountVerification === 'function' ? deleteUser.sendDeleteAccountVerification : undefined,
    render: ({ url }: LinkMail, { config }: App): MailContent => ({
      subject: `Delete your account at ${config.appName}`,
      heading: 'Delete your account',
      paragraphs: [
        `Somebody, probably you, asked to delete your account at ${config.appName}.`,
        'Everything that belongs to it goes with it. This cannot be undone.',
      ],
      action: { label: 'Delete account', url },
      footnote: `This link works once, for ${durationInWords(config.user.deleteUser.deleteTokenExpiresIn)}, in a browser in which you are signed in. If you did not ask for it, change your password: somebody else has used your account.`,
    }),
  },
}

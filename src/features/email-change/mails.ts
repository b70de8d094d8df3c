import type { App } from '../../core/app.ts'
import { durationInWords } from '../../lib/duration.ts'
import type { Config } from '../index.ts'
import type { MailContent } from '../outbox/index.ts'
import type { ChangeMail } from './config.ts'

export const mails = {
  'change-email': {
    callback: ({ user: { changeEmail } }: Config) =>
      typeof changeEmail.sendChangeEmailVerification === 'function' ? changeEmail.sendChangeEmailVerification : undefined,
    render: ({ url, newEmail }: ChangeMail, { config }: App): MailContent => ({
      subject: `Change your address at ${config.appName}`,
      heading: 'Change your address',
      paragraphs: [
        `Somebody, probably you, asked to use ${newEmail} for your account at ${config.appName} in place of this address.`,
      ],
      action: { label: 'Change address', url },
      footnote: `This link works for ${durationInWords(config.emailVerification.expiresIn)}, in a browser in which you are signed in. If you did not ask for it, change your password: somebody else has used your account.`,
    }),
  },
}

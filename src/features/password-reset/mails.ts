import type { App } from '../../core/app.ts'
import { durationInWords } from '../../lib/duration.ts'
import type { LinkMail } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import type { MailContent } from '../outbox/index.ts'

export const mails = {
  'reset-password': {
    callback: ({ emailAndPassword: { sendResetPassword } }: Config) =>
      typeof sendResetPassword === 'function' ? sendResetPassword : undefined,
    render: ({ url }: LinkMail, { config }: App): MailContent => ({
      subject: `Choose a new password for ${config.appName}`,
      heading: 'Choose a new password',
      paragraphs: [`Somebody, probably you, asked for a new password for your account at ${config.appName}.`],
      action: { label: 'Choose password', url },
      footnote: `This link works once, for ${durationInWords(config.emailAndPassword.resetPasswordTokenExpiresIn)}. If you did not ask for it, ignore this mail: your password stays as it is.`,
    }),
  },
}

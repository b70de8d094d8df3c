import type { App } from '../../core/app.ts'
import type { MailContent } from '../outbox/index.ts'

export const mails = {
  'account-exists': {
    callback: () => undefined,
    render: (_: object, { config }: App): MailContent => ({
      subject: `You have an account at ${config.appName}`,
      heading: 'You have an account already',
      paragraphs: [
        `Somebody, probably you, tried to create an account at ${config.appName} with this address. There is one, so none was created.`,
        'Sign in with your password, or ask for a new one if you have forgotten it.',
      ],
      footnote: 'If it was not you, ignore this mail: nothing has changed.',
    }),
  },
}

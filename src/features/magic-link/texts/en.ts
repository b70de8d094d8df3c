/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { Mails } from '../texts.ts'

const facts = { requested: 'Requested', device: 'Device', ipAddress: 'IP address', on: 'on' }

export const mails: MailTexts<Mails> = {
  'magic-link': ({ url, code, ...requester }, context) => {
    const duration = context.duration(context.config.magicLink.expiresIn)
    return {
      subject: `${code} is your ${context.appName} code, or sign in with the link`,
      preheader: `The link and the code expire in ${duration}.`,
      heading: `Sign in to ${context.appName}`,
      paragraphs: [
        `Open the link on the device on which you asked for it. If that is another one, enter this code there: ${code}`,
        'Never share this email: we will never ask you for it.',
      ],
      facts: requesterFacts(requester, context, facts),
      action: { label: 'Sign in', url },
      footnote: `The link works once and expires in ${duration}. If you didn't request it, you can ignore this email.`,
    }
  },
}

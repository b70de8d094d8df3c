/** The email with a password reset link. */
import { exampleLinkMail } from '../email-verification/index.ts'
import { defineMails } from '../outbox/index.ts'
import { textsOf } from './texts.ts'

export const mails = defineMails(textsOf, {
  'reset-password': {
    toStrangers: true,
    hasLink: true,
    option: ({ emailAndPassword }) => emailAndPassword.sendResetPassword,
    example: exampleLinkMail,
  },
})

/** The email with the link that confirms the deletion of an account. */
import { exampleLinkMail } from '../email-verification/index.ts'
import { defineMails } from '../outbox/index.ts'
import { textsOf } from './texts.ts'

export const mails = defineMails(textsOf, {
  'delete-account': {
    toStrangers: true,
    hasLink: true,
    option: ({ user }) => user.deleteUser.sendDeleteAccountVerification,
    example: exampleLinkMail,
  },
})

/** Emails about a change of the email address. */
import type { LockableNotice } from '../../core/message.ts'
import type { LinkMail } from '../email-verification/index.ts'
import { exampleLinkMail } from '../email-verification/index.ts'
import { defineMails } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import { textsOf } from './texts.ts'

export interface ChangeMail extends LinkMail {
  readonly newEmail: string
}

/** `user`: with the new email address. */
export interface ChangeNotice extends LockableNotice {
  readonly user: DescribedUser
  readonly formerEmail: string
}

export const mails = defineMails(textsOf, {
  'change-email': {
    hasLink: true,
    option: ({ user }) => user.changeEmail.sendChangeEmailVerification,
    example: (app) => ({ ...exampleLinkMail(app), newEmail: 'ida.wolfsgruber@example.org' }),
  },
  'email-in-use': {
    toStrangers: true,
    example: () => ({}),
  },
  'email-changed': {
    isNotice: true,
    toStrangers: false,
    option: ({ user }) => user.changeEmail.sendEmailChanged,
    // Without the new address: the former one may belong to another person than the user.
    example: (app) => ({ user: exampleUser(app), formerEmail: 'ida@example.net' }),
  },
})

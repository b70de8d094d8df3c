/** The emails with a verification link, and about what ended when the owner of an email address verified it. */

import type { App } from '../../core/app.ts'
import type { LockableNotice } from '../../core/message.ts'
import { defineMails, shortURL } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import { textsOf } from './texts.ts'

/** What ended, because another person than the owner of the email address may have set it up. */
export interface EndedNotice extends LockableNotice {
  readonly user: DescribedUser
  readonly password: boolean
  /** Ids of the providers of linked accounts. */
  readonly providers: readonly string[]
  readonly phoneNumber: boolean
  readonly sessions: number
  readonly apiKeys: number
  readonly passkeys: number
  readonly secondFactors: number
  readonly trustedBrowsers: number
}

/** Argument of a function that sends a link. Dates of the user are strings. */
export interface LinkMail {
  readonly user: DescribedUser
  readonly url: string
  readonly token: string
}

/** For previews of emails with a link. */
export const exampleLinkMail = (app: Pick<App, 'config' | 'now'>): LinkMail => {
  const token = 'Zk2p0vXnq7Lw4tR9sYb1cE6h'
  return { user: exampleUser(app), url: shortURL(app.config, token), token }
}

export const mails = defineMails(textsOf, {
  verification: {
    toStrangers: true,
    hasLink: true,
    option: ({ emailVerification }) => emailVerification.sendVerificationEmail,
    example: exampleLinkMail,
  },
  'earlier-access-ended': {
    isNotice: true,
    example: (app) => ({
      user: exampleUser(app),
      ...{
        password: true,
        providers: ['github'],
        phoneNumber: false,
        sessions: 2,
        apiKeys: 1,
        passkeys: 1,
        secondFactors: 0,
        trustedBrowsers: 0,
      },
    }),
  },
})

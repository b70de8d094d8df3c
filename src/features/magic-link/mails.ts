/** The email with a magic link. */
import { defineMails, shortURL } from '../outbox/index.ts'
import { exampleRequester, type Requester } from '../verifications/index.ts'
import { textsOf } from './texts.ts'

/** What `magicLink.sendMagicLink` gets. */
export interface LinkMail extends Requester {
  readonly email: string
  readonly url: string
  readonly token: string
  /** For the page of the browser that asked. */
  readonly code: string
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

export const mails = defineMails(textsOf, {
  'magic-link': {
    ...{ toStrangers: true, hasOwnLimit: true, hasLink: true },
    lifetime: ({ magicLink }) => magicLink.expiresIn,
    option: ({ magicLink }) => magicLink.sendMagicLink,
    example: (app) => {
      const token = 'Zk2p0vXnq7Lw4tR9sYb1cE6h'
      return { email: 'ida@example.com', url: shortURL(app.config, token), token, code: '482913', ...exampleRequester(app) }
    },
  },
})

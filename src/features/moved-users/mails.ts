/** The email with the setup link of a user who was moved here without a password. */
import { defineMails } from '../outbox/index.ts'
import { textsOf } from './texts.ts'

export const mails = defineMails(textsOf, {
  'set-up-link': {
    toStrangers: false,
    hasLink: true,
    example: ({ config }) => ({ url: `${config.baseURL ?? 'http://localhost:4000'}/set-up?token=Zk2p0vXnq7Lw4tR9sYb1cE6h` }),
  },
})

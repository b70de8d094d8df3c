/** The emails of the waiting list. */
import { defineMails } from '../outbox/index.ts'
import { textsOf } from './texts.ts'

export const mails = defineMails(textsOf, {
  'waiting-list-joined': { toStrangers: true, example: () => ({}) },
  'waiting-list-approved': {
    toStrangers: false,
    example: ({ config }) => ({ url: `${config.baseURL ?? 'http://localhost:4000'}/sign-up` }),
  },
})

/** The email before a rule takes effect. */
import { defineMails } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import { textsOf } from './texts.ts'

export interface DueNotice {
  readonly user: DescribedUser
  /** ISO 8601. */
  readonly dueAt: string
  /** That are left. */
  readonly days: number
}

export const mails = defineMails(textsOf, {
  'two-factor-due': {
    example: (app) => ({
      user: exampleUser(app),
      dueAt: new Date(app.now().getTime() + 7 * 86_400_000).toISOString(),
      days: 7,
    }),
  },
})

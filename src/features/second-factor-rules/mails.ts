/** The email before a rule takes effect. */
import { textFiles } from '../../core/text-files.ts'
import { defineMails } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'

export interface DueNotice {
  readonly user: DescribedUser
  /** ISO 8601. */
  readonly dueAt: string
  /** That are left. */
  readonly days: number
}

/** The data of the emails, by kind. */
export interface Mails {
  readonly 'two-factor-due': DueNotice
}

const textsOf = textFiles<Mails>((language) => import(`./texts/${language}.ts`))

export const mails = defineMails(textsOf, {
  'two-factor-due': {
    example: (app) => ({
      user: exampleUser(app),
      dueAt: new Date(app.now().getTime() + 7 * 86_400_000).toISOString(),
      days: 7,
    }),
  },
})

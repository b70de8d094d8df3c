/** Notices of linked accounts (ASVS 6.3.7). */
import type { App } from '../../core/app.ts'
import type { LockableNotice } from '../../core/message.ts'
import type { UserRow } from '../../core/request.ts'
import { isEmailAddress } from '../../lib/text.ts'
import { defineMails, mailTemplates, sendMail } from '../outbox/index.ts'
import { type DescribedUser, describeUser, exampleUser } from '../users/index.ts'
import { textsOf } from './texts.ts'

export interface LinkNotice extends LockableNotice {
  readonly user: DescribedUser
  /** Name of the provider. */
  readonly provider: string
  /** Whether sessions and sign-in methods from before were removed, because the email address was never verified. */
  readonly hasRevoked: boolean
}

export const mailConfig = mailTemplates<{ 'account-linked': LinkNotice }>({
  'account-linked': 'that notifies of a linked social account',
})

export const mails = defineMails(textsOf, {
  'account-linked': {
    isNotice: true,
    option: ({ account }) => account.accountLinking.sendAccountLinked,
    example: (app) => ({ user: exampleUser(app), provider: 'GitHub', hasRevoked: false }),
  },
})

/** Part of the transaction that links. Some providers send a name in place of an email address. */
export async function accountLinked(tx: App, user: UserRow, notice: Omit<LinkNotice, 'user'>): Promise<void> {
  if (isEmailAddress(user.email)) await sendMail(tx, mails['account-linked'], user, { user: describeUser(tx, user), ...notice })
}

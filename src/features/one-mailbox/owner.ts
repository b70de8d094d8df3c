/** Who has a mailbox. */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import { mailboxOf } from '../../lib/mailbox.ts'

const findByMailbox = statement({ user: 'user' }, (db, { mailbox }: { mailbox: string }) =>
  db.selectFrom('user').where('user.mailbox', '=', mailbox),
)

/** @param email any address of the mailbox; a text that is no email address has no owner */
export async function findOwner(app: App, email: string): Promise<UserRow | null> {
  const [found] = await findByMailbox(app, { mailbox: mailboxOf(email) ?? 'none' })
  return found?.user ?? null
}

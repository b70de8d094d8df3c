/** Who has a mailbox, and which mailbox users have. Of several users with one mailbox, the first keeps it, and nothing else changes. */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import { inBatches } from '../../core/sweep.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { mailboxOf } from '../../lib/mailbox.ts'

const findByMailbox = statement({ user: 'user' }, (db, { mailbox }: { mailbox: string }) =>
  db.selectFrom('user').where('user.mailbox', '=', mailbox),
)

/** @param email any address of the mailbox; a text without an `@` has no owner */
export async function findOwner(app: App, email: string): Promise<UserRow | null> {
  const [found] = await findByMailbox(app, { mailbox: mailboxOf(email) ?? 'none' })
  return found?.user ?? null
}

interface Addressed {
  readonly id: string
  readonly email: string
}

const batchSize = 200
const longestRunMs = 50_000

/** In place of a mailbox that another user has. The row is not read again, and no email address has a space. */
export const sharedMark = (userId: string): string => `shared ${userId}`

const mailboxFor = ({ id, email }: Addressed): string => mailboxOf(email) ?? sharedMark(id)

/** @returns false when another user has the mailbox */
export async function setMailbox(app: App, user: Addressed): Promise<boolean> {
  const update = (mailbox: string) => app.db.updateTable('user').set({ mailbox }).where('id', '=', user.id)
  if (await insertUnlessExists(app, update(mailboxFor(user)))) return true
  await update(sharedMark(user.id)).execute()
  return false
}

function setMailboxes(app: App, users: readonly Addressed[]): Promise<boolean> {
  const values = users.map((user) => sql`when ${user.id} then ${mailboxFor(user)}`)
  const ids = users.map(({ id }) => id)
  const update = app.db
    .updateTable('user')
    .set({ mailbox: sql<string>`case id ${sql.join(values, sql` `)} end` })
    // A user who has just changed their address has a mailbox already.
    .where('mailbox', 'is', null)
    .where('id', 'in', ids)
  return insertUnlessExists(app, update)
}

/** Reads users who existed before `signUp.oneMailbox` was set, or whom an application has inserted. @param signal stops between two batches */
export async function fillMailboxes(app: App, signal: AbortSignal): Promise<void> {
  const end = app.now().getTime() + longestRunMs
  const fillBatch = async (from: string) => {
    const unread = app.db.selectFrom('user').select(['id', 'email']).where('mailbox', 'is', null).where('id', '>', from)
    const users = await unread.orderBy('id').limit(batchSize).execute()
    if (users.length > 0 && !(await setMailboxes(app, users))) for (const user of users) await setMailbox(app, user)
    return users.length < batchSize ? null : (users.at(-1)?.id ?? null)
  }
  await inBatches(app, signal, '', fillBatch, () => app.now().getTime() >= end)
}

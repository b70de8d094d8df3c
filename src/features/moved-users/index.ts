/** Users who were moved here without a password: a failed sign-in can send them a setup link. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { type ConfigIssue, group } from '../../core/config.ts'
import type { Listeners } from '../../core/events.ts'
import { id, nullable, references, timestamp, unique } from '../../core/table.ts'
import { insertionsOf } from '../../core/write.ts'
import { findCredentialAccount } from '../accounts/index.ts'
import type { Config } from '../index.ts'
import { canSend, defineMails, isSent, mailTemplates, sendMail } from '../outbox/index.ts'
import { mailSetupLink } from '../setup/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { type SetupMail, textsOf } from './texts.ts'

export const mails = defineMails(textsOf, {
  'set-up-link': {
    toStrangers: false,
    hasLink: true,
    example: ({ config }) => ({ url: `${config.baseURL ?? 'http://localhost:4000'}/set-up?token=Zk2p0vXnq7Lw4tR9sYb1cE6h` }),
  },
})

export const config = {
  ...mailTemplates<{ 'set-up-link': SetupMail }>({
    'set-up-link': 'with the setup link of a user who was moved without a password',
  }),
  move: group('Moving from another system', {
    sendSetupLinkOnSignIn: z
      .boolean()
      .default(false)
      .describe(
        'Send a setup link when a sign-in with the email address of a user who was moved without a password fails; at most once a day',
      ),
  }),
}

export function checkConfig(config: Config): ConfigIssue[] {
  if (!config.move.sendSetupLinkOnSignIn || isSent(config, mails['set-up-link'])) return []
  return [
    {
      id: 'move-setup-links-unsent',
      path: 'move.sendSetupLinkOnSignIn',
      message: 'Setup links could not be sent, because no email can be sent.',
      hint: 'Configure mail.',
    },
  ]
}

/** A row for each user who was moved without a password. */
export const tables = {
  movedUser: { id: id(), userId: unique(references('user')), setupLinkSentAt: nullable(timestamp()) },
}

/** Marks users as moved without a password, in the transaction of an import. */
export async function markMovedUsers(tx: App, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const rows = userIds.map((userId) => ({ id: tx.random.id(), userId, setupLinkSentAt: null }))
  for (const some of insertionsOf(rows)) await tx.db.insertInto('movedUser').values(some).execute()
}

const day = 86_400_000

/** Whether a link may be sent now. Of two calls at the same time, one sends it. */
async function claimLink(tx: App, userId: string): Promise<boolean> {
  const claimed = await tx.db
    .updateTable('movedUser')
    .set({ setupLinkSentAt: tx.now() })
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('setupLinkSentAt', 'is', null), eb('setupLinkSentAt', '<=', new Date(tx.now().getTime() - day))]))
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

/** Sends the link of a user who was moved here without a password and has none yet. Does nothing for anyone else. */
async function sendLink(app: App, email: string): Promise<void> {
  const user = await findUserByEmail(app, email)
  if (!user || user.lockedAt || user.banned) return
  const isMarked = await app.db.selectFrom('movedUser').select('id').where('userId', '=', user.id).executeTakeFirst()
  if (!isMarked || (await findCredentialAccount(app, user.id))?.password) return
  await mailSetupLink(app, user.id, async (tx, url) => {
    if (!(await claimLink(tx, user.id))) return false
    await sendMail(tx, mails['set-up-link'], user, { url }, 'sign-in')
    return true
  })
}

export const on: Listeners = {
  // After the response, whose time must not reveal for whom a link is sent.
  'password.sign-in-failed': async (app, { email }) => {
    if (app.config.move.sendSetupLinkOnSignIn && canSend(app, mails['set-up-link'])) app.defer((later) => sendLink(later, email))
  },
}

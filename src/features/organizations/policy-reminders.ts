/** The email that asks members without a second factor to set one up, and its bound for each member. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { canSend, defineMails, sendMail } from '../outbox/index.ts'
import { type DescribedUser, describeUser, exampleUser, findUsersByEmailOrId } from '../users/index.ts'
import { organizationEvent } from './events.ts'
import { errors, type OrganizationRow } from './model.ts'
import { holdsRequiredFactor } from './second-factor-policy.ts'
import { findOrganization, lockOrganization } from './store.ts'
import { textsOf } from './texts.ts'

/** The data of a reminder. */
export interface FactorReminder {
  readonly user: DescribedUser
  readonly organization: { readonly id: string; readonly name: string }
  /** Whether the organization demands it; otherwise it asks for it. */
  readonly required: boolean
}

export const reminderMails = defineMails(textsOf, {
  'organization-two-factor': {
    example: (app) => ({
      user: exampleUser(app),
      organization: { id: 'Yb1cE6hZk2p0vXnq7Lw4tR9sYb1cE6hZ', name: 'Halden Ferry' },
      required: true,
    }),
  },
})

/** Members who get a reminder by one call, and the time until the next one of each. */
const mostReminders = 100
const pauseMs = 86_400_000

/** Members without a second factor that satisfies the policy, who have got no reminder in the last day. */
const remindable = (app: App, organizationId: string, isSatisfied: RawBuilder<SqlBool>) =>
  app.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', organizationId)
    .where(sql<SqlBool>`not (${isSatisfied})`)
    .where(({ eb, or }) =>
      or([
        eb('member.twoFactorRemindedAt', 'is', null),
        eb('member.twoFactorRemindedAt', '<=', new Date(app.now().getTime() - pauseMs)),
      ]),
    )

/**
 * Sends an email to members without a second factor, at most one a day to each. The organization is locked, so that of calls at the
 * same time only one sends it.
 * @returns how many were written to, and whether there are more
 * @throws ApiError ORGANIZATION_NOT_FOUND
 */
export const remindMembers = (app: App, organizationId: string): Promise<{ sent: number; hasMore: boolean }> =>
  transaction(app, async (tx) => {
    const organization = (await lockOrganization(tx, organizationId)) ? await findOrganization(tx, organizationId) : null
    if (!organization) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
    if (!canSend(tx, reminderMails['organization-two-factor'])) return { sent: 0, hasMore: false }
    const found = await remindable(tx, organizationId, await holdsRequiredFactor(tx))
      .select(['member.id', 'member.userId'])
      .orderBy('member.createdAt')
      .orderBy('member.id')
      .limit(mostReminders + 1)
      .execute()
    const reminded = found.slice(0, mostReminders)
    await sendReminders(tx, organization, reminded)
    return { sent: reminded.length, hasMore: found.length > mostReminders }
  })

async function sendReminders(tx: App, organization: OrganizationRow, members: readonly { id: string; userId: string }[]) {
  if (members.length === 0) return
  const ids = members.map(({ id }) => id)
  await tx.db.updateTable('member').set({ twoFactorRemindedAt: tx.now() }).where('id', 'in', ids).execute()
  const { id, name, twoFactorRequired: required } = organization
  const users = await findUsersByEmailOrId(
    tx,
    [],
    members.map(({ userId }) => userId),
  )
  for (const user of users) {
    const data = { user: describeUser(tx, user), organization: { id, name }, required }
    await sendMail(tx, reminderMails['organization-two-factor'], user, data)
  }
  await recordEvent(tx, organizationEvent('organization.two-factor-reminded', organization, { members: users.length }))
}

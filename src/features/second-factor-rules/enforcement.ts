/** What happens to users before and when their grace ends: emails, and the end of sessions that have proven one factor only. */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import type { UserRow } from '../../core/request.ts'
import { sweep } from '../../core/sweep.ts'
import { transaction } from '../../core/transaction.ts'
import { dayMs } from '../../lib/iso-time.ts'
import { sendMail } from '../outbox/index.ts'
import {
  dueAtOf,
  findFactors,
  heldBy,
  nextStep,
  type Requirement,
  ruleName,
  rulesFor,
  userRules,
  whatIsRequired,
} from '../second-factor/index.ts'
import { revokeSessions } from '../sessions/index.ts'
import { describeUser, findUserById, holdUser } from '../users/index.ts'
import { mails } from './mails.ts'

interface Due {
  readonly id: string
  readonly userId: string
  readonly rule: string
  readonly startedAt: Date
  readonly nextAt: Date
}

/** One user after the other, each in a transaction of its own. */
export const enforceRules: Job['run'] = async (app, signal) => {
  if (userRules(app.config).length === 0) return
  await sweep(app, signal, new Date(0), async (from, limit) => {
    const rows = await app.db
      .selectFrom('twoFactorDue')
      .select(['id', 'userId', 'rule', 'startedAt', 'nextAt'])
      .where('nextAt', '>=', from)
      .where('nextAt', '<=', app.now())
      .orderBy('nextAt')
      .limit(limit)
      .execute()
    for (const { nextAt, ...row } of rows) {
      if (signal.aborted) return null
      if (nextAt !== null) await takeStep(app, { ...row, nextAt })
    }
    return rows.length < limit ? null : (rows.at(-1)?.nextAt ?? null)
  })
}

/** Of two daemons one does it: the conditional update decides, in the transaction of what it permits. */
const takeStep = (app: App, due: Due): Promise<void> =>
  transaction(app, async (tx) => {
    const user = (await holdUser(tx, { id: due.userId })) ? await findUserById(tx, due.userId) : null
    const rule = user && rulesFor(tx.config, user).find((one) => ruleName(one) === due.rule)
    const dueAt = rule ? dueAtOf(rule, due.startedAt) : null
    const taken = await tx.db
      .updateTable('twoFactorDue')
      .set({ nextAt: dueAt && nextStep(tx, dueAt), ...(dueAt && { dueAt }) })
      .where('id', '=', due.id)
      .where('nextAt', '=', due.nextAt)
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n || !user || !rule) return
    const held = await heldBy(tx, user, await findFactors(tx, user.id))
    const startedAt = new Map([[due.rule, due.startedAt]])
    const requirement = whatIsRequired({ rules: [rule], held, startedAt, now: tx.now() })
    if (requirement.result === 'grace') await remind(tx, user, requirement)
    if (requirement.result === 'setup') await endWeakSessions(tx, user)
  })

async function remind(tx: App, user: UserRow, { dueAt }: Requirement): Promise<void> {
  if (dueAt === null || !user.emailVerified) return
  const days = Math.max(1, Math.round((dueAt.getTime() - tx.now().getTime()) / dayMs))
  await sendMail(tx, mails['two-factor-due'], user, { user: describeUser(tx, user), dueAt: dueAt.toISOString(), days })
}

/** Sessions that have proven two factors stay, such as those of a provider that asks for them. */
async function endWeakSessions(tx: App, { id: userId }: UserRow): Promise<void> {
  const weak = await tx.db.selectFrom('session').selectAll().where('userId', '=', userId).where('acr', 'is', null).execute()
  const ids = weak.filter((session) => !('impersonatedBy' in session && session.impersonatedBy)).map(({ id }) => id)
  if (ids.length > 0) await revokeSessions(tx, { ids }, { reason: 'second-factor-required' })
}

/** What the rules demand of a user now, and since when (contract 11 §10). Users under no rule cost no query. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { dayMs } from '../../lib/iso-time.ts'
import { recordEvent } from '../audit/index.ts'
import { holdUser } from '../users/index.ts'
import { hasTOTP, otherFactor, ownFactors, sendsBy, usableChannels } from './methods.ts'
import { errors, type FactorRow, findFactors } from './model.ts'
import {
  dueAtOf,
  isSatisfied,
  type Qualifying,
  type Requirement,
  type Rule,
  ruleName,
  rulesFor,
  whatIsRequired,
} from './rules.ts'

/** The second factors of a user that satisfy rules. A passkey does whether or not its user has enabled it as a second factor. */
export async function heldBy(app: App, user: UserRow, row: FactorRow | null): Promise<Qualifying[]> {
  const own = await ownFactors(app, user, null)
  return heldWith(app, user, row, { hasPasskey: own.some(({ type }) => type === 'passkey') })
}

/** The same, of a user of whom all rows are read. */
export const heldWith = (app: App, user: UserRow, row: FactorRow | null, { hasPasskey }: { readonly hasPasskey: boolean }) => [
  ...(hasPasskey ? (['passkey'] as const) : []),
  ...(hasTOTP(app.config, row) ? (['totp'] as const) : []),
  ...(usableChannels(app, user, row, null).includes('sms') ? (['sms'] as const) : []),
]

/** Whether `heldBy` finds any, as a condition of queries that read `user`. */
export function holdsAny(app: App): RawBuilder<SqlBool> {
  const column = (name: keyof FactorRow) => sql.ref(`twoFactor.${name}`)
  const kinds = [
    ...(app.config.twoFactor.totpOptions.disable
      ? []
      : [sql`(${column('secret')} is not null and ${column('verified')} = ${true})`]),
    ...(sendsBy(app, 'sms')
      ? [
          sql`(${column('otpChannels')} in ('sms', 'sms,email') and ${column('suspendedAt')} is null
            and ${sql.ref('user.phoneNumberVerified')} = ${true} and ${sql.ref('user.phoneNumber')} is not null)`,
        ]
      : []),
  ]
  const own = sql`${column('userId')} = ${sql.ref('user.id')} and (${sql.join(kinds, sql` or `)})`
  const conditions = [
    ...(kinds.length > 0 ? [sql`exists (select 1 from ${sql.table('twoFactor')} where ${own})`] : []),
    ...[otherFactor(app, 'passkey')?.isUsable(app) ?? []].flat(),
  ]
  return conditions.length > 0 ? sql<SqlBool>`(${sql.join(conditions, sql` or `)})` : sql<SqlBool>`1 = 0`
}

const findByUser = statement({ due: 'twoFactorDue' }, (db, { userId }: { userId: string }) =>
  db.selectFrom('twoFactorDue as due').where('due.userId', '=', userId),
)

const findDue = async (app: App, userId: string) => (await findByUser(app, { userId })).map(({ due }) => due)

/** By the name of the rule. */
const startsOf = (due: Awaited<ReturnType<typeof findDue>>) => new Map(due.map(({ rule, startedAt }) => [rule, startedAt]))

/** What the rules demand of a user, without a change. */
export async function requirementOf(app: App, user: UserRow): Promise<Requirement> {
  const rules = rulesFor(app.config, user)
  if (rules.length === 0) return whatIsRequired({ rules, held: [], startedAt: new Map(), now: app.now() })
  const held = await heldBy(app, user, await findFactors(app, user.id))
  const startedAt = startsOf(await findDue(app, user.id))
  return whatIsRequired({ rules, held, startedAt, now: app.now() })
}

/** The same for a user who signs in, or uses a session: the grace starts when they first meet a rule. */
export async function meetRules(app: App, user: UserRow): Promise<Requirement> {
  const rules = rulesFor(app.config, user)
  if (rules.length === 0) return whatIsRequired({ rules, held: [], startedAt: new Map(), now: app.now() })
  const held = await heldBy(app, user, await findFactors(app, user.id))
  const open = rules.filter((rule) => !isSatisfied(rule, held))
  const known = open.length > 0 ? await findDue(app, user.id) : []
  const startedAt = startsOf(known)
  for (const rule of open) {
    const due = known.find((one) => one.rule === ruleName(rule))
    const dueAt = dueAtOf(rule, due?.startedAt ?? app.now())
    if (!due) await startGrace(app, user.id, ruleName(rule), dueAt)
    else if (due.dueAt.getTime() !== dueAt.getTime() || (due.nextAt === null && dueAt > app.now()))
      await app.db
        .updateTable('twoFactorDue')
        .set({ dueAt, nextAt: nextStep(app, dueAt) })
        .where('id', '=', due.id)
        .execute()
  }
  return whatIsRequired({ rules, held, startedAt, now: app.now() })
}

/** Days before the end of the grace on which users get an email. */
const noticeDays = [7, 3, 1] as const

/** When a job has to do something next: notify the user, or end their sessions. Null: nothing is left. */
export function nextStep({ now }: Pick<App, 'now'>, dueAt: Date): Date | null {
  const steps = [...noticeDays.map((days) => new Date(dueAt.getTime() - days * dayMs)), dueAt]
  return steps.find((step) => step > now()) ?? null
}

/** Of concurrent sign-ins one starts it. */
const startGrace = (app: App, userId: string, rule: string, dueAt: Date): Promise<void> =>
  transaction(app, async (tx) => {
    if (!(await holdUser(tx, { id: userId }))) return
    const now = tx.now()
    // A rule without grace: the sessions that the user has already end with the next run of the job.
    const nextAt = nextStep(tx, dueAt) ?? now
    const row = { id: tx.random.id(), userId, rule, startedAt: now, dueAt, nextAt }
    if (!(await insertUnlessExists(tx, tx.db.insertInto('twoFactorDue').values(row)))) return
    await recordEvent(tx, { action: 'two-factor.required', target: { type: 'user', id: userId }, details: { rule, dueAt } })
  })

/** Whether a user without a second factor has a passkey that satisfies a rule. */
export const hasQualifying = async (app: App, user: UserRow): Promise<boolean> =>
  rulesFor(app.config, user).some((rule) => isSatisfied(rule, ['passkey'])) && (await heldBy(app, user, null)).includes('passkey')

/**
 * Call it in the transaction that removes a second factor, before the removal.
 * @returns the check to call after it; it throws ApiError SECOND_FACTOR_CANNOT_BE_DISABLED when a rule was satisfied, and is not any more
 */
export async function watchRemoval(tx: App, user: UserRow): Promise<() => Promise<void>> {
  const rules = rulesFor(tx.config, user)
  if (rules.length === 0) return async () => {}
  const countSatisfied = async () => {
    const held = await heldBy(tx, user, await findFactors(tx, user.id))
    return rules.filter((rule) => isSatisfied(rule, held)).length
  }
  const before = await countSatisfied()
  return async () => {
    if ((await countSatisfied()) < before) throw new ApiError(errors.SECOND_FACTOR_CANNOT_BE_DISABLED)
  }
}

/** Whether the grace of a user under a rule that disables their API keys is over. */
export async function disablesKeys(app: App, user: UserRow): Promise<boolean> {
  const strict = rulesFor(app.config, user).filter(({ apiKeys }) => !apiKeys)
  if (strict.length === 0) return false
  const held = await heldBy(app, user, await findFactors(app, user.id))
  const startedAt = startsOf(await findDue(app, user.id))
  // A user who has never signed in under the rule has the whole grace before them.
  const isOver = ({ latest }: Rule) => latest !== undefined && new Date(latest) <= app.now()
  const met = strict.filter((rule) => isOver(rule) || startedAt.has(ruleName(rule)))
  return whatIsRequired({ rules: met, held, startedAt, now: app.now() }).result === 'setup'
}

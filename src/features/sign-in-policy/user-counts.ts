/**
 * What only a look at each user can show: whom a rule is for, who has a second factor, and who has one sign-in method only. Counted by a
 * job once a day, and read from the statistics.
 */
import { createHash } from 'node:crypto'
import { type App, memo } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import type { UserRow } from '../../core/request.ts'
import { signInMethodsOf } from '../../core/sign-in.ts'
import { inBatches } from '../../core/sweep.ts'
import { transaction } from '../../core/transaction.ts'
import { findWorking } from '../passkeys/index.ts'
import { heldWith, type Rule, rulesFor, userRules, whatIsRequired } from '../second-factor/index.ts'
import { replaceCounts, startOf } from '../statistics/index.ts'

type Totals = Map<string, number>

const shortHash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

/** Identifies a rule with all that its counts depend on, so that a changed rule has none of the former one. */
const ruleKey = ({ roles, moved, methods, graceDays, latest }: Rule): string =>
  shortHash([roles, methods, graceDays, latest, ...(moved ? ['moved'] : [])])

/** Of what the counts depend on. The time of a count is stored under it, so that a change of the configuration leads to another count. */
const labelOfTime = memo((app: App): string => {
  const { enabled, totpOptions, otpOptions } = app.config.twoFactor
  const names = signInMethodsOf(app.features, app.config).map(({ name }) => name)
  return `counted-at ${shortHash([userRules(app.config), names, enabled, totpOptions.disable, otpOptions.channels])}`
})

const countSeries = 'user-count'
const batchSize = 500

/** Counts all users unless that was done on this day. It changes no user, and of two daemons that count, the last one is right too. */
export const countUsers: Job['run'] = async (app, signal) => {
  const at = startOf(app.now(), 'day')
  const counted = app.db.selectFrom('statistic').select('id').where('series', '=', countSeries).where('unit', '=', 'day')
  if (await counted.where('at', '=', at).where('label', '=', labelOfTime(app)).executeTakeFirst()) return
  const totals: Totals = new Map()
  const isDone = await inBatches(app, signal, '', (from) => countBatch(app, totals, from))
  if (!isDone || !(await inBatches(app, signal, '', (from) => countOrganizations(app, totals, from)))) return
  totals.set(labelOfTime(app), app.now().getTime())
  await transaction(app, (tx) => replaceCounts(tx, countSeries, at, totals))
}

const add = (totals: Totals, label: string): unknown => totals.set(label, (totals.get(label) ?? 0) + 1)

async function countBatch(app: App, totals: Totals, from: string): Promise<string | null> {
  const found = await app.db.selectFrom('user').selectAll().where('id', '>', from).orderBy('id').limit(batchSize).execute()
  // Anonymous users have nothing that they could sign in with again.
  const users = found.filter((user) => !('isAnonymous' in user && user.isAnonymous))
  if (users.length > 0) await countThese(app, totals, users)
  return found.length < batchSize ? null : (found.at(-1)?.id ?? null)
}

async function countThese(app: App, totals: Totals, users: readonly UserRow[]): Promise<void> {
  const factors = await readFactors(app, users)
  const ways = await findWays(app, users)
  for (const user of users) {
    const own = ways.get(user.id) ?? []
    const { held, startedAt } = factors(user)
    add(totals, 'total')
    if (user.twoFactorEnabled) add(totals, 'second-factor')
    if (held.includes('passkey')) add(totals, 'passkey')
    if (own.length === 1) add(totals, `one-method ${own[0]}`)
    for (const rule of rulesFor(app.config, user)) {
      const { result } = whatIsRequired({ rules: [rule], held, startedAt, now: app.now() })
      add(totals, `rule ${ruleKey(rule)} ${result}`)
    }
  }
}

/** What the rules depend on, for many users. */
async function readFactors(app: App, users: readonly UserRow[]) {
  const { config, db } = app
  const ids = users.map(({ id }) => id)
  const passkeys = config.passkey.enabled ? await findWorking(app, ids) : new Map()
  const hasRules = config.twoFactor.enabled && userRules(config).length > 0
  const rows = hasRules ? await db.selectFrom('twoFactor').selectAll().where('userId', 'in', ids).execute() : []
  const due = hasRules ? await db.selectFrom('twoFactorDue').selectAll().where('userId', 'in', ids).execute() : []
  const byUser = new Map(rows.map((row) => [row.userId, row]))
  const dueByUser = Map.groupBy(due, ({ userId }) => userId)
  return (user: UserRow) => {
    const row = byUser.get(user.id) ?? null
    const held = heldWith(app, user, row, { hasPasskey: passkeys.has(user.id) })
    return { held, startedAt: new Map((dueByUser.get(user.id) ?? []).map(({ rule, startedAt }) => [rule, startedAt])) }
  }
}

/**
 * What each user can sign in with, by the names of the methods: one for each credential. All that go to the mailbox are one,
 * because they are lost together.
 */
async function findWays(app: App, users: readonly UserRow[]): Promise<Map<string, string[]>> {
  const ways = new Map<string, string[]>(users.map(({ id }) => [id, []]))
  for (const { expects, findWays: findMany } of signInMethodsOf(app.features, app.config)) {
    const found = findMany && (await findMany(app, users))
    for (const user of users) {
      const own = ways.get(user.id)
      if (found) own?.push(...(found.get(user.id) ?? []))
      else
        for (const { method, amr } of (await expects?.(app, user))?.proofs ?? [])
          addWay(own, amr.includes('email') ? 'email' : method)
    }
  }
  return ways
}

function addWay(ways: string[] | undefined, name: string): void {
  if (!ways?.includes(name)) ways?.push(name)
}

async function countOrganizations(app: App, totals: Totals, from: string): Promise<string | null> {
  if (!app.config.organization.enabled || !app.config.twoFactor.enabled) return null
  const found = await app.db
    .selectFrom('organization')
    .select(['id', 'twoFactorRequired', 'deletedAt'])
    .where('id', '>', from)
    .orderBy('id')
    .limit(batchSize)
    .execute()
  for (const { twoFactorRequired, deletedAt } of found) if (twoFactorRequired && deletedAt === null) add(totals, 'organizations')
  return found.length < batchSize ? null : (found.at(-1)?.id ?? null)
}

export interface RuleCounts {
  readonly users: number
  readonly satisfied: number
  readonly grace: number
  readonly due: number
}

export interface UserCounts {
  readonly countedAt: Date
  readonly users: number
  /** Null when the rule was not counted yet. */
  readonly ofRule: (rule: Rule) => RuleCounts | null
  readonly organizations: number
  readonly oneMethod: readonly { readonly method: string; readonly users: number }[]
  /** Of each day on which users were counted, oldest first. */
  readonly adoption: readonly {
    readonly at: Date
    readonly users: number
    readonly secondFactor: number
    readonly passkey: number
  }[]
}

/** The counts since a day. @returns null when users were not counted since */
export async function readUserCounts(app: App, since: Date): Promise<UserCounts | null> {
  const rows = await app.db
    .selectFrom('statistic')
    .select(['at', 'label', 'value'])
    .where('series', '=', countSeries)
    .where('unit', '=', 'day')
    .where('at', '>=', startOf(since, 'day'))
    .orderBy('at')
    .execute()
  const days = [...Map.groupBy(rows, ({ at }) => at.getTime()).values()].map((own) => ({
    at: own[0]?.at ?? since,
    values: new Map(own.map(({ label, value }) => [label, Number(value)])),
  }))
  const last = days.at(-1)
  const countedAt = last && [...last.values].find(([label]) => label.startsWith('counted-at '))?.[1]
  if (!last || countedAt === undefined) return null
  const valueAt = (label: string, { values } = last) => values.get(label) ?? 0
  return {
    countedAt: new Date(countedAt),
    users: valueAt('total'),
    ofRule: (rule) => (last.values.has(labelOfTime(app)) ? countsOf(rule, valueAt) : null),
    organizations: valueAt('organizations'),
    oneMethod: [...last.values]
      .flatMap(([label, users]) =>
        label.startsWith('one-method ') ? [{ method: label.slice('one-method '.length), users }] : [],
      )
      .sort((one, other) => other.users - one.users || (one.method < other.method ? -1 : 1)),
    adoption: days.map((day) => ({
      ...{ at: day.at, users: valueAt('total', day) },
      ...{ secondFactor: valueAt('second-factor', day), passkey: valueAt('passkey', day) },
    })),
  }
}

function countsOf(rule: Rule, valueAt: (label: string) => number): RuleCounts {
  const [satisfied, grace, due] = (['satisfied', 'grace', 'setup'] as const).map((result) =>
    valueAt(`rule ${ruleKey(rule)} ${result}`),
  ) as [number, number, number]
  return { users: satisfied + grace + due, satisfied, grace, due }
}

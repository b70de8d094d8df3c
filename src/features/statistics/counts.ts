/** Counts by hour and by day: rows that are added to, in the transaction of what they count. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { caseOf } from '../../core/statement.ts'
import { batchesOf, insertUnlessExists } from '../../core/write.ts'

export type Series =
  /** Events of the audit log; label: action, outcome and kind of actor. */
  | 'event'
  | 'sign-up'
  | 'sign-in'
  | 'sign-in-failed'
  /** Sign-ins of users who had never signed in before. */
  | 'first-sign-in'
  | 'email-verified'
  /** Invitations that expire in the hour and have not ended before; by hour only. */
  | 'invitation-expired'
  | 'rate-limit'
  | 'mail-sent'
  | 'mail-failed'
  /** Label: the route. */
  | 'rate-limit by route'
  /** Label: the kind of email. */
  | 'mail-sent by kind'
  | 'mail-failed by kind'
  /** Different users in the day, or in the 7 or 30 days that end with it. By day only. */
  | 'active-day'
  | 'active-week'
  | 'active-month'
  /** Label: the method, such as `password` or `social:github`. */
  | 'sign-in by method'
  /** Sign-ins that waited for a second factor. Label: the kind of challenge and its outcome. */
  | 'challenge by outcome'
  /** Options to add a passkey were requested. */
  | 'passkey-options'
  /** What one count of all users found. Label: what they have in common. By day only. */
  | 'user-count'

export type Unit = 'hour' | 'day'
export const unitMs: Readonly<Record<Unit, number>> = { hour: 3_600_000, day: 86_400_000 }

/** Hours are kept for the longest range that shows them and the one before it; days for two years and more. */
const retentionDays: Readonly<Record<Unit, number>> = { hour: 100, day: 800 }
const longestLabel = 128

export interface Count {
  readonly series: Series
  readonly label?: string
  readonly unit: Unit
  /** Any moment in the interval. */
  readonly at: Date
  readonly value: number
}

interface Row {
  readonly id: string
  readonly series: Series
  readonly label: string
  readonly unit: Unit
  readonly at: Date
  readonly expiresAt: Date
  readonly value: number
}

/** The start of the interval, in UTC. */
export const startOf = (at: Date, unit: Unit): Date => new Date(Math.floor(at.getTime() / unitMs[unit]) * unitMs[unit])

/** One count by hour and the same by day. */
export const inBothUnits = (count: Omit<Count, 'unit'>): Count[] => [
  { ...count, unit: 'hour' },
  { ...count, unit: 'day' },
]

/** In total, and by label in a series of its own: a chart then reads one row for each interval. */
export const inTotalAndBy = (series: keyof typeof labeled, counted: Pick<Count, 'label' | 'at' | 'value'>): Count[] => [
  ...inBothUnits({ series, at: counted.at, value: counted.value }),
  ...inBothUnits({ series: labeled[series], ...counted }),
]

const labeled = {
  'rate-limit': 'rate-limit by route',
  'mail-sent': 'mail-sent by kind',
  'mail-failed': 'mail-failed by kind',
  'sign-in': 'sign-in by method',
} as const

/** The id is derived from what is counted, so that a row is found by its primary key. */
function rowOf({ series, label = '', unit, at: moment, value }: Count): Row {
  const at = startOf(moment, unit)
  const name = label.slice(0, longestLabel)
  const id = createHash('sha256')
    .update(JSON.stringify([series, name, unit, at]))
    .digest('base64url')
    .slice(0, 32)
  const expiresAt = new Date(at.getTime() + retentionDays[unit] * unitMs.day)
  return { id, series, label: name, unit, at, expiresAt, value }
}

function merge(counts: readonly Count[]): Row[] {
  const rows = new Map<string, Row>()
  for (const row of counts.map(rowOf)) rows.set(row.id, { ...row, value: row.value + (rows.get(row.id)?.value ?? 0) })
  // In one order everywhere, so that concurrent transactions wait for each other instead of a deadlock.
  return [...rows.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
}

const batchSize = 200

/** Adds to counts, in the transaction of `tx`. */
export async function addCounts(tx: App, counts: readonly Count[]): Promise<void> {
  const rows = merge(counts)
  for (const batch of batchesOf(rows, batchSize)) await writeBatch(tx, batch, 'add')
}

/** Replaces all counts of one series on one day, in the transaction of `tx`: of two processes that counted the same, the last one decides. */
export async function replaceCounts(tx: App, series: Series, at: Date, values: ReadonlyMap<string, number>): Promise<void> {
  const rows = merge([...values].map(([label, value]) => ({ series, label, unit: 'day', at, value })))
  for (const batch of batchesOf(rows, batchSize)) await writeBatch(tx, batch, 'set')
  const others = tx.db.deleteFrom('statistic').where('series', '=', series).where('unit', '=', 'day')
  const labels = rows.map(({ label }) => label)
  await others
    .where('at', '=', startOf(at, 'day'))
    .$if(labels.length > 0, (query) => query.where('label', 'not in', labels))
    .execute()
}

type Writing = 'add' | 'set'

async function writeBatch(tx: App, rows: readonly Row[], writing: Writing): Promise<void> {
  const found = await tx.db
    .selectFrom('statistic')
    .select('id')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const known = new Set(found.map(({ id }) => id))
  const missing = rows.filter(({ id }) => !known.has(id))
  if (missing.length > 0 && !(await insertUnlessExists(tx, tx.db.insertInto('statistic').values(missing)))) {
    // Another process was faster for one of them.
    for (const row of missing) if (!(await insertUnlessExists(tx, tx.db.insertInto('statistic').values(row)))) known.add(row.id)
  }
  await change(
    tx,
    rows.filter(({ id }) => known.has(id)),
    writing,
  )
}

async function change(tx: App, rows: readonly Row[], writing: Writing): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const given = caseOf(rows.map(({ id, value }) => [id, value]))
  await tx.db
    .updateTable('statistic')
    .set({ value: writing === 'add' ? sql<number>`value + ${given}` : given })
    .where('id', 'in', ids)
    .execute()
}

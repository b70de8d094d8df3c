/**
 * Active users: how many different users were active in a day, and in the 7 and 30 days that end with it. Each user has the days on
 * which they were active; a new day counts in the windows in which they did not count yet, so that nothing is ever counted by a scan.
 */

import type { App } from '../../core/app.ts'
import { caseOf } from '../../core/statement.ts'
import { batchesOf } from '../../core/write.ts'
import { type Count, unitMs } from './counts.ts'

/** Length of each window in days. */
const windows = { 'active-day': 1, 'active-week': 7, 'active-month': 30 } as const
export type Window = keyof typeof windows
const longest = Math.max(...Object.values(windows))

/** Days that are remembered: those of the longest window, and more for days that are reported late. */
const remembered = 38
const firstDay = Date.UTC(2020, 0) / unitMs.day
const base = 2 ** remembered

/** A day by its number. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / unitMs.day)
const startOfDay = (day: number): Date => new Date(day * unitMs.day)

/**
 * The active days of a user in one number of 53 bits: the last one, counted from 2020, and one bit for each of the days before it.
 * @param activity null: there is none
 */
function daysOf(activity: number | null): Set<number> {
  const days = new Set<number>()
  if (activity === null) return days
  const last = Math.floor(activity / base) + firstDay
  for (let bit = 0; bit < remembered; bit += 1) if (Math.floor(activity / 2 ** bit) % 2 === 1) days.add(last - bit)
  return days
}

function encode(days: ReadonlySet<number>): number {
  const last = Math.max(...days)
  let bits = 0
  for (const day of days) if (last - day < remembered) bits += 2 ** (last - day)
  return (last - firstDay) * base + bits
}

/** Whether a day is among the active days of a user. */
export const isActiveOn = (activity: number | null, day: number): boolean => daysOf(activity).has(day)

export interface Entered {
  readonly window: Window
  /** The last day of the window in which the user counts from now on. */
  readonly day: number
}

/**
 * Adds an active day of a user.
 * @returns null when nothing changes: the day is known, or too long ago to decide in which windows the user counts already
 */
export function addDay(
  activity: number | null,
  day: number,
): { readonly activity: number; readonly entered: readonly Entered[] } | null {
  const days = daysOf(activity)
  const last = Math.max(day, ...days)
  if (days.has(day) || day < firstDay || last - day > remembered - longest) return null
  const entered = Object.entries(windows).flatMap(([window, length]) => {
    const ends = Array.from({ length }, (_, ahead) => day + ahead)
    const isCounted = (end: number) => [...days].some((known) => known <= end && known > end - length)
    return ends.filter((end) => !isCounted(end)).map((end) => ({ window: window as Window, day: end }))
  })
  return { activity: encode(days.add(day)), entered }
}

/** A user was active. */
export interface Activity {
  readonly userId: string
  readonly at: Date
  /** They signed in; else they renewed a session. */
  readonly isSignIn: boolean
}

const batchSize = 250

/**
 * Notes when users were active, in the transaction of `tx`. Users who no longer exist are ignored.
 * @returns what is to be counted
 */
export async function noteActivity(tx: App, seen: readonly Activity[]): Promise<Count[]> {
  const byUser = [...Map.groupBy(seen, ({ userId }) => userId)].sort(([one], [other]) => (one < other ? -1 : 1))
  const counts: Count[] = []
  for (const batch of batchesOf(byUser, batchSize)) counts.push(...(await noteBatch(tx, new Map(batch))))
  return counts
}

async function noteBatch(tx: App, byUser: ReadonlyMap<string, readonly Activity[]>): Promise<Count[]> {
  // Locked: the counts are right only if each change of a user follows the one before.
  const users = await tx.db
    .selectFrom('user')
    .select(['id', 'activity', 'lastSignInAt'])
    .where('id', 'in', [...byUser.keys()])
    .orderBy('id')
    .forUpdate()
    .execute()
  const changes = users.map((user) => changeOf(user, byUser.get(user.id) ?? []))
  const changed = changes.filter(({ isChanged }) => isChanged)
  if (changed.length > 0) {
    const ids = changed.map(({ id }) => id)
    await tx.db
      .updateTable('user')
      .set({
        activity: caseOf(changed.map(({ id, activity }) => [id, activity])),
        lastSignInAt: caseOf(changed.map(({ id, lastSignInAt }) => [id, lastSignInAt])),
      })
      .where('id', 'in', ids)
      .execute()
  }
  return changes.flatMap(({ counts }) => counts)
}

interface ActiveUser {
  readonly id: string
  readonly activity: number | null
  readonly lastSignInAt: Date | null
}

function changeOf(user: ActiveUser, seen: readonly Activity[]) {
  let { activity, lastSignInAt } = user
  const counts: Count[] = []
  for (const { at, isSignIn } of seen) {
    const added = addDay(activity, dayOf(at))
    activity = added?.activity ?? activity
    for (const { window, day } of added?.entered ?? [])
      counts.push({ series: window, unit: 'day', at: startOfDay(day), value: 1 })
    if (!isSignIn) continue
    if (lastSignInAt === null)
      counts.push(...(['hour', 'day'] as const).map((unit): Count => ({ series: 'first-sign-in', unit, at, value: 1 })))
    if (lastSignInAt === null || lastSignInAt < at) lastSignInAt = at
  }
  const isChanged = activity !== user.activity || lastSignInAt !== user.lastSignInAt
  return { id: user.id, activity, lastSignInAt, counts, isChanged }
}

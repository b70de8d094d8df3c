import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDay } from './activity.ts'

const firstDay = Date.UTC(2026, 0) / 86_400_000

/** The users with an active day in the `length` days that end with `day`. */
const countActive = (users: readonly ReadonlySet<number>[], day: number, length: number): number =>
  users.filter((days) => Array.from({ length }, (_, back) => day - back).some((one) => days.has(one))).length

/** Days in the order in which they are reported: at most 8 days late. */
const reportedDays = fc
  .array(fc.record({ pause: fc.oneof(fc.constant(0), fc.nat({ max: 3 }), fc.nat({ max: 70 })), late: fc.nat({ max: 8 }) }), {
    maxLength: 25,
  })
  .map((steps) => {
    let today = firstDay + 100
    return steps.map(({ pause, late }) => {
      today += pause
      return today - late
    })
  })

test('active users of each day, week and month are those that a count of all days finds', () => {
  fc.assert(
    fc.property(fc.array(reportedDays, { maxLength: 4 }), (users) => {
      const counted = new Map<string, number>()
      for (const days of users) {
        let activity: number | null = null
        for (const day of days) {
          const added = addDay(activity, day)
          activity = added?.activity ?? activity
          for (const entered of added?.entered ?? []) {
            const key = `${entered.window} ${entered.day}`
            counted.set(key, (counted.get(key) ?? 0) + 1)
          }
        }
      }
      const known = users.map((days) => new Set(days))
      const last = Math.max(firstDay, ...users.flat()) + 40
      for (const [window, length] of [
        ['active-day', 1],
        ['active-week', 7],
        ['active-month', 30],
      ] as const)
        for (let day = firstDay + 60; day <= last; day += 1)
          expect(counted.get(`${window} ${day}`) ?? 0).toBe(countActive(known, day, length))
    }),
    { numRuns: 300 },
  )
})

test('a day that is known, too old, or before 2020 changes nothing', () => {
  const first = addDay(null, firstDay)
  expect(first?.entered).toHaveLength(38)
  expect(addDay(first?.activity ?? null, firstDay)).toBeNull()
  expect(addDay(first?.activity ?? null, firstDay - 9)).toBeNull()
  expect(addDay(null, Date.UTC(2019, 11, 31) / 86_400_000)).toBeNull()
  expect(first?.activity).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
})

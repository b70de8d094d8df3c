/** `GET /admin/pending-counts`: numbers next to the entries of the console. Each reads a bounded part of an index, seldom. */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { allows, grantsOf, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { countRows } from '../../core/statement.ts'
import { createSharedRun } from '../../lib/async.ts'
import { countMails } from '../outbox/index.ts'
import { countWaiting, enabled as isWaitingListEnabled } from '../waiting-list/index.ts'
import { readRejections } from './overview.ts'

/** One more than is said exactly. */
const mostCounted = 10_001
/** Milliseconds for which counts are used again: every page of the console shows them. */
const ageMs = 15_000

const matching = (app: App) => app.db.selectFrom('user').select('id').limit(mostCounted)

const readers = {
  unverified: (app: App) => countRows(app.db.selectFrom(matching(app).where('emailVerified', '=', false).as('some'))),
  banned: (app: App) => {
    const banned = matching(app)
      .where('banned', '=', true)
      .where(({ eb, or }) => or([eb('banExpires', 'is', null), eb('banExpires', '>', app.now())]))
    return countRows(app.db.selectFrom(banned.as('some')))
  },
  rateLimits: async (app: App) => (await readRejections(app)).reduce((sum, { count }) => sum + count, 0),
  mails: async (app: App) => {
    const { waiting, failed } = await countMails(app)
    return waiting + failed
  },
  waitingList: async (app: App) => (isWaitingListEnabled(app.config) ? countWaiting(app) : 0),
} as const
type CountName = keyof typeof readers

const permissions: Readonly<Record<CountName, Readonly<Record<string, readonly string[]>>>> = {
  unverified: { user: ['list'] },
  banned: { user: ['list'] },
  rateLimits: { limit: ['list'] },
  mails: { mail: ['list'] },
  waitingList: { waitingList: ['list'] },
}

const countsOf = memo((app: App) => {
  const known = new Map<CountName, { readonly until: number; readonly count: number }>()
  const reading = (name: CountName) =>
    createSharedRun(async () => {
      const found = known.get(name)
      const now = app.now().getTime()
      if (found && now < found.until) return found.count
      const count = await readers[name](app)
      known.set(name, { until: now + ageMs, count })
      return count
    })
  const names = Object.keys(readers) as CountName[]
  return new Map(names.map((name) => [name, reading(name)] as const))
})

const count = z.int().optional()

export const pendingRoutes = {
  'GET /admin/pending-counts': route({
    summary: 'Count what waits for administrators',
    description:
      'Returns unverified and banned users, requests that rate limits rejected in this hour and the last one, emails that wait or failed, and applicants on the waiting list. 10,001 stands for more than 10,000 users. Members that the role of the user does not permit to list are left out. Counts are up to 15 seconds old.',
    access: session(),
    returns: z.object({ unverified: count, banned: count, rateLimits: count, mails: count, waitingList: count }),
    handler: async (ctx) => {
      const granted = await grantsOf(ctx, ctx.user)
      const shown = [...countsOf(ctx)].filter(([name]) => allows(granted, permissions[name]))
      return Object.fromEntries(await Promise.all(shown.map(async ([name, read]) => [name, await read()] as const)))
    },
  }),
}

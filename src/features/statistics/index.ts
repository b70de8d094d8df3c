/**
 * Statistics of the installation: counts of the audit log's events by hour and by day, added up when the events are chained, so that
 * no page ever scans events or users.
 */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { countRows } from '../../core/statement.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { bigint, hidden, id, index, internal, nullable, string, timestamp, uniqueIndex } from '../../core/table.ts'
import { setCount } from './counts.ts'
import { countRoutes } from './event-counts.ts'
import { overviewRoutes } from './overview.ts'

export { flushStatistics, on } from './recording.ts'

export const area = 'Operations'

/** Who may read statistics. */
export const permissions = { statistics: ['read'] } as const

export const tables = {
  /** A count of an hour or of a day. */
  statistic: {
    id: id(),
    series: string({ length: 32 }),
    unit: string({ length: 8 }),
    at: timestamp(),
    label: string({ length: 128 }),
    value: bigint(),
    expiresAt: timestamp(),
  },
  user: {
    /** Updated after a sign-in, not by it. */
    lastSignInAt: hidden(nullable(timestamp())),
    /** The last active days in one number; see `activity.ts`. */
    activity: internal(nullable(bigint())),
  },
}

export const indexes = {
  statistic: [uniqueIndex('series', 'unit', 'at', 'label'), index('expiresAt')],
}

/** A page must not count a million users, so that they are counted once an hour. */
const countUsers = async (app: App): Promise<void> =>
  setCount(app, { series: 'users', unit: 'day', at: app.now(), value: await countRows(app.db.selectFrom('user')) })

const sweepStatistics: Job['run'] = (app, signal) =>
  sweepEnded(app, signal, { table: 'statistic', column: 'expiresAt', before: ({ now }) => now() })

export const jobs = {
  statistics: { every: 86_400, run: sweepStatistics },
  userTotal: { every: 3600, run: countUsers },
}

export const routes = { ...overviewRoutes, ...countRoutes }

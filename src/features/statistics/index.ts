/**
 * Statistics of the installation: counts of the audit log's events by hour and by day, added up when the events are chained, so that
 * no page ever scans events or users.
 */
import type { Job } from '../../core/feature.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { bigint, hidden, id, index, internal, nullable, string, timestamp } from '../../core/table.ts'
import { countRoutes } from './event-counts.ts'
import { overviewRoutes } from './overview.ts'
import { pendingRoutes } from './pending-counts.ts'

export { replaceCounts, startOf } from './counts.ts'
export { readRejections } from './overview.ts'
export { close, countSoon, flushStatistics, on } from './recording.ts'

export const area = 'Operations'
export const plugin = 'admin'

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
  // Its id makes a count unique. With the value, so that the rows themselves need not be read.
  statistic: [index('series', 'unit', 'at', 'label', 'value'), index('expiresAt')],
}

const sweepStatistics: Job['run'] = (app, signal) =>
  sweepEnded(app, signal, { table: 'statistic', column: 'expiresAt', before: ({ now }) => now() })

export const jobs = { statistics: { every: 86_400, run: sweepStatistics } }

export const routes = { ...overviewRoutes, ...countRoutes, ...pendingRoutes }

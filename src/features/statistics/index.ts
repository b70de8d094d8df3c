/**
 * Statistics of the installation: counts of the audit log's events by hour and by day, added up when the events are chained, so that
 * no page ever scans events or users.
 */
import { overviewRoutes } from './overview.ts'

export const area = 'Operations'

/** Who may read statistics. */
export const permissions = { statistics: ['read'] } as const

export const routes = overviewRoutes

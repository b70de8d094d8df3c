/** Bulk actions: what administrators do with all users that match, as work of the daemons with progress and a report. */
import type { Job } from '../../core/feature.ts'
import type { Config } from '../index.ts'
import { changeRoutes } from './change-routes.ts'
import { readRoutes } from './read-routes.ts'
import { runBulkActions, sweepBulkActions } from './run.ts'

export { errors, indexes, tables } from './model.ts'
export { exportSources } from './read-routes.ts'

export const area = 'Administration'
export const plugin = 'admin'

export const enabled = ({ admin }: Config): boolean => admin.enabled

export const routes = { ...changeRoutes, ...readRoutes }

export const auditActions = {
  'bulk-action.created': 'A bulk action was created',
  'bulk-action.paused': 'A bulk action was paused',
  'bulk-action.resumed': 'A bulk action was resumed',
  'bulk-action.ended': 'A bulk action was completed, canceled or stopped',
}

export const jobs = {
  bulkActions: { every: 5, run: runBulkActions },
  expired: { every: 3600, run: sweepBulkActions },
} satisfies Record<string, Job>

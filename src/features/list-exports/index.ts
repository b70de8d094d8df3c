/** Exports of lists as files of any size: work of the daemons, with progress. */
import type { Job } from '../../core/feature.ts'
import type { Config } from '../index.ts'
import { runExports, sweepExports } from './run.ts'

export { errors, indexes, tables } from './model.ts'
export { routes } from './routes.ts'

export const area = 'Exports'

export const enabled = ({ admin, organization }: Config): boolean => admin.enabled || organization.enabled

export const auditActions = {
  'list-export.created': 'A user exported a list; `filters` are the names of its parameters',
  'list-export.ended': 'An export was completed, or failed',
  'list-export.downloaded': 'The file of an export was downloaded',
}

export const jobs = {
  exports: { every: 5, run: runExports },
  expired: { every: 3600, run: sweepExports },
} satisfies Record<string, Job>

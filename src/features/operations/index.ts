/** The state of the installation for operators: outgoing emails, limits, jobs, configuration, migrations and health. */
import { healthRoutes } from './health.ts'
import { jobRoutes } from './job-runs.ts'
import { limitRoutes } from './limits.ts'
import { mailRoutes } from './mails.ts'
import { systemRoutes } from './system.ts'
import { warningRoutes } from './warnings.ts'

export { errors } from './errors.ts'
export { checkInstallation } from './health.ts'
export type { Check } from './health-report.ts'
export { sentenceOf } from './health-sentences.ts'
export { gauges, type JobFailure, recordJobEnd, recordJobStart, tables } from './job-runs.ts'
export { explainCodes, explainMailedCodes, resetLimits } from './limits.ts'

export const area = 'Operations'
export const plugin = 'admin'

/** What operators may do. */
export const permissions = {
  mail: ['list', 'retry'],
  limit: ['list', 'reset'],
  system: ['read'],
} as const

export const auditActions = {
  'limits.reset': 'Rate limits or sign-in failures of an IP address or account were reset',
}

export const routes = { ...mailRoutes, ...limitRoutes, ...jobRoutes, ...systemRoutes, ...healthRoutes, ...warningRoutes }

/** Incidents: freezes of sign-up, sign-in and writes, and the revocation of all sessions that match a filter. */
import type { Feature, Job } from '../../core/feature.ts'
import type { Poll } from '../../core/steps.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { rejectFrozen } from './enforcement.ts'
import { refreshFreezes } from './freezes.ts'
import { refreshRevocations, runRevocations } from './revocation.ts'

export { admits, on, whileReadOnlyOf } from './enforcement.ts'
export { isEmptyFilter, readNetwork } from './filter.ts'
export { type ActiveFreeze, freeze, readFreezes, refreshFreezes, unfreeze } from './freezes.ts'
export { errors, indexes, type RevocationFilter, tables } from './model.ts'
export { countSessions, revokeByFilter } from './revocation.ts'
export { routes } from './routes.ts'

export const area = 'Operations'
export const plugin = 'admin'

/** What administrators may do in an incident. Who may freeze may sign in while sign-in is frozen. */
export const permissions = { incident: ['read', 'freeze', 'revoke'] } as const

export const auditActions = {
  'incident.frozen': 'Sign-up, sign-in or writes were frozen',
  'incident.unfrozen': 'A freeze was lifted before its end',
  'incident.revoked': 'All sessions that match filters were revoked',
}

export const before: NonNullable<Feature['before']> = { '*': rejectFrozen }

/** Every worker reads two small tables each second, so that no call does. */
export const polls: Readonly<Record<string, Poll>> = {
  freezes: { every: 1, run: refreshFreezes },
  revocations: { every: 1, run: refreshRevocations },
}

export const jobs: Readonly<Record<string, Job>> = {
  revocations: { every: 2, run: runRevocations },
  expired: {
    every: 3600,
    run: async (app, signal) => {
      await sweepEnded(app, signal, { table: 'incidentRevocation', column: 'expiresAt' })
      await sweepEnded(app, signal, { table: 'incidentFreeze', column: 'expiresAt' })
    },
  },
}

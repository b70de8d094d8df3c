/** What a session is, the cookies that carry it, and the only writer of the table. How somebody proves who he is, is not its business. */
import type { Listeners } from '../../core/events.ts'
import type { Job } from '../../core/feature.ts'
import { forgetCopies } from './generation.ts'
import { sweepSessions } from './sweep.ts'

export { checkConfig, config } from './config.ts'
export { clearSessionCookies } from './cookies.ts'
export { errors } from './errors.ts'
export { authenticate } from './identity.ts'
export { revokeSessions, streamUserSessions } from './operate.ts'
export { isRemembered, reissueSession } from './reissue.ts'
export { deleteSession, findSessionOwner, revokeSession, revokeUserSessions } from './revoke.ts'
export { routes } from './routes.ts'
export { shownToken } from './sessions.ts'
export { startSession } from './start.ts'
export { configuredTables, indexes, tables } from './tables.ts'

/** Whatever a copy in a cookie could still open when it must not. How a user is shown may be old until the copy ends (contract 00 §5). */
export const on: Listeners = {
  'user.updated': (app, { userId, affectsAccess }) => (affectsAccess ? forgetCopies(app, userId) : undefined),
  'user.deleted': (app, { userId }) => forgetCopies(app, userId),
  'sessions.revoked': (app, { userId }) => forgetCopies(app, userId),
  'password.changed': (app, { userId }) => forgetCopies(app, userId),
}

export const jobs = { sessions: { every: 300, run: sweepSessions } } satisfies Record<string, Job>

/** What roles may be allowed to do to other people's sessions (contract 05 §1). */
export const permissions = { session: ['list', 'revoke', 'delete'] } as const

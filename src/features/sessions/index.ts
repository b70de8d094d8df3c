/** What a session is, the cookies that carry it, and the only writer of the table. How somebody proves who he is, is not its business. */
export { config, checkConfig } from './config.ts'
export { clearSessionCookies } from './cookies.ts'
export { errors } from './errors.ts'
export { authenticate } from './identity.ts'
export { routes } from './routes.ts'
export { startSession } from './sessions.ts'
export { indexes, tables } from './tables.ts'

/** What roles may be allowed to do to other people's sessions (contract 05 §1). */
export const permissions = { session: ['list', 'revoke', 'delete'] } as const

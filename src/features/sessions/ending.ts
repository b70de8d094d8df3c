/**
 * Sessions that a running revocation has not reached yet. Each worker knows the running ones, so that a million sessions end within a
 * second, and their rows are deleted afterwards without haste.
 */
import { type App, memo } from '../../core/app.ts'
import type { SessionRow } from '../../core/request.ts'

const columns = ['id', 'userId', 'createdAt', 'authenticatedAt', 'expiresAt', 'ipAddress', 'signInMethod'] as const
/** What a condition may use. */
export const matchedColumns: readonly (typeof columns)[number][] = columns

export interface MatchedSession extends Pick<SessionRow, (typeof columns)[number]> {
  /** When its user signed in; a renewal does not change it. */
  readonly signedInAt: Date
}

/** Returns those of these sessions that match. It may query the database, once for all of them. */
export type Matches = (app: App, sessions: readonly MatchedSession[]) => Promise<readonly MatchedSession[]>

export interface RunningRevocation {
  /** It ends the sessions of sign-ins until then. */
  readonly started: Date
  readonly matches: Matches
}

/** Null while none is running, so that a call pays for one comparison. */
const stateOf = memo((_: Pick<App, 'memo'>): { running: readonly RunningRevocation[] | null } => ({ running: null }))

/** Replaces the revocations that this process knows. */
export function setRunningRevocations(app: Pick<App, 'memo'>, running: readonly RunningRevocation[]): void {
  stateOf(app).running = running.length > 0 ? running : null
}

/** Whether a session is one of a running revocation. */
export async function isEnding(app: App, row: SessionRow): Promise<boolean> {
  const { running } = stateOf(app)
  if (!running) return false
  const session = { ...row, signedInAt: signedInAt(row) }
  for (const { started, matches } of running)
    if (session.signedInAt <= started && (await matches(app, [session])).length > 0) return true
  return false
}

/** When the user authenticated. A session that replaces another one is of the same sign-in; an impersonation is of none of the user. */
export function signedInAt(row: Pick<SessionRow, 'createdAt' | 'authenticatedAt'>): Date {
  const isImpersonation = 'impersonatedBy' in row && row.impersonatedBy !== null
  return isImpersonation ? row.createdAt : (row.authenticatedAt ?? row.createdAt)
}

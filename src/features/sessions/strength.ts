/** How strongly the user of a session was authenticated, for how long that counts, and what responses say of it (contract 11 §8, §11). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { CallContext, SessionView } from '../../core/request.ts'
import { isoDate } from '../../core/schemas.ts'
import { command } from '../../core/statement.ts'
import type { Tables } from '../../core/table.ts'
import type { Config } from '../index.ts'
import { fullSession } from './config.ts'
import { listSessions } from './session.ts'

/** What features of second factors add; the columns are missing without them. */
type Proven = Pick<SessionView, 'id' | 'createdAt' | 'authenticatedAt' | 'acr' | 'strongUsedAt' | 'factorProvenAt'>

/** When its second factor was proven, in milliseconds since 1970. Another proof of the password does not count. */
const provenAt = ({ factorProvenAt, authenticatedAt, createdAt }: Proven): number =>
  factorProvenAt ?? (authenticatedAt ?? createdAt).getTime()

const lastUse = (session: Proven): number => Math.max(provenAt(session), session.strongUsedAt ?? 0)

/** When a session stops to be strong, if it is not used until then; null: it is not strong, or stays so. */
function strongUntil({ config }: App, session: Proven): number | null {
  const { maxAge, idle } = config.session.strong
  if (session.acr == null || (maxAge === 0 && idle === 0)) return null
  const byAge = maxAge === 0 ? Number.POSITIVE_INFINITY : provenAt(session) + maxAge * 1000
  return Math.min(byAge, idle === 0 ? Number.POSITIVE_INFINITY : lastUse(session) + idle * 1000)
}

/** A session as it counts now: one that was strong for too long has one factor left, and its user stays signed in. */
export function atPresentStrength<S extends Proven>(app: App, session: S): S {
  const until = strongUntil(app, session)
  return until === null || app.now().getTime() < until ? session : { ...session, acr: null }
}

/** Uses are noted in steps, so that few calls write: a tenth of the time, one minute at most. */
const stepMs = (idle: number): number => Math.min(60_000, idle * 100)

const noteUse = command((app, { id, at }: { id: string; at: number }) =>
  app.db.updateTable('session').set({ strongUsedAt: at }).where('id', '=', id),
)

/**
 * Notes that a strong session is in use, when the configuration limits how long it may be idle.
 * @returns null when nothing is to be noted: nearly every call asks, and waiting would cost each of them
 */
export function noteStrongUse(app: App, session: Proven): Promise<unknown> | null {
  const { idle } = app.config.session.strong
  if (idle === 0 || session.acr == null) return null
  const now = app.now().getTime()
  return now - lastUse(session) < stepMs(idle) ? null : noteUse(app, { id: session.id, at: now })
}

/**
 * How long a signed copy of a session may be used, in milliseconds since 1970: it must not say that a session is strong which is not, and
 * its use is not noted.
 */
export function copyUntil(app: App, session: Proven, longest: number): number {
  const until = strongUntil(app, session)
  const { idle } = app.config.session.strong
  if (until === null) return longest
  return Math.min(longest, until, idle === 0 ? longest : app.now().getTime() + idle * 500)
}

/** The members of a session that `session.exposeAuthentication` adds to the current one, and `/list-sessions` when it is asked for them. */
const authenticationView = {
  acr: z
    .string()
    .describe(
      'How strongly the user was authenticated: `urn:latchkey:acr:1`, with one factor; `urn:latchkey:acr:2`, with two; `phr`, by a passkey that verified the user',
    )
    .meta({ examples: ['urn:latchkey:acr:2'] }),
  amr: z
    .array(z.string())
    .describe('The methods that were proven (RFC 8176)')
    .meta({ examples: [['pwd', 'otp', 'mfa']] }),
  authenticatedAt: isoDate.nullable().describe('When the user last proved who they are; null: an API key'),
}

/** The session of `/get-session`: with these members, if the configuration says so. */
export function currentSession({ session }: Config, tables: Tables) {
  const own = fullSession(tables)
  const whole = own.and(z.object(authenticationView).partial())
  return session.exposeAuthentication ? whole : (own as unknown as typeof whole)
}

/** The names of these members; none when they are not shown. */
export const authenticationKeys = ({ session }: Pick<Config, 'session'>): readonly string[] =>
  session.exposeAuthentication ? Object.keys(authenticationView) : []

/** The methods that were proven (RFC 8176), in the order of the proofs. */
export const amrOf = ({ amr }: Pick<SessionView, 'amr'>): string[] => (amr ? JSON.parse(amr) : [])

/** How the user of a session was authenticated, and when. */
export function authenticationOf(app: App, session: SessionView) {
  const present = atPresentStrength(app, session)
  const { acr, authenticatedAt, createdAt } = present
  return {
    acr: acr ?? 'urn:latchkey:acr:1',
    amr: amrOf(present),
    authenticatedAt: authenticatedAt ?? createdAt,
  }
}

/** These members. */
export function describeAuthentication(ctx: CallContext, session: SessionView): object {
  const isKey = ctx.credential()?.kind === 'api-key'
  const { authenticatedAt, ...shown } = authenticationOf(ctx, session)
  return { ...shown, authenticatedAt: isKey ? null : authenticatedAt.toISOString() }
}

export const listQuery = z.object({
  authentication: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      '`true`: also returns `acr`, `amr` and `authenticatedAt`: how the user of each session was authenticated, and when',
    ),
})

/** A session of a list. The published clients do not ask for these members, and get what better-auth returns. */
export function listedSession(_config: Config, tables: Tables) {
  const more = z.object(authenticationView).partial()
  // One object, unlike the type, so that the document of the API has its example.
  const typed = fullSession(tables).and(more)
  return fullSession(tables, 'ListedSession', more.shape) as unknown as typeof typed
}

/** @param isShown whether the call asks for these members; otherwise not even the columns with their names are shown */
export async function describeSessions(app: App, current: SessionView, isShown: boolean) {
  return (await listSessions(app, current)).map((session) => {
    const { acr: _acr, amr: _amr, authenticatedAt: _at, ...columns } = session
    return { ...columns, ...(isShown && authenticationOf(app, session)) }
  })
}

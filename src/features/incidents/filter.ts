/** The filters of a revocation: how they are written, and which sessions match. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { addressSet, canonicalAddress } from '../../lib/ip.ts'
import type { MatchedSession, Matches } from '../sessions/index.ts'
import type { RevocationFilter } from './model.ts'

/** An IP address or a network in its canonical form; null when it is neither. */
export function readNetwork(text: string): string | null {
  const [address = '', prefix, ...rest] = text.split('/')
  const canonical = canonicalAddress(address)
  if (canonical === null || rest.length > 0) return null
  if (prefix === undefined) return canonical
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  return bits <= (canonical.includes(':') ? 128 : 32) ? `${canonical}/${bits}` : null
}

const network = z
  .string()
  .max(64)
  .refine((text) => readNetwork(text) !== null, 'Expected an IP address or a network such as 192.0.2.0/24')
  .transform((text) => readNetwork(text) ?? text)

export const revocationFilter = z.object({
  since: z.iso.datetime({ offset: true }).optional().describe('Sessions of sign-ins at this time or later'),
  ip: network
    .optional()
    .describe('Sessions of an IP address or of a network, as of the sign-in')
    .meta({ examples: ['192.0.2.0/24'] }),
  method: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Sessions of a sign-in method, as in the audit log; `social` matches `social:github` too')
    .meta({ examples: ['password'] }),
  organizationId: z.string().min(1).max(36).optional().describe('Sessions of the members of an organization'),
})

/** Whether a revocation would be of all sessions, which `latchkey sessions revoke --all` is for. */
export const isEmptyFilter = (filter: RevocationFilter): boolean => Object.values(filter).every((value) => value === undefined)

/** Makes the condition of a filter: what the rows say first, and then one query at most for each of method and organization. */
export function matchesOf({ since, ip, method, organizationId }: RevocationFilter): Matches {
  const start = since === undefined ? null : new Date(since)
  const isInNetwork = ip === undefined ? null : addressSet([ip])
  return async (app, sessions) => {
    const isCandidate = ({ signedInAt, ipAddress }: MatchedSession) =>
      (!start || signedInAt >= start) && (!isInNetwork || isInNetwork(canonicalAddress(ipAddress ?? '') ?? ''))
    let found = start || isInNetwork ? sessions.filter(isCandidate) : sessions
    if (method !== undefined) found = await ofMethod(app, found, method)
    if (organizationId !== undefined) found = await ofMembers(app, found, organizationId)
    return found
  }
}

async function ofMethod(app: App, sessions: readonly MatchedSession[], method: string): Promise<readonly MatchedSession[]> {
  // Sessions from before there was the column.
  const unknown = sessions.flatMap(({ id, signInMethod }) => (signInMethod === null ? id : []))
  const recorded = unknown.length > 0 ? await readMethods(app, unknown) : new Map<string, string>()
  return sessions.filter(({ id, signInMethod }) => {
    const used = signInMethod ?? recorded.get(id) ?? ''
    return used === method || used.startsWith(`${method}:`)
  })
}

/** The method of each session as the audit log has it, as long as it has the event. */
async function readMethods(app: App, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await app.db
    .selectFrom('auditEvent')
    .select(['targetId', 'details'])
    .where('targetId', 'in', ids)
    .where('action', '=', 'user.signed-in')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ targetId, details }) => [targetId ?? '', String(details.method ?? '')]))
}

async function ofMembers(
  app: App,
  sessions: readonly MatchedSession[],
  organizationId: string,
): Promise<readonly MatchedSession[]> {
  if (sessions.length === 0) return []
  const userIds = [...new Set(sessions.map(({ userId }) => userId))]
  const members = await app.db
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('userId', 'in', userIds)
    .execute()
  const known = new Set(members.map(({ userId }) => userId))
  return sessions.filter(({ userId }) => known.has(userId))
}

/** One run over all tables: a report that writes nothing, or a copy. */
import type { App } from '../../../core/app.ts'
import { hasTable } from '../../../core/table.ts'
import { type CopyOptions, copyKind, type KindCounts, type Run } from './copy.ts'
import { apiKeys, openLinks, passkeys, secondFactors, signingKeys } from './credentials.ts'
import { findNewIds } from './entries.ts'
import type { Kind, MoveSettings } from './kind.ts'
import { invitations, members, organizationRoles, organizations, teamMembers, teams } from './organizations.ts'
import { type KindName, kindNames } from './shapes.ts'
import type { Tables } from './source-pages.ts'
import { accounts, sessions, users } from './users.ts'

const kinds: Readonly<Record<KindName, Kind>> = {
  user: users,
  account: accounts,
  organization: organizations,
  team: teams,
  member: members,
  teamMember: teamMembers,
  organizationRole: organizationRoles,
  invitation: invitations,
  apikey: apiKeys,
  jwks: signingKeys,
  twoFactor: secondFactors,
  passkey: passkeys,
  session: sessions,
  verification: openLinks,
}

export const kindOf = (name: KindName): Kind => kinds[name]

export interface RunOptions extends CopyOptions {
  readonly app: App
  readonly tables: Tables
  readonly settings: MoveSettings
  readonly skipped: readonly KindName[]
  readonly onKind?: (counts: KindCounts) => void
}

export async function runAll({ app, tables, settings, skipped, onKind, ...options }: RunOptions): Promise<KindCounts[]> {
  const newIds = options.writes ? await findNewIds(app) : new Map<string, string>()
  const context = { ...settings, app, tables, newIds, source: options.source, found: new Map<string, string>(), now: app.now() }
  const run: Run = { ...options, context, leftIds: new Map() }
  const counts: KindCounts[] = []
  for (const name of kindNames) {
    if (!tables.has(name) || skipped.includes(name) || !hasTable(app, name)) continue
    const counted = await copyKind(run, kindOf(name))
    counts.push(counted)
    onKind?.(counted)
  }
  return counts
}

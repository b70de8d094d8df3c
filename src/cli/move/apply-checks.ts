/** What an option or the configuration must decide before a copy, which would lose rows otherwise. */
import type { App } from '../../core/app.ts'
import { columnsOf, hasTable } from '../../core/table.ts'
import { hasNumberIds, type KindName } from '../../features/move/index.ts'
import type { ApplyContext, ApplyOptions, Preparation } from './apply-move.ts'
import { maskedAddress } from './move-report.ts'
import { refused } from './same-schema.ts'
import type { OpenedSource } from './source-options.ts'

/** @throws Failure MOVE_OPTIONS_MISSING, MOVE_IDS_UNDECIDED, MOVE_CONFLICTS */
export function checkAnswers({ options }: ApplyContext, { app, opened, duplicates }: Preparation): void {
  const { tables } = opened.recognized
  const lacking = missing(app, tables, options)
  if (lacking.length > 0)
    throw refused(
      'MOVE_OPTIONS_MISSING',
      `The configuration has no place for ${lacking.map(({ name }) => name).join(', ')}, which would be lost`,
      `Enable ${[...new Set(lacking.map(({ section }) => section))].join(', ')} and migrate, or leave tables out with --skip.`,
    )
  if (hasNumberIds(tables, 'user') && options.ids === undefined)
    throw refused(
      'MOVE_IDS_UNDECIDED',
      'The old IDs are numbers',
      'Choose what new users get: --ids digits, or --ids text. See docs/moving-from-better-auth.md.',
    )
  if (options.ids === 'digits' && app.config.advanced.database.generateId === undefined)
    throw refused(
      'MOVE_IDS_UNDECIDED',
      '--ids digits needs advanced.database.generateId',
      'The function digitIds of latchkey/config makes such IDs.',
    )
  if (duplicates.length > 0 && options.onConflict === 'stop')
    throw refused(
      'MOVE_CONFLICTS',
      `${duplicates.length} email addresses belong to several users`,
      'Correct them in the old database, or choose with --on-conflict newest or --on-conflict skip who stays.',
      duplicates.slice(0, 100).map(({ address, ids }) => ({
        ...{ id: 'duplicate', path: 'user.email' },
        message: `${options.showAddresses ? address : maskedAddress(address)}: ${ids.join(', ')}`,
      })),
    )
}

/** Several teams and roles at run time may be left out: the report says so. */
function missing(app: App, tables: OpenedSource['recognized']['tables'], { skip, only }: ApplyOptions) {
  const sections: Readonly<Partial<Record<KindName, string>>> = {
    ...{ organization: 'organization', team: 'organization', member: 'organization', invitation: 'organization' },
    ...{ teamMember: 'organization.teams', organizationRole: 'organization.dynamicAccessControl' },
    ...{ apikey: 'apiKey', jwks: 'jwt', twoFactor: 'twoFactor', passkey: 'passkey' },
  }
  const wanted = (kind: KindName) => !skip.includes(kind) && (only.length === 0 || only.includes(kind))
  const kinds = [...tables.keys()]
    .filter((kind) => wanted(kind) && sections[kind] !== undefined && !hasTable(app, kind))
    .map((kind) => ({ name: kind, section: sections[kind] ?? kind }))
  const [former, own] = [wanted('user') ? (tables.get('user')?.columns ?? {}) : {}, columnsOf(app, 'user')]
  const columns = Object.entries({ username: 'username', phoneNumber: 'phoneNumber', isAnonymous: 'anonymous', banned: 'admin' })
  const lost = columns.filter(([name]) => name in former && !(name in own))
  return [...kinds, ...lost.map(([name, section]) => ({ name: `user.${name}`, section }))]
}

import type { App } from '../../core/app.ts'
import type { KeyOwner, KeyWithOwner } from '../../features/api-keys/index.ts'
import { counted } from '../../lib/text.ts'
import { Failure, usageError } from '../../project/failure.ts'
import { argument, type Context, command, flag, group, option, type ValuesOf } from '../command.ts'
import { afterOption, limitOption, printList } from '../list-output.ts'
import { create } from './create-key.ts'

const list = command('list', 'List API keys', {
  description:
    'Prints one API key per line, ordered by ID: the ID, the start of the key, its state, owner and name; the owner is the email address of a user, or the slug of an organization. The keys themselves are not stored. With --json, prints one document per line (NDJSON) with limits and permissions. Needs constant memory for any number of keys.',
  examples: [
    'latchkey api-keys list',
    'latchkey api-keys list --user ann@example.com',
    'latchkey api-keys list --json | jq -r .id',
  ],
  options: {
    user: option('--user <user>', 'Only keys of this user: ID or email address', (z) => z.string().min(1).optional()),
    organization: option('--organization <organization>', 'Only keys of this organization: ID or slug', (z) =>
      z.string().min(1).optional(),
    ),
    limit: limitOption('API keys'),
    after: afterOption,
  },
  usesDatabase: true,
  deadline: 3600,
  action: async (context) => {
    const { options } = context
    const { describeKey, streamKeys } = await import('../../features/api-keys/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['user', 'apikey'] })
    const owner = await findOwner(app, options)
    await printList(context, streamKeys(app, { owner, after: options.after }), {
      schema: 'api-keys-list/v1',
      noun: 'API key',
      heading: ['ID', 'START', 'STATE', 'OWNER', 'NAME'],
      limit: options.limit,
      describe: (found) => {
        const { email, organizationSlug, ...row } = found
        const owned = email === null ? { organizationSlug } : { email }
        return [
          { ...describeKey(app, row), ...owned },
          [row.id, row.start ?? '-', stateOf(app, row), ownerOf(found), row.name ?? '-'].map(printable),
        ]
      },
    })
  },
})

interface Named {
  readonly user?: string | undefined
  readonly organization?: string | undefined
}

/** @returns undefined when the command names none @throws Failure API_KEYS_DISABLED, USER_NOT_FOUND, ORGANIZATION_NOT_FOUND */
async function findOwner(app: App, { user, organization }: Named): Promise<KeyOwner | undefined> {
  const { getOrganization, getUser, requireApiKeys, requireOrganizationKeys } = await import('../ready-app.ts')
  requireApiKeys(app)
  if (user !== undefined && organization !== undefined) throw usageError('Give either --user or --organization')
  if (user !== undefined) return { userId: (await getUser(app, user)).id }
  if (organization === undefined) return undefined
  requireOrganizationKeys(app)
  return { organizationId: (await getOrganization(app, organization)).id }
}

const ownerOf = ({ email, organizationSlug }: KeyWithOwner): string => email ?? organizationSlug ?? '-'

function stateOf(app: App, { enabled, expiresAt }: Pick<KeyWithOwner, 'enabled' | 'expiresAt'>): string {
  if (expiresAt !== null && expiresAt <= app.now()) return 'expired'
  return enabled ? 'active' : 'disabled'
}

const revokeArguments = { ids: argument('[ids...]', 'IDs from `api-keys list`', (z) => z.array(z.string().min(1)).default([])) }
const revokeOptions = {
  user: option('--user <user>', 'All API keys of this user: ID or email address', (z) => z.string().min(1).optional()),
  organization: option('--organization <organization>', 'All API keys of this organization: ID or slug', (z) =>
    z.string().min(1).optional(),
  ),
  dryRun: flag('-n, --dry-run', 'Only print which API keys would be revoked'),
}
type RevokeContext = Context<ValuesOf<typeof revokeArguments & typeof revokeOptions>>

const revoke = command('revoke', 'Revoke API keys', {
  description:
    'Deletes API keys, by their IDs or all of a user or an organization, after a confirmation. Takes effect immediately on every daemon. If one of the IDs is unknown, nothing is revoked.',
  examples: [
    'latchkey api-keys revoke 5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS',
    'latchkey api-keys revoke --user ann@example.com --dry-run',
    'latchkey api-keys revoke --user ann@example.com --yes',
  ],
  arguments: revokeArguments,
  options: revokeOptions,
  usesDatabase: true,
  exitCodes: [4],
  deadline: 300,
  action: async (context) => {
    const { options, output, prompt } = context
    if (options.ids.length > 0 === ((options.user ?? options.organization) !== undefined))
      throw usageError('Give IDs of API keys, --user or --organization')
    const { printable } = await import('../../lib/redact.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: ['user', 'apikey'] })
    const found = await findChosen(app, context)
    const ids = found.map(({ id }) => id)
    const lines = found.map((row) => printable(`${row.id}  ${row.start ?? '-'}  ${ownerOf(row)}  ${row.name ?? '-'}`))
    if (options.dryRun) {
      output.result('api-keys-revoke/v1', { dryRun: true, revoked: 0, ids }, lines)
      output.info(`${counted(found.length, 'API key')} would be revoked`)
      return
    }
    for (const line of found.length > 0 && prompt.isAsking ? lines : []) output.info(line)
    const isConfirmed = found.length === 0 || (await prompt.confirm(`Revoke ${counted(found.length, 'API key')}?`))
    const revoked = isConfirmed ? await revokeAll(app, found) : 0
    output.result('api-keys-revoke/v1', { dryRun: false, revoked, ids: isConfirmed ? ids : [] }, [])
    if (isConfirmed) output.success(`Revoked ${counted(revoked, 'API key')}`)
    else output.info('Nothing was changed')
  },
})

/** @throws Failure API_KEYS_DISABLED, USER_NOT_FOUND, ORGANIZATION_NOT_FOUND, API_KEY_NOT_FOUND */
async function findChosen(app: App, { options }: RevokeContext): Promise<readonly KeyWithOwner[]> {
  const { findKeys, streamKeys } = await import('../../features/api-keys/index.ts')
  const owner = await findOwner(app, options)
  if (owner) return Array.fromAsync(streamKeys(app, { owner }))
  const found = await findKeys(app, options.ids)
  const missing = options.ids.find((id) => !found.some((row) => row.id === id))
  if (missing === undefined) return found
  throw new Failure('API_KEY_NOT_FOUND', `There is no API key ${missing}`, { hint: 'List the IDs: latchkey api-keys list' })
}

async function revokeAll(app: App, found: readonly KeyWithOwner[]): Promise<number> {
  const { deleteKeys, deleteOrganizationKeys } = await import('../../features/api-keys/index.ts')
  const byOwner = Map.groupBy(found, ({ userId, organizationId }) => userId ?? organizationId ?? '')
  let revoked = 0
  for (const [owner, rows] of byOwner) {
    const remove = rows.every(({ userId }) => userId === null) ? deleteOrganizationKeys : deleteKeys
    revoked += await remove(app, owner, { ids: rows.map(({ id }) => id) })
  }
  return revoked
}

export const apiKeys = group('api-keys', 'Create, list and revoke API keys', {
  examples: [
    'latchkey api-keys create --user ann@example.com --name Deployment',
    'latchkey api-keys list --user ann@example.com',
  ],
  commands: [create, list, revoke],
})

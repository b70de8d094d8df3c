import type { App } from '../../core/app.ts'
import { counted } from '../../lib/text.ts'
import { type Context, command, group, text } from '../command.ts'
import { afterOption, limitOption, printList } from '../list-output.ts'
import { reportProgress } from '../progress.ts'
import { create } from './create-organization.ts'
import { addMember, invite, organizationArgument, removeMember } from './member-commands.ts'
import { roleCommands } from './role-commands.ts'

export const list = command('list', 'List and search organizations', {
  description:
    'Prints one organization per line, ordered by ID. On a terminal, prints the first 50. With --json, prints one document per line (NDJSON) with metadata and the number of members. Needs constant memory for any number of organizations.',
  examples: [
    'latchkey orgs list --limit 20',
    'latchkey orgs list --search acme',
    'latchkey orgs list --limit 1000 --after 5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS',
    'latchkey orgs list --json | jq -r .slug',
  ],
  options: {
    search: text('--search <text>', 'Only organizations whose name or slug contains this text'),
    limit: limitOption('organizations'),
    after: afterOption,
  },
  usesDatabase: true,
  deadline: 3600,
  action: async (context) => {
    const { describeOrganization, streamOrganizations } = await import('../../features/organizations/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { requireOrganizations } = await import('../ready-app.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['organization'] })
    requireOrganizations(app)
    await printList(context, streamOrganizations(app, context.options), {
      schema: 'orgs-list/v1',
      noun: 'organization',
      heading: ['ID', 'SLUG', 'NAME', 'MEMBERS'],
      limit: context.options.limit,
      describe: (row) => {
        const { id, slug, name, memberCount } = row
        return [describeOrganization(row), [id, slug, name, counted(memberCount, 'member')].map(printable)]
      },
    })
  },
})

const shownMembers = 50

export const show = command('show', 'Show an organization with its members', {
  description:
    'Prints the organization, its first 50 members with their roles and teams, its teams, the roles that members made and its pending invitations. With --json, prints one document with all of them.',
  examples: ['latchkey orgs show acme', 'latchkey orgs show acme --json | jq -r .members[].email'],
  arguments: { organization: organizationArgument },
  usesDatabase: true,
  deadline: 300,
  action: async ({ options, output, openReadyApp, signal }) => {
    const { describeOrganization, listOwnRoles, listPendingInvitations, listTeamSizes } = await import(
      '../../features/organizations/index.ts'
    )
    const { getOrganization, requireOrganizations } = await import('../ready-app.ts')
    const { app } = await openReadyApp({
      mode: 'read',
      tables: ['organization', 'member', 'team', 'teamMember', 'organizationRole', 'invitation', 'user'],
    })
    requireOrganizations(app)
    const row = await getOrganization(app, options.organization)
    const invitations = await listPendingInvitations(app, row.id)
    const teams = app.config.organization.teams.enabled ? await listTeamSizes(app, row.id) : null
    const members = await readMembers(app, row.id, output.json ? Number.MAX_SAFE_INTEGER : shownMembers, signal)
    const total = { members: row.memberCount, invitations: invitations.length, teams: teams?.length ?? 0 }
    const roles = app.config.organization.dynamicAccessControl.enabled ? await listOwnRoles(app, row.id) : null
    const found = { organization: describeOrganization(row), members, teams, roles, invitations, total }
    output.result('orgs-show/v1', found, output.json ? [] : await describe(found, output))
  },
})

async function readMembers(app: App, organizationId: string, limit: number, signal: AbortSignal) {
  const { streamMembers } = await import('../../features/organizations/index.ts')
  const members = []
  for await (const member of streamMembers(app, organizationId)) {
    signal.throwIfAborted()
    members.push(member)
    if (members.length === limit) break
  }
  return members
}

interface Found {
  readonly organization: object
  readonly members: Awaited<ReturnType<typeof readMembers>>
  readonly teams: readonly { readonly id: string; readonly name: string; readonly memberCount: number }[] | null
  readonly roles: readonly { readonly role: string; readonly permission: Readonly<Record<string, readonly string[]>> }[] | null
  readonly invitations: readonly { readonly id: string; readonly email: string; readonly role: string | null; expiresAt: Date }[]
  readonly total: { readonly members: number }
}

async function describe({ organization, members, teams, roles, invitations, total }: Found, { paint }: Context['output']) {
  const { printable } = await import('../../lib/redact.ts')
  const nameOf = (teamId: string) => teams?.find(({ id }) => id === teamId)?.name
  const block = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', paint.bold(title), ...lines.map((line) => printable(line))]
  const columns = Object.entries(organization).map(
    ([name, value]) => `${paint.dim(name.padEnd(11))}  ${printable(textOf(value))}`,
  )
  const memberLines = members.map(({ userId, email, name, role, teamIds }) =>
    [userId, email, name, role, teamIds.flatMap((id) => nameOf(id) ?? []).join(', ')].filter(Boolean).join('  '),
  )
  const more = total.members - members.length
  return [
    ...columns,
    ...block('Members', [
      ...memberLines,
      ...(more > 0 ? [`… ${more.toLocaleString('en')} more: --json prints all of them`] : []),
    ]),
    ...block(
      'Teams',
      (teams ?? []).map(({ id, name, memberCount }) => `${id}  ${name}  ${counted(memberCount, 'member')}`),
    ),
    ...block(
      'Roles of the organization',
      (roles ?? []).map(({ role, permission }) => `${role}  ${textOf(permission)}`),
    ),
    ...block(
      'Pending invitations',
      invitations.map(({ id, email, role, expiresAt }) => `${id}  ${email}  ${role ?? '-'}  until ${expiresAt.toISOString()}`),
    ),
  ]
}

function textOf(value: unknown): string {
  if (value === null) return '-'
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const remove = command('delete', 'Delete an organization with its members and teams', {
  description:
    'Deletes the organization with its memberships, teams and invitations, not the users. This cannot be undone, so confirm it by typing the slug, or with --confirm; --yes is not enough. The hooks of organizationDeletion are not called: they are for users who delete an organization.',
  examples: ['latchkey orgs delete acme', 'latchkey orgs delete acme --confirm acme'],
  arguments: { organization: organizationArgument },
  options: { confirm: text('--confirm <slug>', 'Slug of the organization') },
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 300,
  action: async ({ options, output, prompt, openReadyApp }) => {
    const { deleteOrganization, finishDeletion, listPendingInvitations, listTeamSizes } = await import(
      '../../features/organizations/index.ts'
    )
    const { getOrganization, requireOrganizations, warnIfCacheStale } = await import('../ready-app.ts')
    const { printable } = await import('../../lib/redact.ts')
    const tables = ['organization', 'member', 'team', 'invitation', 'session'] as const
    const { app } = await openReadyApp({ mode: 'write', tables })
    requireOrganizations(app)
    const organization = await getOrganization(app, options.organization)
    const { id, name, slug, memberCount: members } = organization
    const teams = (await listTeamSizes(app, id)).length
    const invitations = (await listPendingInvitations(app, id)).length
    const parts = `${counted(members, 'membership')}, ${counted(teams, 'team')} and ${counted(invitations, 'pending invitation')}`
    await prompt.confirmName({ message: printable(`This deletes ${name} with ${parts}.`), name: slug, given: options.confirm })
    await deleteOrganization(app, organization, null)
    // No call finds it by now. A daemon goes on with this where the command is interrupted.
    const onProgress = reportProgress(output, (count) => `${count} of ${counted(members, 'membership')} deleted`)
    await finishDeletion(app, id, undefined, onProgress)
    await warnIfCacheStale(app, output)
    output.result('orgs-delete/v1', { id, name, slug, deleted: { members, teams, invitations } }, [])
    output.success(printable(`Deleted ${slug} with ${parts}`))
  },
})

export const orgs = group('orgs', 'Manage organizations and their members', {
  examples: [
    'latchkey orgs list --search acme',
    'latchkey orgs create Acme --owner ann@example.com',
    'latchkey orgs invite acme bob@example.com --role admin',
  ],
  commands: [list, show, create, remove, addMember, removeMember, invite, ...roleCommands],
})

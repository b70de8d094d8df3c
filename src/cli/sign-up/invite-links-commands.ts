/** `latchkey invite-links`: links with which new users sign up. */
import type { App } from '../../core/app.ts'
import { counted } from '../../lib/text.ts'
import { Failure } from '../../project/failure.ts'
import { argument, command, group, option, text, wholeNumber } from '../command.ts'
import { afterOption, limitOption, printList } from '../list-output.ts'
import { duration } from '../values.ts'

/** @throws Failure INVITE_LINKS_DISABLED */
async function requireInviteLinks({ config }: App): Promise<void> {
  const { enabled } = await import('../../features/invite-links/index.ts')
  if (enabled(config)) return
  const hint = "Set signUp.inviteLinks: true, or signUp.mode: 'invite'. On MySQL, then generate and apply the migrations."
  throw new Failure('INVITE_LINKS_DISABLED', 'The configuration has no invite links', { hint })
}

const create = command('create', 'Create an invite link', {
  description:
    'Prints the URL on standard output, and nothing else, so that a script can capture it. It cannot be printed again: only a hash of its token is stored.',
  examples: [
    'latchkey invite-links create --uses 20 --expires-in 7d --label "Conference"',
    'latchkey invite-links create --organization acme --organization-role admin',
    'URL=$(latchkey invite-links create --quiet)',
  ],
  options: {
    uses: option('--uses <n>', 'How many users may use it [1]', (z) => wholeNumber(z, 1, 100_000).default(1)),
    expiresIn: option('--expires-in <duration>', 'Lifetime, such as 12h or 7d [signUp.inviteLinks.expiresIn]', duration),
    label: option('--label <text>', 'Note for administrators', (z) => z.string().min(1).max(200).optional()),
    role: text('--role <roles>', 'Roles of the new users, separated by commas'),
    organization: text('--organization <organization>', 'Organization that the users join: ID or slug'),
    organizationRole: text('--organization-role <roles>', 'Their roles there [member]'),
  },
  usesDatabase: true,
  deadline: 60,
  action: async ({ options, output, openReadyApp }) => {
    const { createInviteLink } = await import('../../features/invite-links/index.ts')
    const { getOrganization, requireOrganizations } = await import('../ready-app.ts')
    const { checkRole } = await import('../users/create-user.ts')
    const { app } = await openReadyApp({ mode: 'write', tables: ['inviteLink', 'role'] })
    await requireInviteLinks(app)
    const { uses: maxUses, expiresIn, label, role, organizationRole } = options
    if (role !== undefined) await checkRole(app, role)
    if (options.organization !== undefined) requireOrganizations(app)
    const organizationId = options.organization === undefined ? undefined : (await getOrganization(app, options.organization)).id
    const { link, url } = await createInviteLink(app, null, { maxUses, expiresIn, label, role, organizationId, organizationRole })
    const { tokenHash: _, ...shown } = link
    output.result('invite-links-create/v1', { inviteLink: shown, url }, url)
    output.info(`Invite link ${link.id}, until ${link.expiresAt.toISOString()}. It is not printed again.`)
  },
})

const list = command('list', 'List invite links', {
  description: 'Prints one invite link per line, ordered by ID. With --json, prints one document per line (NDJSON).',
  examples: ['latchkey invite-links list', 'latchkey invite-links list --json | jq -r .id'],
  options: { limit: limitOption('invite links'), after: afterOption },
  usesDatabase: true,
  deadline: 600,
  action: async (context) => {
    const { stateOf, streamInviteLinks } = await import('../../features/invite-links/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['inviteLink'] })
    await requireInviteLinks(app)
    await printList(context, streamInviteLinks(app, context.options.after), {
      schema: 'invite-links-list/v1',
      noun: 'invite link',
      heading: ['ID', 'STATE', 'USES', 'EXPIRES', 'LABEL'],
      limit: context.options.limit,
      describe: ({ tokenHash: _, ...link }) => {
        const state = stateOf(app, { ...link, tokenHash: '' })
        const cells = [link.id, state, `${link.uses}/${link.maxUses}`, link.expiresAt.toISOString(), link.label ?? '-']
        return [{ ...link, state }, cells.map(printable)]
      },
    })
  },
})

const revoke = command('revoke', 'Revoke invite links', {
  description: 'Revokes invite links, effective immediately. Users who signed up with them stay.',
  examples: ['latchkey invite-links revoke 5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS'],
  arguments: { ids: argument('<ids...>', 'IDs from `invite-links list`', (z) => z.array(z.string().min(1).max(36)).min(1)) },
  usesDatabase: true,
  deadline: 60,
  action: async ({ options, output, openReadyApp }) => {
    const { revokeInviteLink } = await import('../../features/invite-links/index.ts')
    const { app } = await openReadyApp({ mode: 'write', tables: ['inviteLink'] })
    await requireInviteLinks(app)
    for (const id of options.ids) await revokeInviteLink(app, id)
    output.result('invite-links-revoke/v1', { ids: options.ids }, [])
    output.success(`Revoked ${counted(options.ids.length, 'invite link')}`)
  },
})

export const inviteLinks = group('invite-links', 'Create, list and revoke invite links', {
  examples: ['latchkey invite-links create --uses 20 --expires-in 7d', 'latchkey invite-links list'],
  commands: [create, list, revoke],
})

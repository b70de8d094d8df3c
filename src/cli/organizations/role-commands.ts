/** `orgs roles` and the commands that change the roles that an organization has of its own. */
import type { App } from '../../core/app.ts'
import { roleName } from '../../lib/text.ts'
import { Failure, usageError } from '../../project/failure.ts'
import { argument, type Context, command, option, text, type Zod } from '../command.ts'
import { readPermissions } from '../values.ts'
import { explained, organizationArgument } from './member-commands.ts'

const name = (z: Zod) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'expected a name')
    .max(64, 'is too long')
    .regex(roleName, 'expected a name without commas and control characters')
const roleArgument = argument('<role>', 'Name of the role, stored in lower case', name)
const permissions = text('--permissions <json>', 'Actions by resource, as a JSON object')

const tables = ['organization', 'organizationRole', 'member', 'invitation', 'role', 'auditEvent'] as const

/** @throws Failure ORGANIZATIONS_DISABLED, OWN_ROLES_DISABLED, ORGANIZATION_NOT_FOUND */
async function openOrganization({ openReadyApp }: Context, mode: 'read' | 'write', idOrSlug: string) {
  const { permitsOwnRoles } = await import('../../features/organizations/index.ts')
  const { getOrganization, requireOrganizations } = await import('../ready-app.ts')
  const { app } = await openReadyApp({ mode, tables })
  requireOrganizations(app)
  if (permitsOwnRoles(app.config)) return { app, organization: await getOrganization(app, idOrSlug) }
  throw new Failure('OWN_ROLES_DISABLED', 'Organizations have no roles of their own: organization.dynamicAccessControl is off', {
    hint: 'Set organization: { dynamicAccessControl: { enabled: true } } in the configuration.',
  })
}

/** An operator needs no role, but what a role permits must be declared. @throws Failure USAGE with what is declared */
async function checkDeclared(app: App, given: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const { declaredStatements } = await import('../../features/organizations/index.ts')
  const declared = declaredStatements(app.config)
  const hint = `Declared: ${Object.entries(declared)
    .map(([resource, actions]) => `${resource}: ${actions.join(', ')}`)
    .join('; ')}. Declare others in organization.ac.`
  for (const [resource, actions] of Object.entries(given)) {
    const known = Object.hasOwn(declared, resource) ? (declared[resource] ?? []) : null
    if (known === null) throw usageError(`--permissions: there is no resource "${resource}"`, hint)
    const unknown = actions.find((action) => !known.includes(action))
    if (unknown !== undefined) throw usageError(`--permissions: "${resource}" has no action "${unknown}"`, hint)
  }
}

const roles = command('roles', 'List the roles of an organization', {
  description:
    'Prints the roles that members can have: those of the configuration and of seed.roles, and those that members or operators made for this organization.',
  examples: ['latchkey orgs roles acme', 'latchkey orgs roles acme --json | jq -r .own[].role'],
  arguments: { organization: organizationArgument },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { listMemberRoles, listOwnRoles } = await import('../../features/organizations/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { options, output } = context
    const { app, organization } = await openOrganization(context, 'read', options.organization)
    const own = await listOwnRoles(app, organization.id)
    const predefined = await listMemberRoles(app)
    const line = (kind: string) => (one: { readonly role: string; readonly permission: object }) =>
      printable(`${one.role}  ${kind}  ${JSON.stringify(one.permission)}`)
    output.result('orgs-roles/v1', { organization: { id: organization.id, slug: organization.slug }, predefined, own }, [
      ...predefined.map(line('predefined')),
      ...own.map(line('own')),
    ])
  },
})

const createRole = command('create-role', 'Create a role of an organization', {
  description:
    'Members of this organization can have the role; it counts in no other one. It may permit what the configuration declares. The limit of roles applies.',
  examples: [
    `latchkey orgs create-role acme auditor --permissions '{"member":["update"]}'`,
    'latchkey orgs create-role acme guest',
  ],
  arguments: { organization: organizationArgument, role: roleArgument },
  options: { permissions },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { role } = options
    const permission = readPermissions(options.permissions) ?? {}
    const { createOwnRole, maximumRoles } = await import('../../features/organizations/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { app, organization } = await openOrganization(context, 'write', options.organization)
    await checkDeclared(app, permission)
    const limit = await maximumRoles(app, organization.id)
    const author = { organizationId: organization.id, userId: null }
    const created = await explained(createOwnRole(app, author, { role, permission }, limit), role)
    output.result('orgs-create-role/v1', { role: created }, [])
    output.success(printable(`Created the role ${role} of ${organization.slug}`))
  },
})

const updateRole = command('update-role', 'Change a role of an organization', {
  description:
    'Changes what the role permits, its name, or both. Members who have the role can do from the next call on what it permits then; pending invitations that they could not send any more are canceled. A role that a member has, or a pending invitation gives, keeps its name.',
  examples: [
    `latchkey orgs update-role acme auditor --permissions '{"member":["update"]}'`,
    'latchkey orgs update-role acme auditor --name reviewer',
  ],
  arguments: { organization: organizationArgument, role: roleArgument },
  options: { name: option('--name <name>', 'New name', (z) => name(z).optional()), permissions },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const permission = readPermissions(options.permissions)
    if (permission === undefined && options.name === undefined) throw usageError('Give --permissions, --name or both')
    const { updateOwnRole } = await import('../../features/organizations/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { app, organization } = await openOrganization(context, 'write', options.organization)
    if (permission) await checkDeclared(app, permission)
    const author = { organizationId: organization.id, userId: null }
    const changes = { permission, roleName: options.name }
    const role = await explained(updateOwnRole(app, author, { roleName: options.role }, changes), options.name)
    output.result('orgs-update-role/v1', { role }, [])
    output.success(printable(`Changed the role ${options.role} of ${organization.slug}`))
  },
})

const deleteRole = command('delete-role', 'Delete a role of an organization', {
  description: 'A role that a member has, or a pending invitation gives, cannot be deleted.',
  examples: ['latchkey orgs delete-role acme auditor'],
  arguments: { organization: organizationArgument, role: roleArgument },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { role } = options
    const { deleteOwnRole } = await import('../../features/organizations/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { app, organization } = await openOrganization(context, 'write', options.organization)
    await explained(deleteOwnRole(app, { organizationId: organization.id, userId: null }, { roleName: role }))
    output.result('orgs-delete-role/v1', { role, organization: { id: organization.id, slug: organization.slug } }, [])
    output.success(printable(`Deleted the role ${role} of ${organization.slug}`))
  },
})

export const roleCommands = [roles, createRole, updateRole, deleteRole]

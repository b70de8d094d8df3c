/** `orgs create`: an organization for an existing user. */
import { isSlug, shellWord } from '../../lib/text.ts'
import { usageError } from '../../project/failure.ts'
import { argument, command, option, text } from '../command.ts'
import { explained } from './member-commands.ts'

export const create = command('create', 'Create an organization', {
  description:
    'Its owner is an existing user. The hooks of organizationCreation and the limit of organizations per user apply; the permission to create organizations does not.',
  examples: [
    'latchkey orgs create Acme --owner ann@example.com',
    'latchkey orgs create "Acme Inc." --slug acme --owner ann@example.com',
    `latchkey orgs create Acme --owner ann@example.com --metadata '{"plan":"pro"}'`,
  ],
  arguments: { name: argument('<name>', 'Name', (z) => z.string().min(1, 'expected a name').max(255, 'is too long')) },
  options: {
    slug: option('--slug <slug>', 'Identifies the organization in URLs [the name in lower case with hyphens]', (z) =>
      z
        .string()
        .min(1, 'expected a slug')
        .max(255, 'is too long')
        .refine(isSlug, 'expected letters, digits, and . _ ~ -')
        .optional(),
    ),
    owner: option('--owner <user>', 'ID or email address of the owner', (z) => z.string('expected a user').min(1)),
    metadata: text('--metadata <json>', 'Data of your application, as a JSON object'),
  },
  usesDatabase: true,
  deadline: 60,
  action: async ({ options, output, openReadyApp }) => {
    const { name } = options
    const slug = options.slug ?? slugOf(name)
    const metadata = await readMetadata(options.metadata)
    const { checkOrganizationLimit, createOrganization, describeOrganization } = await import(
      '../../features/organizations/index.ts'
    )
    const { getUser, requireOrganizations } = await import('../ready-app.ts')
    const { printable } = await import('../../lib/redact.ts')
    const tables = ['organization', 'member', 'team', 'auditEvent', 'user'] as const
    const { app } = await openReadyApp({ mode: 'write', tables })
    requireOrganizations(app)
    const owner = await getUser(app, options.owner)
    await explained(checkOrganizationLimit(app, owner))
    const { organizationLimit: limit } = app.config.organization
    const given = { name, slug, metadata }
    const made = await explained(createOrganization(app, owner, given, typeof limit === 'number' ? limit : undefined), slug)
    const organization = describeOrganization(made.organization)
    output.result('orgs-create/v1', { organization, owner: { id: owner.id, email: owner.email } }, [
      printable(`${organization.id}  ${organization.slug}  ${organization.name}`),
    ])
    output.success(printable(`Created ${organization.slug}, owned by ${owner.email}`))
    output.info(printable(`Next: latchkey orgs invite ${shellWord(organization.slug)} <email>`))
  },
})

/** @throws Failure USAGE when the name has no letter or digit of ASCII */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  if (slug === '') throw usageError('--slug: is missing, and cannot be derived from the name')
  return slug
}

/** @throws Failure USAGE */
async function readMetadata(text: string | undefined): Promise<Record<string, unknown> | null> {
  if (text === undefined) return null
  const { metadata } = await import('../../features/organizations/schemas.ts')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw usageError('--metadata: expected a JSON object')
  }
  const parsed = metadata.safeParse(value)
  if (parsed.success) return parsed.data
  throw usageError(`--metadata: ${parsed.error.issues[0]?.code === 'custom' ? 'is too long' : 'expected a JSON object'}`)
}

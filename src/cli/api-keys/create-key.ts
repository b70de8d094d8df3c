/** `api-keys create`: prints the key alone on standard output, so that a script can capture it. */
import type { App } from '../../core/app.ts'
import type { NewKey } from '../../features/api-keys/index.ts'
import { usageError } from '../../project/failure.ts'
import { command, option, text, wholeNumber, type Zod } from '../command.ts'
import { duration, readObject, readPermissions } from '../values.ts'

const maxCount = 2_147_483_647
const uses = (z: Zod) => wholeNumber(z, 1, maxCount).optional()

export const create = command('create', 'Create an API key', {
  description:
    'Prints the key on standard output, and nothing else, so that a script can capture it. It cannot be printed again. Permissions are checked by your application. The key never permits more than its owner’s roles.',
  examples: [
    'latchkey api-keys create --user ann@example.com --name CI --expires-in 90d',
    'KEY=$(latchkey api-keys create --user ann@example.com --quiet)',
    `latchkey api-keys create --user ann@example.com --permissions '{"a":["read"]}'`,
    'latchkey api-keys create --user ann@example.com --remaining 1000',
  ],
  options: {
    user: option('--user <user>', 'ID or email address of the owner', (z) => z.string().min(1).optional()),
    organization: option('--organization <organization>', 'ID or slug of the owner, in a set of organizations', (z) =>
      z.string().min(1).optional(),
    ),
    set: option('--set <configId>', 'Set of the key [that of apiKey itself]', (z) => z.string().min(1).optional()),
    name: option('--name <name>', 'Name', (z) => z.string().min(1, 'expected a name').max(255, 'is too long').optional()),
    prefix: option('--prefix <prefix>', 'Start of the key [apiKey.defaultPrefix]', (z) =>
      z
        .string()
        .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'expected letters, digits, _ and -')
        .optional(),
    ),
    expiresIn: option(
      '--expires-in <duration>',
      'Lifetime, such as 12h, 30d or 52w [apiKey.keyExpiration.defaultExpiresIn]',
      duration,
    ),
    permissions: text('--permissions <json>', 'Actions by resource, as a JSON object'),
    metadata: text('--metadata <json>', 'Data of your application, as a JSON object'),
    remaining: option('--remaining <n>', 'Uses until the key ends [unlimited]', uses),
    refillAmount: option('--refill-amount <n>', 'Uses after each refill', uses),
    refillInterval: option('--refill-interval <days>', 'Days between refills', (z) => wholeNumber(z, 1, 36_500).optional()),
    rateLimit: option('--rate-limit <n>', 'Uses in a window; 0: no rate limit [apiKey.rateLimit]', (z) =>
      wholeNumber(z, 0, maxCount).optional(),
    ),
    rateLimitWindow: option(
      '--rate-limit-window <duration>',
      'Length of a window, such as 1m or 1d [apiKey.rateLimit]',
      duration,
    ),
  },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { name, prefix, expiresIn, remaining, refillAmount, refillInterval, rateLimit, rateLimitWindow } = options
    if ((refillAmount === undefined) !== (refillInterval === undefined))
      throw usageError('Give --refill-amount and --refill-interval together')
    const permissions = readPermissions(options.permissions)
    const metadata = readObject('--metadata', options.metadata)
    const { describeKey } = await import('../../features/api-keys/index.ts')
    const { explainCreation } = await import('./broken-rules.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: ['user', 'apikey'] })
    const { set, owner, createKey } = await findOwner(app, options)
    const given = { name, prefix, expiresIn, permissions, metadata, remaining, refillAmount, refillInterval }
    const limits = {
      ...(rateLimit === 0
        ? { rateLimitEnabled: false }
        : rateLimit !== undefined && { rateLimitEnabled: true, rateLimitMax: rateLimit }),
      ...(rateLimitWindow !== undefined && { rateLimitTimeWindow: rateLimitWindow * 1000 }),
    }
    const { row, key } = await createKey({ ...given, ...limits }).catch((error: unknown) => {
      throw explainCreation(app, set, error)
    })
    output.result('api-keys-create/v1', { apiKey: describeKey(app, row), key }, key)
    output.info(`API key ${row.id} of ${owner}. It is not printed again.`)
  },
})

interface Named {
  readonly user?: string | undefined
  readonly organization?: string | undefined
  readonly set?: string | undefined
}

/** The set, its owner, and the function that creates the key. @throws Failure, also when the set is not for this kind of owner */
async function findOwner(app: App, { user: givenUser, organization: givenOrganization, set: configId }: Named) {
  const { createKey, createOrganizationKey, isOfOrganizations, keySets, setOf } = await import('../../features/api-keys/index.ts')
  const { getOrganization, getUser, requireApiKeys, requireOrganizationKeys } = await import('../ready-app.ts')
  if ((givenUser === undefined) === (givenOrganization === undefined)) throw usageError('Give --user or --organization')
  requireApiKeys(app)
  const names = keySets(app).map((one) => one.configId)
  if (configId !== undefined && !names.includes(configId)) throw usageError(`--set: expected ${names.join(', ')}`)
  const set = setOf(app, configId)
  if (givenUser !== undefined) {
    if (isOfOrganizations(set)) throw usageError(`Organizations own the keys of the set ${set.configId}: give --organization`)
    const user = await getUser(app, givenUser)
    return { set, owner: user.email, createKey: (given: NewKey) => createKey(app, user, given, set) }
  }
  requireOrganizationKeys(app)
  if (!isOfOrganizations(set)) throw usageError(`Users own the keys of the set ${set.configId}: give --user, or another --set`)
  const { id, slug } = await getOrganization(app, givenOrganization ?? '')
  return { set, owner: slug, createKey: (given: NewKey) => createOrganizationKey(app, id, given, set) }
}

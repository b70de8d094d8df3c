import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { latchkey, latchkeyJSON } from './kit.ts'
import { options, places, serve } from './projects.ts'
import { onTerminal } from './terminal.ts'

const given: ConfigFile = { ...options, apiKey: { enableMetadata: true } }
const ann = ['users', 'create', '--email', 'ann@example.com', '--name', 'Ann']
const createKey = ['api-keys', 'create', '--user', 'ann@example.com']

describe.each(Object.entries(places))('on %s', { timeout: 90_000 }, (_, create) => {
  async function open() {
    const project = await create(given)
    await latchkey(project.cwd, ann, project.env)
    const run = (...args: string[]) => latchkey(project.cwd, args, project.env)
    const json = (...args: string[]) => latchkeyJSON(project.cwd, args, project.env)
    return { project, run, json }
  }

  test('prints a new key, and nothing else on standard output; the key works', async () => {
    const { project, run, json } = await open()
    const made = await run(...createKey, '--name', 'CI', '--rate-limit', '0')
    expect([made.exitCode, made.stdout]).toEqual([0, expect.stringMatching(/^[A-Za-z]{64}$/)])
    expect(made.stderr).toContain('It is not printed again.')
    const quiet = await run(...createKey, '--quiet')
    expect([quiet.stdout.length, quiet.stderr]).toEqual([64, ''])
    const { browser, app } = await serve(project, given)
    const headers = { 'x-api-key': made.stdout.trim() }
    expect((await browser().request('/get-session', { headers })).body.user.email).toBe('ann@example.com')
    const events = await app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'api-key.created').execute()
    expect(events.map(({ actorKind }) => actorKind)).toEqual(['operator', 'operator'])
    const listed = await json('api-keys', 'list', '--limit', '1')
    expect(listed.stdout).not.toContain(made.stdout.trim())
  })

  test('sets expiration, permissions, metadata and limits', async () => {
    const { json } = await open()
    const limits = [
      '--remaining',
      '5',
      '--refill-amount',
      '10',
      '--refill-interval',
      '7',
      '--rate-limit',
      '3',
      '--rate-limit-window',
      '1m',
    ]
    const data = ['--permissions', '{"projects":["read"]}', '--metadata', '{"team":"a"}']
    const { document } = await json(...createKey, '--prefix', 'acme_', '--expires-in', '30d', ...limits, ...data)
    expect(document).toMatchObject({
      schema: 'api-keys-create/v1',
      key: expect.stringMatching(/^acme_[A-Za-z]{64}$/),
      apiKey: {
        ...{ prefix: 'acme_', permissions: { projects: ['read'] }, metadata: { team: 'a' }, remaining: 5, refillAmount: 10 },
        ...{ refillInterval: 7, rateLimitEnabled: true, rateLimitMax: 3, rateLimitTimeWindow: 60_000 },
      },
    })
    const { createdAt, expiresAt } = document.apiKey as { createdAt: string; expiresAt: string }
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeCloseTo(30 * 86_400_000, -3)
  })

  test('lists the keys of all users or of one, without keys and hashes', async () => {
    const { json, run, project } = await open()
    await run('users', 'create', '--email', 'bob@example.com', '--name', 'Bob')
    const { document: first } = await json(...createKey, '--name', 'CI')
    const { document: second } = await json('api-keys', 'create', '--user', 'bob@example.com')
    const records = async (...args: string[]) =>
      (await run('api-keys', 'list', '--json', ...args)).stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    const idOf = ({ apiKey }: Record<string, unknown>) => (apiKey as { id: string }).id
    expect((await records()).map(({ id }) => id)).toEqual([idOf(first), idOf(second)].sort())
    const [own] = await records('--user', 'ann@example.com')
    expect(own).toMatchObject({ schema: 'api-keys-list/v1', id: idOf(first), email: 'ann@example.com', name: 'CI' })
    expect(own).not.toHaveProperty('key')
    const human = await run('api-keys', 'list', '--user', 'ann@example.com')
    expect(human.stdout).toMatch(new RegExp(`^${idOf(first)}  \\w{6}  active  ann@example.com  CI$`))
    const { app } = await serve(project, given)
    await app.db.updateTable('apikey').set({ enabled: false }).execute()
    expect((await run('api-keys', 'list')).stdout.match(/ {2}disabled {2}/g)).toHaveLength(2)
  })

  test('revokes keys by their IDs or of a user, after a confirmation', async () => {
    const { run, json } = await open()
    const made = [await json(...createKey), await json(...createKey), await json(...createKey)]
    const [one = '', two = ''] = made.map(({ document }) => (document.apiKey as { id: string }).id)
    const count = async () => (await run('api-keys', 'list')).stdout.split('\n').filter(Boolean).length
    const planned = await json('api-keys', 'revoke', '--user', 'ann@example.com', '--dry-run')
    expect([planned.document, await count()]).toEqual([expect.objectContaining({ dryRun: true, revoked: 0 }), 3])
    const unconfirmed = await run('api-keys', 'revoke', one)
    expect([unconfirmed.exitCode, unconfirmed.stderr, await count()]).toEqual([4, expect.stringContaining('--yes'), 3])
    const unknown = await json('api-keys', 'revoke', one, 'unknown', '--yes')
    expect([unknown.exitCode, unknown.document.code, await count()]).toEqual([1, 'API_KEY_NOT_FOUND', 3])
    const revoked = await json('api-keys', 'revoke', one, two, '--yes')
    expect([revoked.document, await count()]).toEqual([expect.objectContaining({ revoked: 2 }), 1])
    expect((await run('api-keys', 'revoke', '--user', 'ann@example.com', '--yes')).stderr).toContain('Revoked 1 API key')
    expect(await count()).toBe(0)
    expect((await json('api-keys', 'revoke', '--user', 'ann@example.com')).document).toMatchObject({ revoked: 0 })
  })
})

test.each([
  [['create', '--user', 'a', '--permissions', '[]'], '--permissions: expected a JSON object'],
  [['create', '--user', 'a', '--permissions', '{"a":"b"}'], '--permissions: expected a list of actions for "a"'],
  [['create', '--user', 'a', '--metadata', 'x'], '--metadata: expected a JSON object'],
  [['create', '--user', 'a', '--expires-in', '5'], 'expected a duration such as 12h, 7d or 4w'],
  [['create'], 'Give --user or --organization'],
  [['create', '--user', 'a', '--refill-amount', '3'], 'Give --refill-amount and --refill-interval together'],
  [['create', '--user', 'a', '--refill-interval', '3'], 'Give --refill-amount and --refill-interval together'],
  [['revoke'], 'Give IDs of API keys, --user or --organization'],
  [['revoke', 'a', '--user', 'b'], 'Give IDs of API keys, --user or --organization'],
])('rejects %j', async (args, message) => {
  const { cwd, env } = await places.SQLite(given)
  const { exitCode, stderr } = await latchkey(cwd, ['api-keys', ...args], env)
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
})

test.each([
  [['--expires-in', '1h'], {}, '--expires-in: the shortest lifetime is 1 day', 'apiKey.keyExpiration.minExpiresIn'],
  [['--expires-in', '53w'], {}, '--expires-in: the longest lifetime is 365 days', 'apiKey.keyExpiration.maxExpiresIn'],
  [
    ['--expires-in', '30d'],
    { keyExpiration: { disableCustomExpiresTime: true } },
    '--expires-in: the lifetime of keys cannot be chosen',
    'apiKey.keyExpiration.disableCustomExpiresTime',
  ],
  [['--name', 'x'.repeat(33)], {}, '--name: expected 1 to 32 characters', 'apiKey.maximumNameLength'],
  [['--prefix', 'x'.repeat(33)], {}, '--prefix: expected 1 to 32 characters', 'apiKey.maximumPrefixLength'],
  [['--metadata', '{}'], {}, '--metadata: metadata is disabled', 'apiKey.enableMetadata'],
  [[], { maximumKeysPerUser: 1 }, 'The user has the maximum number of API keys: 1', 'apiKey.maximumKeysPerUser'],
])('names the option and the rule that %j breaks with %j', async (args, apiKey, message, rule) => {
  const { cwd, env } = await places.SQLite({ ...options, apiKey })
  await latchkey(cwd, ann, env)
  await latchkey(cwd, createKey, env)
  const { exitCode, document } = await latchkeyJSON(cwd, [...createKey, ...args], env)
  expect([exitCode, document.message, document.hint]).toEqual([1, message, expect.stringContaining(rule)])
})

test('says how to enable API keys', async () => {
  const { cwd, env } = await places.SQLite()
  const { exitCode, document } = await latchkeyJSON(cwd, ['api-keys', 'list'], env)
  expect([exitCode, document.code]).toEqual([1, 'API_KEYS_DISABLED'])
})

test('shows on a terminal what it is about to revoke', async () => {
  const { cwd, env } = await places.SQLite(given)
  await latchkey(cwd, ann, env)
  await latchkey(cwd, [...createKey, '--name', 'CI'], env)
  const terminal = onTerminal(cwd, ['api-keys', 'revoke', '--user', 'ann@example.com'], env)
  await terminal.answer('Revoke 1 API key?', 'n')
  expect(await terminal.ended, terminal.text()).toBe(0)
  expect(terminal.text()).toMatch(/ann@example\.com {2}CI/)
  expect(terminal.text()).toContain('Nothing was changed')
})

test('creates, lists and revokes keys of an organization', async () => {
  const configurations = [{ configId: 'team', references: 'organization' as const, requireName: true }]
  const { cwd, env } = await places.SQLite({ ...options, organization: true, apiKey: { configurations } })
  const run = (...args: string[]) => latchkey(cwd, args, env)
  await run(...ann)
  await run('orgs', 'create', 'Acme', '--slug', 'acme', '--owner', 'ann@example.com')
  const ofAcme = ['--organization', 'acme']
  const made = await run('api-keys', 'create', ...ofAcme, '--set', 'team', '--name', 'CI')
  expect([made.exitCode, made.stdout], made.stderr).toEqual([0, expect.stringMatching(/^[A-Za-z]{64}$/)])
  const failure = async (...args: string[]) => (await run('api-keys', 'create', ...args)).stderr
  expect(await failure(...ofAcme, '--set', 'team')).toContain('Set by requireName of the set team')
  expect(await failure(...ofAcme)).toContain('Users own the keys of the set default')
  expect(await failure('--user', 'ann@example.com', '--set', 'team')).toContain('Organizations own the keys of the set team')
  expect(await failure('--user', 'ann@example.com', '--set', 'other')).toContain('--set: expected default, team')
  expect((await run('api-keys', 'list', ...ofAcme)).stdout).toMatch(/active\s+acme\s+CI/)
  expect((await run('api-keys', 'list', '--user', 'ann@example.com')).stdout).not.toContain('CI')
  const revoked = await latchkeyJSON(cwd, ['api-keys', 'revoke', ...ofAcme, '--yes'], env)
  expect(revoked.document).toMatchObject({ revoked: 1 })
})

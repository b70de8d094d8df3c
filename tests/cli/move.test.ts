/** Exports of other systems (tests/moving/fixtures): the report, the move, and a second run. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { latchkey } from './kit.ts'
import { type Project, places, serve } from './projects.ts'

const fixture = (...names: string[]): string => fileURLToPath(new URL(`../moving/fixtures/${names.join('/')}`, import.meta.url))
const signerKey = 'RVoDppfSjDF9M+BVwvP1Q2rbtUvPYL5IgD/INFeBHpV86BNziHoubiVZjmzPjJbfq1VbIyr9i2eK78MmphtgnA=='
const features: ConfigFile = {
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  admin: { enabled: true },
  phoneNumber: true,
  anonymous: true,
  twoFactor: true,
  passwordHash: { firebase: { main: signerKey }, memory: 8192, iterations: 1 },
}

async function move({ cwd, env }: Project, ...args: string[]) {
  const ended = await latchkey(cwd, ['move', ...args, '--json'], env)
  const documents: Record<string, unknown>[] = ended.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return { ...ended, rows: documents.slice(0, -1), report: documents.at(-1) ?? {} }
}

const systems: readonly (readonly [system: string, files: readonly string[], counts: object, reasons: readonly string[]])[] = [
  [
    'auth0',
    ['users.ndjson', 'password-hashes.ndjson'],
    { users: 4, moved: 3, leftOut: 1, passwords: 2 },
    ['banned', 'factor-missing', 'orphan-hash', 'placeholder-address', 'same-address', 'unverified'],
  ],
  [
    'clerk',
    ['users.csv', 'users.json'],
    { users: 4, moved: 4, leftOut: 0, passwords: 2 },
    ['banned', 'factor-moved', 'no-password', 'other-address', 'placeholder-address', 'unusable-hash', 'unverified'],
  ],
  [
    'firebase',
    ['users.json', 'hash-config.txt'],
    { users: 5, moved: 4, leftOut: 1, passwords: 2 },
    ['apple-team', 'banned', 'no-address', 'placeholder-address', 'signer-key', 'unverified', 'url-safe-hash'],
  ],
  [
    'supabase',
    ['auth.sql'],
    { users: 5, moved: 4, leftOut: 1, passwords: 2 },
    ['anonymous', 'banned', 'deleted', 'email-identity', 'factor-moved', 'placeholder-address', 'signer-key'],
  ],
  [
    'keycloak',
    ['acme-realm.json'],
    { users: 6, moved: 4, leftOut: 2, passwords: 3 },
    [
      ...['banned', 'factor-moved', 'federated', 'few-rounds', 'no-address', 'role: client:shop:editor'],
      ...['role: group:/staff/night', 'service-account', 'unverified'],
    ],
  ],
  [
    'cognito',
    ['list-users.ndjson'],
    { users: 3, moved: 2, leftOut: 1, passwords: 0 },
    ['banned', 'must-replace', 'no-password', 'phone-dropped', 'same-address', 'unverified'],
  ],
  [
    'cognito',
    ['users.csv'],
    { users: 2, moved: 2, leftOut: 0, passwords: 0 },
    ['factor-missing', 'no-password', 'phone-dropped', 'unverified'],
  ],
  [
    'wordpress',
    ['wp_users.csv'],
    { users: 4, moved: 3, leftOut: 1, passwords: 3 },
    ['no-time', 'same-address', 'unverified', 'weak-hash'],
  ],
  [
    'django',
    ['auth_user.json'],
    { users: 6, moved: 6, leftOut: 0, passwords: 5 },
    [
      ...['banned', 'no-password', 'placeholder-address', 'role: is_staff', 'role: is_superuser', 'unverified'],
      ...['username-dropped', 'weak-hash'],
    ],
  ],
]

test.each(systems)(
  'from-%s %j: reports every user, moves them, and a second run changes nothing',
  async (system, files, counts, reasons) => {
    const project = await places.SQLite(system === 'django' ? { ...features, username: true } : features)
    const args = [`from-${system}`, ...files.map((name) => fixture(system, name))]
    const { report, stdout } = await move(project, ...args)
    expect(report).toMatchObject({ schema: 'move-users/v1', applied: false, ...counts, conflict: 0, invalid: 0 })
    expect(Object.keys(report.reasons ?? {}).sort()).toEqual(reasons)
    expect(Number(report.moved) + Number(report.merged) + Number(report.notMoved)).toBe(report.users)
    expect(stdout).not.toMatch(/[a-z.]{2,}@example/i)
    expect(readdirSync(project.cwd)).not.toContain('test.db')
    const applied = await move(project, ...args, '--apply', '--accept-slow-sign-in')
    expect([applied.exitCode, applied.report]).toMatchObject([0, { applied: true, ...counts, created: report.moved }])
    const again = await move(project, ...args, '--apply', '--accept-slow-sign-in')
    expect(again.report).toMatchObject({ ...counts, created: 0, unchanged: report.moved, conflict: 0, invalid: 0 })
  },
)

const presets: readonly (readonly [
  preset: string,
  file: string,
  counts: object,
  signIns: readonly (readonly [email: string, password: string])[],
])[] = [
  ['laravel', 'users.csv', { users: 3, moved: 3, passwords: 3 }, [['oda', 'correct horse 9']]],
  ['spring', 'users.csv', { users: 5, moved: 5, passwords: 5 }, [['user0', 'Quiet river 22']]],
  ['aspnet', 'AspNetUsers.csv', { users: 3, moved: 3, passwords: 3 }, [['rut', 'Passw0rd!Elm']]],
  ['devise', 'users.csv', { users: 2, moved: 2, passwords: 1 }, [['dev', 'correct horse 9']]],
  ['lucia', 'users.csv', { users: 2, moved: 2, passwords: 1 }, [['lux', 'gläcier-7-brücke']]],
  ['zitadel', 'export.json', { users: 2, moved: 2, passwords: 2 }, [['zoe', 'Wolke7-hoch']]],
  ['fusionauth', 'users.json', { users: 2, moved: 2, passwords: 1 }, [['fay', 'flask-of-tea']]],
  ['logto', 'users.csv', { users: 2, moved: 2, passwords: 1 }, [['lo', 'Wolke7-hoch']]],
]

test('from-csv reads the tables of eight systems, and a user of each signs in with their password', async () => {
  const passwordHash = { memory: 8192, iterations: 1, peppers: { main: 'pepper-of-the-old-app' } }
  const config: ConfigFile = { ...features, passwordHash }
  const project = await places.SQLite(config)
  const reasons: Record<string, number> = {}
  for (const [preset, file, counts] of presets) {
    const args = ['from-csv', fixture(preset, file), '--preset', preset, '--apply', '--accept-slow-sign-in']
    const { report, exitCode, stderr } = await move(project, ...args, ...(preset === 'devise' ? ['--pepper', 'main'] : []))
    expect([exitCode, report], preset + stderr).toMatchObject([
      0,
      { ...counts, created: Reflect.get(counts, 'moved'), leftOut: 0 },
    ])
    for (const [name, count] of Object.entries(report.reasons ?? {})) reasons[name] = (reasons[name] ?? 0) + Number(count)
  }
  expect(reasons).toMatchObject({ 'factor-missing': 3, 'factor-moved': 2, 'must-replace': 1, 'unusable-hash': 1, banned: 4 })
  const { browser } = await serve(project, config)
  for (const [preset, , , signIns] of presets)
    for (const [name, password] of signIns) {
      const { status, body } = await browser().call('POST /sign-in/email', { body: { email: `${name}@example.com`, password } })
      expect([preset, status, body]).toEqual([preset, 200, expect.anything()])
    }
})

test('a file that is not UTF-8 fails with its place and the command that converts it, and nothing is written', async () => {
  const project = await places.SQLite(features)
  const args = ['move', 'from-csv', fixture('broken', 'latin1.csv'), '--columns', 'email=email', '--apply']
  const { exitCode, stderr } = await latchkey(project.cwd, args, project.env)
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('latin1.csv, line 2, byte 6: not UTF-8')])
  expect(stderr).toContain('iconv -f ISO-8859-1')
  const { database } = await serve(project, features)
  expect(await database.db.selectFrom('user').select('id').execute()).toEqual([])
})

test('two users with one verified address are joined with --merge verified, and the oldest ID stays', async () => {
  const project = await places.SQLite(features)
  const args = ['from-auth0', ...['users.ndjson', 'password-hashes.ndjson'].map((name) => fixture('auth0', name))]
  const { report } = await move(project, ...args, '--merge', 'verified', '--apply')
  expect(report).toMatchObject({ users: 4, moved: 3, merged: 1, notMoved: 0 })
  const { database } = await serve(project, features)
  const accounts = await database.db
    .selectFrom('account')
    .select(['userId', 'providerId'])
    .where('userId', 'like', '%aa0001')
    .orderBy('providerId')
    .execute()
  expect(accounts.map(({ providerId }) => providerId)).toEqual(['credential', 'google'])
  expect(accounts[0]?.userId).toBe('auth0|65f1c0a2b7e4d10001aa0001')
})

test('--to-ndjson writes lines that the import reads, for their owner only', async () => {
  const project = await places.SQLite(features)
  const out = join(project.cwd, 'lines.ndjson')
  const { report } = await move(project, 'from-supabase', fixture('supabase', 'auth.sql'), '--to-ndjson', out)
  expect(report).toMatchObject({ lines: 4 })
  expect(readFileSync(out, 'utf8')).not.toContain(signerKey)
  const imported = await latchkey(project.cwd, ['import', 'users', out, '--json'], project.env)
  expect(JSON.parse(imported.stdout)).toMatchObject({ created: 4, conflict: 0, invalid: 0 })
})

test('an export whose hashes need a secret is not moved before it is configured', async () => {
  const { passwordHash: _, ...without } = features
  const project = await places.SQLite(without)
  const { exitCode, stderr } = await latchkey(
    project.cwd,
    ['move', 'from-supabase', fixture('supabase', 'auth.sql'), '--apply'],
    project.env,
  )
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining('passwordHash.firebase')])
})

test('metadata of operators never goes into a field that users may set', async () => {
  const user = { additionalFields: { plan: { type: 'string', required: false } } } as const
  const project = await places.SQLite({ ...features, user })
  const args = ['from-auth0', fixture('auth0', 'users.ndjson'), '--field', 'plan=app_metadata.plan']
  expect((await latchkey(project.cwd, ['move', ...args], project.env)).exitCode).toBe(2)
})

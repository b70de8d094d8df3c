/** What other systems get: files that our own readers read back, and a database on which better-auth runs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { readPasswordFormat } from '../../src/lib/password-formats.ts'
import { base32 } from '../../src/lib/totp.ts'
import { latchkey, latchkeyJSON } from '../cli/kit.ts'
import { type Project, places } from '../cli/projects.ts'
import { formerSecret, startFormerApp } from './better-auth/former-app.ts'

const config: ConfigFile = {
  ...{ emailAndPassword: { enabled: true }, rateLimit: { enabled: false } },
  ...{ username: true, admin: true, twoFactor: true, organization: { teams: { enabled: true } }, jwt: true, apiKey: true },
  seed: { roles: { admin: {} } },
}

interface Vector {
  readonly form: string
  readonly hash: string
  readonly password: string
}
const { vectors }: { readonly vectors: readonly Vector[] } = JSON.parse(
  readFileSync(new URL('fixtures/hashes.json', import.meta.url), 'utf8'),
)
const hashOf = (start: string): string => vectors.find(({ hash }) => hash?.startsWith(start))?.hash ?? ''
const own = vectors.find(({ form }) => form === 'scrypt-hex32')

const user = (name: string, password: string, more: object = {}, rest: object = {}) => ({
  user: {
    id: `of-${name}`,
    email: `${name}@example.com`,
    name,
    emailVerified: true,
    createdAt: '2020-01-31T12:00:00.000Z',
    ...more,
  },
  accounts: [
    { providerId: 'credential', password },
    { providerId: 'github', accountId: `7${name}` },
  ],
  ...rest,
})
const totp = { secret: base32(Buffer.from('abcdefghijklmnopqrstuvwxyz-_0123')) }

/** Users with hashes of every scheme, an organization and an API key. */
async function createSource(): Promise<Project> {
  const project = await places.SQLite(config)
  const lines = [
    user('ann', own?.hash ?? '', { role: 'admin' }, { secondFactor: { totp } }),
    user('bob', hashOf('$argon2id$'), { banned: true, name: `Bob O'Brien "\\" ü\nx` }),
    user('cyd', hashOf('pbkdf2_sha256$'), { username: 'cyd', displayUsername: 'cyd' }),
    user('dan', hashOf('$2b$10$')),
    user('eve', hashOf('$scrypt$')),
  ]
  const input = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  const imported = await latchkey(project.cwd, ['import', 'users', '-'], project.env, { input })
  expect(imported.exitCode, imported.stdout + imported.stderr).toBe(0)
  for (const args of [
    ['orgs', 'create', 'Acme', '--owner', 'ann@example.com'],
    ['api-keys', 'create', '--user', 'ann@example.com', '--name', 'x'],
  ])
    expect((await latchkey(project.cwd, args, project.env)).exitCode, args.join(' ')).toBe(0)
  return project
}

async function write({ cwd, env }: Project, format: string, ...more: string[]): Promise<{ file: string; losses: unknown }> {
  const file = join(cwd, `out.${format}`)
  const args = ['export', 'all', '--format', format, '--out', file, '--confirm', 'secrets', ...more]
  const { document, exitCode, stderr } = await latchkeyJSON(cwd, args, env)
  expect(exitCode, stderr).toBe(0)
  return { file, losses: document.losses }
}

interface UserLine extends Record<string, unknown> {
  readonly type: string
  readonly password?: { readonly hash: string | null }
  readonly accounts: readonly Record<string, unknown>[]
}

/** The users of a project, with what systems have in common. */
async function usersOf({ cwd, env }: Project, names: readonly string[]) {
  const { stdout } = await latchkey(cwd, ['export', 'all', '--confirm', 'secrets'], env)
  const lines = stdout
    .trim()
    .split('\n')
    .map((line): UserLine => JSON.parse(line))
  return lines
    .filter(({ type }) => type === 'user')
    .map(({ password, accounts, ...line }) => ({
      ...Object.fromEntries(names.map((name) => [name, line[name] ?? null])),
      hash: password?.hash ?? null,
      accounts: accounts.map(({ providerId, accountId }) => `${providerId} ${accountId}`),
    }))
}

const compared = ['id', 'email', 'emailVerified', 'name', 'createdAt', 'banned', 'totp']
const verified: Readonly<Record<string, RegExp>> = {
  keycloak: /^\$?(argon2id|pbkdf2)/,
  auth0: /^\$?(argon2id|pbkdf2|2b|scrypt)|^[\da-f]{32}:/,
}

test('the files for Keycloak and Auth0 are read back with equal users, and say what they lack', { timeout: 90_000 }, async () => {
  const source = await createSource()
  const before = await usersOf(source, compared)
  for (const [format, schemes] of Object.entries(verified)) {
    const { file, losses } = await write(source, format)
    const to = await places.SQLite({ ...config, username: false })
    const moved = await latchkey(to.cwd, ['move', `from-${format}`, file, '--apply'], to.env)
    expect(moved.exitCode, moved.stdout + moved.stderr).toBe(0)
    const expected = before.map(({ hash, accounts, ...same }: Record<string, unknown> & (typeof before)[number]) => ({
      ...same,
      // Auth0 has no such member in a bulk import.
      createdAt: format === 'auth0' ? expect.any(String) : same.createdAt,
      hash: schemes.test(hash ?? '') ? expect.toSatisfy((found: string) => isSame(found, hash)) : null,
      accounts: format === 'keycloak' ? accounts : [],
    }))
    expect(await usersOf(to, compared), format).toEqual(expected)
    expect(losses).toMatchObject({ 'organizations: the format has none': 1, 'API keys: the format has none': 1 })
  }
  const { file, losses } = await write(source, 'csv')
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\r\n')
  expect([head?.split(',').slice(0, 4), rows.length]).toEqual([['id', 'email', 'emailVerified', 'name'], 5])
  expect(losses).toMatchObject({ 'social accounts: a table has one row for each user': 5 })
})

/** Readers write hashes in the common form. */
const isSame = (found: string | null, hash: string | null): boolean =>
  isDeepStrictEqual(formatOf(found), formatOf(hash)) && formatOf(hash) !== null

function formatOf(hash: string | null): object | null {
  const format = readPasswordFormat(hash ?? '')
  if (format?.scheme !== 'argon2') return format
  return { ...format, stored: hash }
}

test('better-auth 1.2 runs on what is written for it, and its users sign in', { timeout: 90_000 }, async () => {
  const source = await createSource()
  // A key that came from better-auth and was not used since.
  const args = ['api-keys', 'create', '--user', 'ann@example.com', '--name', 'moved']
  expect((await latchkey(source.cwd, args, source.env)).exitCode).toBe(0)
  const movedKey = 'a'.repeat(43)
  const stored = new DatabaseSync(join(source.cwd, 'test.db'))
  stored.prepare(`update apikey set key = ? where name = 'moved'`).run(movedKey)
  stored.close()
  writeFileSync(join(source.cwd, 'secret'), `${formerSecret}\n`)
  const { file, losses } = await write(source, 'better-auth-sql', '--target-secret', 'secret', '--with-signing-keys')
  const app = await startFormerApp({ version: '1.2', product: 'sqlite', folder: source.cwd })
  const database = new DatabaseSync(join(source.cwd, 'old.db'))
  database.exec(readFileSync(file, 'utf8'))
  database.close()
  const signIn = (name: string) => app.call('/sign-in/email', { email: `${name}@example.com`, password: own?.password })
  const challenge = await signIn('ann')
  expect([challenge.status, challenge.body.twoFactorRedirect]).toEqual([200, true])
  await app.query(`update user set twoFactorEnabled = 0 where id = 'of-ann'`)
  const session = await signIn('ann')
  expect([session.status, session.body.user?.id]).toEqual([200, 'of-ann'])
  const { body } = await app.call('/organization/list', null, session.cookie)
  expect(body).toMatchObject([{ name: 'Acme' }])
  expect((await app.query('select name from user order by id')).map(({ name }) => name)).toContain(`Bob O'Brien "\\" ü\nx`)
  expect((await signIn('dan')).status).toBe(401)
  expect((await app.query('select key from apikey')).map(({ key }) => key)).toEqual([movedKey])
  expect(losses).toMatchObject({
    'passwords (bcrypt): better-auth verifies its own scrypt only, these users set a new one': 1,
    'API keys: their hashes are keyed with the secret of Latchkey': 1,
  })
})

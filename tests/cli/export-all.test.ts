/** Moving out and in again: what a complete export has, and what an import of it does with files of every kind. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { hash as bcrypt } from 'bcrypt'
import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import type { App } from '../../src/core/app.ts'
import { readSnapshot } from '../../src/core/snapshot.ts'
import { type Column, columnsOf, mergeTables } from '../../src/core/table.ts'
import { hashKey } from '../../src/features/api-keys/key-format.ts'
import { leftColumns, leftTables, lineTypes, partsOfUser } from '../../src/features/export-all/line-types.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { sealPrivateKey } from '../../src/features/jwt/index.ts'
import { sealKey } from '../../src/features/second-factor/index.ts'
import { sealProviderToken } from '../../src/features/social-sign-in/index.ts'
import { everything } from '../kit/everything.ts'
import { type Environment, latchkey, latchkeyJSON } from './kit.ts'
import { options, type Project, places, serve } from './projects.ts'

const password = 'a perfectly fine passphrase'
const key = 'k'.repeat(64)
const config: ConfigFile = {
  ...everything,
  ...{ environment: 'development', passwordHash: { memory: 8192, iterations: 1 }, rateLimit: { enabled: false } },
  seed: { roles: { admin: { user: ['list'] } } },
  user: { ...everything.user, additionalFields: options.user?.additionalFields ?? {} },
}
const withSecrets = ['--confirm', 'secrets', '--with-signing-keys']

const tables = mergeTables(Object.values(featureList))
const exported = [
  ...lineTypes.flatMap(({ table }) => (table === 'user' ? ['user', ...partsOfUser.map((part) => part.table)] : table)),
]

/** Values that are different in each column and row. */
function cellOf(table: string, name: string, column: Column, n: number): unknown {
  if (column.primary) return `${table}-${n}`
  if (column.references) return `${column.references.table}-${n}`
  if (column.kind === 'boolean') return true
  if (column.kind === 'integer' || column.kind === 'bigint') return 7 + n
  if (column.kind === 'timestamp') return new Date(Date.UTC(2026, 0, n + 1, 12, 30, 59, 7))
  if (column.kind === 'json') return JSON.stringify(name === 'years' ? [1] : { b: ['x'], a: ['y', 'z'] })
  return `${n} ${name} of "${table}" ßé`.slice(0, column.length ?? 99)
}

/** What is encrypted or hashed, or is not any text. */
async function special(app: App, n: number): Promise<Record<string, Record<string, unknown>>> {
  const pair = await generateKeyPair('EdDSA', { extractable: true })
  const [publicKey, privateKey] = [await exportJWK(pair.publicKey), await exportJWK(pair.privateKey)]
  const token = (name: string) => sealProviderToken(app, `${name} ${n}`)
  return {
    user: {
      email: `user${n}@example.com`,
      termsAccepted: '{"tos":"1"}',
      phoneNumber: `+43123${n}`,
      verifiedPhoneNumber: `+43123${n}`,
      role: 'admin',
      image: 'https://example.com/a.png',
      tags: '["a","b"]',
      plan: 'pro',
    },
    account: {
      ...{ accessToken: token('access'), refreshToken: token('refresh'), idToken: token('id'), providerId: 'github' },
      ...{ password: null, mustReplacePassword: false },
    },
    twoFactor: {
      ...{ secret: sealKey(app, Buffer.from('12345678901234567890')), digits: 8, period: 60, algorithm: 'SHA256' },
      ...{ pendingSecret: null, pendingIssuer: null, pendingAt: null, otpChannels: 'email' },
    },
    backupCode: { isPending: false },
    jwks: {
      publicKey: JSON.stringify(publicKey),
      privateKey: sealPrivateKey(app, JSON.stringify(privateKey)),
      algorithm: 'EdDSA',
    },
    apikey: { key: hashKey(app, `${key}${n}`), permissions: '{"a":["b"]}', metadata: '{"c":1}' },
    inviteLink: { tokenHash: app.keyring.hash('invite link', String(n)) },
    organization: { deletedAt: null },
  }
}

/** Two rows in every table that is exported, with a value in every column. */
async function fill(app: App): Promise<void> {
  for (const n of [1, 2]) {
    const own = await special(app, n)
    for (const table of exported) {
      const columns = Object.entries(columnsOf(app, table))
      const row = Object.fromEntries(columns.map(([name, column]) => [name, cellOf(table, name, column, n)]))
      await app.db
        .insertInto(table as 'user')
        .values({ ...row, ...own[table] } as never)
        .execute()
    }
  }
  // A user who signs in with nothing but a password.
  const names = Object.keys(columnsOf(app, 'user'))
  const empty = Object.fromEntries(names.map((name) => [name, null]))
  const times = { createdAt: app.now(), updatedAt: app.now() }
  const ann = { id: 'ann', email: 'ann@example.com', name: 'Ann', emailVerified: true, accessRevision: 0, ...times }
  await app.db
    .insertInto('user')
    .values({ ...empty, ...ann } as never)
    .execute()
  const account = { id: 'of-ann', userId: 'ann', accountId: 'ann', providerId: 'credential', password: await bcrypt(password, 4) }
  await app.db
    .insertInto('account')
    .values({ ...account, ...times, mustReplacePassword: false })
    .execute()
}

const exportTo = async ({ cwd, env }: Project, name: string, args: readonly string[] = withSecrets) => {
  const file = join(cwd, name)
  const ended = await latchkeyJSON(cwd, ['export', 'all', '--out', file, ...args], env)
  expect(ended.exitCode, ended.stderr).toBe(0)
  return { ...ended, file, text: readFileSync(file, 'utf8') }
}

const body = (text: string): string => text.slice(text.indexOf('\n'))

async function importFile({ cwd, env }: Project, file: string, ...args: string[]) {
  const ended = await latchkey(cwd, ['import', 'all', file, ...args, '--json'], env)
  const documents = ended.stdout.split('\n').filter(Boolean)
  const all = documents.map((line): Record<string, unknown> => JSON.parse(line))
  const problems = all.filter(({ schema }) => schema === 'import-all-problem/v1')
  return { ...ended, problems: problems.map(({ line, field, message }) => [line, field, message]), result: all.at(-1) ?? {} }
}

const counts = (created: number, unchanged = 0, changed = 0) => ({ created, unchanged, changed })

describe.each(Object.entries(places))('on %s', { timeout: 120_000 }, (_, create) => {
  test('an export that was imported is exported with the same bytes', async () => {
    const from = await create(config)
    await latchkey(from.cwd, ['users', 'list'], from.env)
    await latchkey(from.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], from.env)
    const source = await serve(from, config)
    await fill(source.app)
    const first = await exportTo(from, 'all.ndjson')
    expect(statSync(first.file).mode & 0o777).toBe(0o600)
    const lines = first.text
      .trimEnd()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
    const schema = JSON.parse(readFileSync(new URL('../../schemas/export-all.v1.json', import.meta.url), 'utf8'))
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    addFormats.default(ajv)
    const validate = ajv.compile(schema)
    for (const line of lines) expect(validate(line), JSON.stringify([line.type, validate.errors])).toBe(true)
    expect([...new Set(lines.map(({ type }) => type))]).toEqual(['header', ...lineTypes.map(({ type }) => type), 'footer'])
    const event = await source.app.db.selectFrom('auditEvent').select('details').where('action', '=', 'data.exported').execute()
    expect(event.map(({ details }) => details)).toEqual([{ format: 'export-all/v1', signingKeys: true }])

    const to = await create(config)
    const dry = await importFile(to, first.file, '--dry-run')
    expect([dry.exitCode, dry.problems, dry.result.isImported]).toEqual([0, [], false])
    const imported = await importFile(to, first.file)
    expect([imported.exitCode, imported.problems], imported.stderr).toEqual([0, []])
    expect(imported.result.counts).toMatchObject({ user: counts(3), apikey: counts(2), signingKey: counts(2), member: counts(2) })
    const second = await exportTo(to, 'all.ndjson')
    expect(body(second.text)).toBe(body(first.text))
    const target = await serve(to, config)
    const rows = async ({ app }: { app: App }, table: string) => {
      const all: Record<string, unknown>[] = await app.db
        .selectFrom(table as 'user')
        .selectAll()
        .orderBy('id')
        .execute()
      const left = Object.keys(leftColumns[table] ?? {})
      return all.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name) && !isSealed(row[name]))),
      )
    }
    for (const table of exported) expect(await rows(target, table), table).toEqual(await rows(source, table))
    expect(await target.app.db.selectFrom('organization').select('memberCount').execute()).toEqual([
      { memberCount: 1 },
      { memberCount: 1 },
    ])
    const signIn = { body: { email: 'ann@example.com', password } }
    expect((await target.browser().call('POST /sign-in/email', signIn)).status).toBe(200)
    // What others write at the same time is not seen, and does not wait.
    const other = await serve(to, config)
    const seen = await readSnapshot(target.app, async (inner) => {
      const users = () => inner.db.selectFrom('user').select('name').orderBy('id').execute()
      const before = await users()
      await other.app.db.updateTable('user').set({ name: 'Eve' }).where('id', '=', 'user-1').execute()
      return [before, await users()]
    })
    expect(seen[1]).toEqual(seen[0])
    const again = await importFile(to, first.file)
    expect([again.exitCode, again.problems], again.stderr).toEqual([0, []])
    expect(again.result.counts).toMatchObject({ user: counts(0, 1, 2), apikey: counts(0, 2), organizationRole: counts(0, 2) })
  })
})

/** Encrypted values differ each time. */
const isSealed = (value: unknown): boolean => typeof value === 'string' && /^(encrypted:)?[\w-]{8}\.[\w-]{30,}$/.test(value)

test('a file is imported whole or not at all, and each problem has its line and field', { timeout: 120_000 }, async () => {
  const from = await places.SQLite(config)
  await latchkey(from.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], from.env)
  await fill((await serve(from, config)).app)
  const { text } = await exportTo(from, 'all.ndjson')
  const lines = text.trimEnd().split('\n')
  const to = await places.SQLite(config)
  await latchkey(to.cwd, ['users', 'create', '--email', 'user2@example.com', '--name', 'Other'], to.env)
  let n = 0
  const given = async (changed: readonly string[], end = '\n') => {
    const file = join(to.cwd, `broken-${n++}.ndjson`)
    writeFileSync(file, changed.join('\n') + end)
    const ended = await importFile(to, file)
    expect([ended.exitCode, ended.result.isImported]).toEqual([1, false])
    return ended.problems
  }
  const at = (type: string, nth = 0) => lines.flatMap((line, index) => (JSON.parse(line).type === type ? [index] : []))[nth] ?? 0
  const replaced = (index: number, change: (line: Record<string, unknown>) => void) =>
    lines.with(
      index,
      (() => {
        const line: Record<string, unknown> = JSON.parse(lines[index] ?? '')
        change(line)
        return JSON.stringify(line)
      })(),
    )
  const changedSince = [lines.length, 'sha256', 'the file was changed after the export']
  const user = at('user')
  expect(await given(lines)).toEqual([[at('user', 2) + 1, 'email', 'a row in the database has this value already']])
  const only = { ...to, ...(await places.SQLite(config)) }
  const write = async (changed: readonly string[], end = '\n') => {
    const file = join(only.cwd, `broken-${n++}.ndjson`)
    writeFileSync(file, changed.join('\n') + end)
    const ended = await importFile(only, file)
    expect([ended.exitCode, ended.result.isImported]).toEqual([1, false])
    expect(ended.stdout + ended.stderr).not.toContain('$2b$')
    return ended.problems
  }
  const cut = text.slice(0, text.length - 300).split('\n')
  expect(await write(cut, '')).toEqual([
    [cut.length, null, 'not valid JSON: the line was cut or changed'],
    [cut.length, null, 'the file has no footer: it was cut, or its export did not end'],
  ])
  expect(
    await write(
      replaced(user, (line) => {
        line.name = 'Eve'
      }),
    ),
  ).toEqual([changedSince])
  expect(await write(lines.toSpliced(user, 1))).toContainEqual([
    lines.length - 1,
    'lines',
    `${lines.length - 2} lines were exported, and the file has ${lines.length - 3}`,
  ])
  expect(
    await write(
      replaced(user, (line) => {
        line.type = 'horse'
      }),
    ),
  ).toContainEqual([user + 1, 'type', 'unknown type "horse"'])
  expect(
    await write(
      replaced(user, (line) => {
        line.nick = 'x'
      }),
    ),
  ).toContainEqual([user + 1, 'nick', 'this configuration has no such field: its feature may be off'])
  expect(
    await write(
      replaced(user, (line) => {
        line.role = 'emperor'
      }),
    ),
  ).toContainEqual([user + 1, 'role', 'unknown role "emperor"'])
  expect(
    await write(
      replaced(user, (line) => {
        line.createdAt = 'yesterday'
      }),
    ),
  ).toContainEqual([user + 1, 'createdAt', expect.stringContaining('ISO')])
  expect(
    await write(
      replaced(user, (line) => {
        line.password = { ...Object(line.password), hash: '$2b$20$x' }
      }),
    ),
  ).toContainEqual([user + 1, 'password.hash', 'a hash of an unknown scheme, or one that is too expensive to verify'])
  expect(
    await write(
      replaced(at('user', 1), (line) => {
        line.email = 'ann@example.com'
      }),
    ),
  ).toContainEqual([at('user', 1) + 1, 'email', `line ${user + 1} has the same value`])
  expect(
    await write(
      replaced(at('user', 1), (line) => {
        line.email = 'USER1@example.com'
      }),
    ),
  ).toContainEqual([at('user', 1) + 1, 'email', 'expected an email address in lower case'])
  expect(
    await write(
      replaced(at('member'), (line) => {
        line.userId = 'missing'
      }),
    ),
  ).toContainEqual([at('member') + 1, 'userId', 'no line before it has this user'])
  expect(
    await write(
      replaced(0, (line) => {
        line.schema = 'export-all/v2'
      }),
    ),
  ).toEqual([[1, 'schema', 'export-all/v2 was written by a newer version of Latchkey: this one reads export-all/v1']])
  expect(await write(['{"user":{"email":"ann@example.com"}}'])).toEqual([
    [1, 'type', 'not an export of latchkey export all (export-all/v1)'],
  ])
  const plain = await exportTo(from, 'plain.ndjson', [])
  expect(plain.text).not.toMatch(/\$2b\$|"form"|"totp"|"privateJwk"|"accessToken"/)
  expect(await write(plain.text.trimEnd().split('\n'))).toEqual([[1, 'secrets', expect.stringContaining('--confirm secrets')]])
  const { app } = await serve(only, config)
  expect(await app.db.selectFrom('user').select('id').execute()).toEqual([])
})

test('with another secret, an import says what is lost and the rest works', { timeout: 120_000 }, async () => {
  const from = await places.SQLite(config)
  await latchkey(from.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], from.env)
  await fill((await serve(from, config)).app)
  const { file } = await exportTo(from, 'all.ndjson', ['--confirm', 'secrets'])
  const to = await places.SQLite({ ...config, twoFactor: false })
  const env: Environment = { ...to.env, LATCHKEY_SECRET: 'another secret, 0123456789 abcdefghijklm' }
  const off = await importFile({ ...to, env }, file)
  expect(off.problems).toContainEqual([
    expect.any(Number),
    'totp',
    'this configuration has no such field: its feature may be off',
  ])
  const whole = await places.SQLite(config)
  const imported = await importFile({ ...whole, env: { ...whole.env, LATCHKEY_SECRET: env.LATCHKEY_SECRET ?? '' } }, file)
  expect([imported.exitCode, imported.problems], imported.stderr).toEqual([0, []])
  expect(imported.result.lost).toEqual({ apiKeys: 2, inviteLinks: 2, backupCodes: 2, signingKeys: 2, passkeys: 2 })
  expect(imported.stderr).toContain('2 API keys were hashed with another secret')
})

test('each table has a type of line or a reason, and each left column exists', () => {
  const known = [...exported, ...Object.keys(leftTables)]
  expect(known.toSorted()).toEqual(Object.keys(tables).toSorted())
  const columns = Object.entries(leftColumns).flatMap(([table, names]) => Object.keys(names).map((name) => `${table}.${name}`))
  expect(columns.filter((name) => !(name.split('.')[1] ?? '' in (tables[name.split('.')[0] ?? ''] ?? {})))).toEqual([])
})

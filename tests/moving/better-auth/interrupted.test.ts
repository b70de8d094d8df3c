/** Moves that are killed, and old databases with rows that cannot be moved. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bin, configFile, type Environment, folder, inherited, latchkey, latchkeyJSON } from '../../cli/kit.ts'
import { formerSecret } from './former-app.ts'

const config = {
  ...{ secret: formerSecret, baseURL: 'http://localhost:4000', emailAndPassword: { enabled: true } },
  ...{
    admin: true,
    username: true,
    organization: { teams: { enabled: true } },
    apiKey: true,
    jwt: true,
    twoFactor: true,
    passkey: true,
  },
  ...{ phoneNumber: true, anonymous: true },
}
const env: Environment = { DATABASE_URL: 'sqlite:./new.db', BETTER_AUTH_SECRET: formerSecret }
const schema = readFileSync(fileURLToPath(new URL('schema-1.2.12-sqlite.sql', import.meta.url)), 'utf8')

function oldDatabase(statements: string, options: object = config): string {
  const cwd = folder({ 'auth.config.ts': configFile(JSON.stringify(options)) })
  const db = new DatabaseSync(`${cwd}/old.db`, { enableForeignKeyConstraints: false })
  db.exec(schema)
  db.exec(statements)
  db.close()
  return cwd
}

const time = '2026-01-31T12:00:00.000Z'
const later = '2999-01-31T12:00:00.000Z'
const user = (id: string, email: string) =>
  `insert into user (id, name, email, emailVerified, createdAt, updatedAt) values ('${id}', 'Name', '${email}', 1, '${time}', '${time}');`
const session = (id: string, userId: string) =>
  `insert into session (id, token, userId, expiresAt, createdAt, updatedAt) values ('${id}', 'token-${id}-0123456789', '${userId}', '${later}', '${time}', '${time}');`

const command = ['move', 'from-better-auth', '--database', 'sqlite:./old.db']

test('a killed move is continued, and nothing is copied twice or lost', async () => {
  const numbers = Array.from({ length: 12 }, (_, at) => at)
  const cwd = oldDatabase(numbers.map((at) => user(`u${at}`, `user${at}@example.com`) + session(`s${at}`, `u${at}`)).join('\n'))
  // Each is killed in another batch.
  for (const rows of [4, 14]) {
    const child = spawn(process.execPath, [bin, ...command, '--apply', '--batch', '2', '--pause-ms', '20'], {
      cwd,
      env: { ...inherited, ...env },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    const written = () => {
      try {
        const db = new DatabaseSync(`${cwd}/new.db`, { readOnly: true })
        const row = db.prepare('select count(*) as count from latchkey_move_entry').get()
        db.close()
        return Number(row?.count)
      } catch {
        return 0
      }
    }
    await expect.poll(() => child.exitCode !== null || written() >= rows, { interval: 5 }).toBe(true)
    child.kill('SIGKILL')
    await ended
  }
  const run = await latchkeyJSON(cwd, [...command, '--apply'], env)
  expect(run.document.counts).toMatchObject([
    { kind: 'user', rows: 12, left: 0 },
    ...Array.from({ length: 9 }, () => ({})),
    { kind: 'session', rows: 12, left: 0 },
    {},
  ])
  const db = new DatabaseSync(`${cwd}/new.db`, { readOnly: true })
  const count = (table: string) => Number(db.prepare(`select count(*) as count from ${table}`).get()?.count)
  expect([count('user'), count('session'), count('latchkey_move_entry')]).toEqual([12, 12, 24])
  db.close()
})

test('users with one email address stop a copy before it writes, and a choice decides who stays', async () => {
  const cwd = oldDatabase(
    [
      user('old', 'Ann@Example.com'),
      user('new', 'ann@example.com '),
      user('nfc', 'ren\u00e9@example.com'),
      user('nfd', 'rene\u0301@example.com'),
      session('s', 'new'),
    ].join('\n'),
  )
  const report = await latchkeyJSON(cwd, command, env)
  expect(report.document).toMatchObject({ duplicates: [{ address: 'a…@example.com' }, { address: 'r…@example.com' }] })
  const stopped = await latchkeyJSON(cwd, [...command, '--apply'], env)
  expect([stopped.exitCode, stopped.document.code]).toEqual([5, 'MOVE_CONFLICTS'])
  const run = await latchkeyJSON(cwd, [...command, '--apply', '--on-conflict', 'newest'], env)
  expect(run.document.counts).toMatchObject([
    { kind: 'user', rows: 4, inserted: 2, left: 2 },
    ...Array.from({ length: 9 }, () => ({})),
    { inserted: 1 },
    {},
  ])
  const db = new DatabaseSync(`${cwd}/new.db`, { readOnly: true })
  expect(
    db
      .prepare('select id from user order by id')
      .all()
      .map(({ id }) => id),
  ).toEqual(['new', 'nfc'])
  db.close()
})

test('a copy fails while the configuration has no place for tables or columns', async () => {
  const { username, admin, passkey, ...options } = config
  const stopped = await latchkeyJSON(oldDatabase(user('one', 'one@example.com'), options), [...command, '--apply'], env)
  expect([stopped.exitCode, stopped.document.code]).toEqual([5, 'MOVE_OPTIONS_MISSING'])
  expect(stopped.document.message).toContain('passkey, user.username, user.banned')
})

test('rows that cannot be moved are listed with their field, and what refers to them stays behind', async () => {
  const cwd = oldDatabase(
    [
      user('fine', 'fine@example.com'),
      user('nowhere', 'no address'),
      user('a'.repeat(40), 'long@example.com'),
      user('year', 'year@example.com').replaceAll(`'${time}'`, `'0000-00-00 00:00:00'`),
      ...[session('orphan', 'missing'), session('of-nowhere', 'nowhere'), session('of-long', 'a'.repeat(40))],
      session('expired', 'fine').replace(later, '2020-01-01T00:00:00.000Z'),
      `insert into account (id, accountId, providerId, userId, password, createdAt, updatedAt) values ('a1', 'fine', 'credential', 'fine', 'md5-of-something', '${time}', '${time}');`,
    ].join('\n'),
  )
  const { document, stderr } = await latchkeyJSON(cwd, command, env)
  expect(document.left, stderr).toEqual([
    { kind: 'user', reason: 'the email address is none (email)', count: 1, examples: ['nowhere'] },
    { kind: 'user', reason: 'a value is missing or not understood (createdAt)', count: 1, examples: ['year'] },
    { kind: 'account', reason: 'the password hash has a form that is not known (password)', count: 1, examples: ['a1'] },
    { kind: 'session', reason: 'expired (expiresAt)', count: 1, examples: ['expired'] },
    { kind: 'session', reason: 'the user does not exist or is not moved (userId)', count: 2, examples: ['of-nowhere', 'orphan'] },
  ])
  const run = await latchkey(cwd, [...command, '--apply'], env)
  expect(run.exitCode, run.stderr).toBe(0)
  const db = new DatabaseSync(`${cwd}/new.db`, { readOnly: true })
  const rows = db.prepare('select session.id as id, length(userId) as length from session').all()
  expect(rows.map(({ id, length }) => [id, length])).toEqual([['of-long', 32]])
  db.close()
})

test('a wrong secret is named before anything is written', async () => {
  const cwd = oldDatabase(
    `${user('u', 'u@example.com')} insert into jwks values ('k', '{"kty":"OKP","crv":"Ed25519","x":"AA"}', '"${'ab'.repeat(60)}"', '${time}');`,
  )
  const { exitCode, document } = await latchkeyJSON(cwd, [...command, '--apply'], env)
  expect([exitCode, document.code]).toEqual([5, 'FORMER_SECRET_WRONG'])
  const missing = await latchkeyJSON(cwd, [...command, '--apply'], { DATABASE_URL: env.DATABASE_URL ?? '' })
  expect(missing.document.code).toBe('FORMER_SECRET_WRONG')
  const other = await latchkeyJSON(cwd, [...command, '--apply'], {
    ...env,
    BETTER_AUTH_SECRET: 'another secret of thirty-two characters',
  })
  expect(other.document.code).toMatch(/^FORMER_SECRET/)
})

/** The recipes of docs/moving.md: rows and files as the other products write them, imported, and used with the old passwords and keys. */
import { pbkdf2Sync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hash as argon2, argon2id } from 'argon2'
import { hash as bcrypt } from 'bcrypt'
import { symmetricEncrypt } from 'better-auth/crypto'
import { execa } from 'execa'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import { expect, onTestFinished, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { hotp, type TOTPSettings, timeStep } from '../../src/lib/totp.ts'
import { signInAs, verify } from '../kit/second-factor.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { latchkey } from './kit.ts'
import { type Project, places, serve } from './projects.ts'

const recipe = (name: string): string => fileURLToPath(new URL(`../moving/${name}`, import.meta.url))
const read = (name: string): string => readFileSync(recipe(name), 'utf8')

const features: ConfigFile = {
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  admin: { enabled: true },
  username: { enabled: true },
  organization: { teams: { enabled: true } },
  apiKey: { enabled: true },
  twoFactor: true,
}

/** As better-auth 1.2.12 creates them on MySQL, and rows that it wrote. */
const betterAuth = `
create table user (id varchar(36) not null primary key, name text not null, email varchar(255) not null unique, emailVerified boolean not null, image text, createdAt datetime not null, updatedAt datetime not null, role text, banned boolean, banReason text, banExpires datetime, username varchar(255) unique, displayUsername text, twoFactorEnabled boolean);
create table twoFactor (id varchar(36) not null primary key, secret text not null, backupCodes text not null, userId varchar(36) not null references user (id));
create table account (id varchar(36) not null primary key, accountId text not null, providerId text not null, userId varchar(36) not null references user (id), accessToken text, refreshToken text, idToken text, accessTokenExpiresAt datetime, refreshTokenExpiresAt datetime, scope text, password text, createdAt datetime not null, updatedAt datetime not null);
create table organization (id varchar(36) not null primary key, name text not null, slug varchar(255) not null unique, logo text, createdAt datetime not null, metadata text);
create table team (id varchar(36) not null primary key, name text not null, organizationId varchar(36) not null references organization (id), createdAt datetime not null, updatedAt datetime);
create table member (id varchar(36) not null primary key, organizationId varchar(36) not null references organization (id), userId varchar(36) not null references user (id), role text not null, teamId text, createdAt datetime not null);
create table apikey (id varchar(36) not null primary key, name text, start text, prefix text, \`key\` text not null, userId varchar(36) not null references user (id), refillInterval integer, refillAmount integer, lastRefillAt datetime, enabled boolean, rateLimitEnabled boolean, rateLimitTimeWindow integer, rateLimitMax integer, requestCount integer, remaining integer, lastRequest datetime, expiresAt datetime, createdAt datetime not null, updatedAt datetime not null, permissions text, metadata text);
insert into user values ('z3VZMLQThsi26aU7fTWZ5Eb5c2CfVnoK', 'Ida "Falk" \\\\', 'ida.falk@example.com', 1, null, '2024-11-25 04:18:58', '2024-11-25 04:18:58', 'user', null, null, null, 'ida', 'Ida', 1);
insert into user values ('ZDk7Y7v4JTL1fYQeppFAEBDOM8R4Mfte', 'Jón Þór', 'jon@example.com', 0, null, '2024-11-26 04:18:58', '2024-11-26 04:18:58', 'admin', 1, 'Spam', '2999-01-01 00:00:00', null, null, null);
insert into account values ('brcNlRIXmy03NAXucw2hvS2mokLCnbsI', 'z3VZMLQThsi26aU7fTWZ5Eb5c2CfVnoK', 'credential', 'z3VZMLQThsi26aU7fTWZ5Eb5c2CfVnoK', null, null, null, null, null, null, 'e163bc6c6ddd3e55f752d43f75372163:2f2cba96cc489a8057754443980c1f6ed62b56d9af90494096cc6c4b2fa512c814cb82bf5f22b8083000aaaa12e7ff1e8e686d237162c1533ca0aa19311d494f', '2024-11-25 04:18:58', '2024-11-25 04:18:58');
insert into account values ('github-of-ida', '4711', 'github', 'z3VZMLQThsi26aU7fTWZ5Eb5c2CfVnoK', 'token', null, null, null, null, 'user:email', null, '2024-11-25 05:00:00', '2024-11-25 05:00:00');
insert into organization values ('7beEpeYrZrdLsiSDcBoTlQjUUUEkOE83', 'Falk Ltd', 'falk', null, '2024-11-25 04:18:58', null);
insert into team values ('BfLMZmmvWgct4z10TQQl3BZb0oYdqNqc', 'Falk Ltd', '7beEpeYrZrdLsiSDcBoTlQjUUUEkOE83', '2024-11-25 04:18:58', null);
insert into member values ('eOkvMdyJhhQSFO4VPT5M6oL4JTMX7eSr', '7beEpeYrZrdLsiSDcBoTlQjUUUEkOE83', 'z3VZMLQThsi26aU7fTWZ5Eb5c2CfVnoK', 'owner', 'BfLMZmmvWgct4z10TQQl3BZb0oYdqNqc', '2024-11-25 04:18:58');
insert into member values ('member-2', '7beEpeYrZrdLsiSDcBoTlQjUUUEkOE83', 'ZDk7Y7v4JTL1fYQeppFAEBDOM8R4Mfte', 'member', null, '2024-11-25 04:18:59');
insert into apikey values ('eAKbdoyqZGe0Dp2pceBiJ4I8ldU5Uh0v', 'cron', 'JTJraM', null, '8aN-XRr1yaZFF9yFanH7KPO38AccBn_Cop18KLX6Qic', 'z3VZMLQThsi26aU7fTWZ5Eb5c2CfVnoK', null, null, null, 1, 0, 86400000, 10, 0, null, null, null, '2024-11-25 04:18:58', '2024-11-25 04:18:58', null, '"{\\\\"job\\\\":\\\\"nightly\\\\"}"');
`
const apiKey = 'JTJraMudLdKrecNqMFbNuzyJVLnOArpEPjMmLuWaHkjurbYDbYKbimyaaKvolxyY'

interface Line extends RowDataPacket {
  readonly line: string
}

const formerSecret = 'the secret of better-auth'
const seal = (data: string): Promise<string> => symmetricEncrypt({ key: formerSecret, data })
/** What an authenticator app shows. */
const codeNow = (key: Uint8Array, settings: Omit<TOTPSettings, 'period'> = { digits: 6, algorithm: 'SHA1' }): string =>
  hotp(key, timeStep(Date.now(), 30), settings)

async function connect(url: string): Promise<Connection> {
  const connection = await createConnection({ uri: url, multipleStatements: true })
  onTestFinished(() => connection.end())
  return connection
}

async function importLines({ cwd, env }: Project, lines: readonly string[], ...more: string[]): Promise<void> {
  writeFileSync(join(cwd, 'users.ndjson'), `${lines.join('\n')}\n`)
  const { exitCode, stdout, stderr } = await latchkey(cwd, ['import', 'users', 'users.ndjson', ...more], env)
  expect(exitCode, stdout + stderr).toBe(0)
}

test('moves users, organizations and API keys from the tables of better-auth', async () => {
  const [source, target] = [await freshDatabase(), await places['a server'](features)]
  onTestFinished(() => source.drop())
  const connection = await connect(source.url)
  await connection.query(betterAuth)
  const [secret, codes] = [await seal('0123456789abcdefghijklmnopqrstuv'), await seal('["AbCdE-12345"]')]
  await connection.query('insert into twoFactor values (?, ?, ?, ?)', [
    'factor-of-ida',
    secret,
    codes,
    'z3VZMLQThsi26aU7fTWZ5Eb5c2CfVnoK',
  ])
  writeFileSync(join(target.cwd, 'former-secret'), `${formerSecret}\n`)
  const [setZone = '', select = ''] = read('users.sql').split(/(?<=;)\n/)
  await connection.query(setZone)
  const readLines = async () => {
    const [rows] = await connection.query<Line[]>(select)
    return rows.map(({ line }) => (typeof line === 'string' ? line : JSON.stringify(line)))
  }
  expect((await readLines()).map((line) => JSON.parse(line).user.locale)).toEqual([null, null])
  // A field of the application, in the numbers of the language list.
  await connection.query("alter table user add locale int; update user set locale = 82 where username = 'ida'")
  await importLines(target, await readLines(), '--former-secret', 'former-secret')
  const name = new URL(target.env.DATABASE_URL ?? '').pathname.slice(1)
  const inTest = (text: string) => text.replaceAll(/\bapp\./g, `${source.name}.`).replaceAll(/\blatchkey\./g, `${name}.`)
  for (const file of ['organizations.sql', 'api-keys.sql']) await connection.query(inTest(read(file)))

  const { app, browser } = await serve(target, features)
  const ida = await app.db.selectFrom('user').selectAll().where('email', '=', 'ida.falk@example.com').executeTakeFirstOrThrow()
  expect(ida).toMatchObject({
    id: 'z3VZMLQThsi26aU7fTWZ5Eb5c2CfVnoK',
    name: 'Ida "Falk" \\',
    emailVerified: true,
    username: 'ida',
    preferredLocale: 'tr',
  })
  expect(ida.createdAt).toEqual(new Date('2024-11-25T04:18:58Z'))
  const github = app.db.selectFrom('account').select(['accountId', 'scope']).where('providerId', '=', 'github')
  expect(await github.executeTakeFirst()).toEqual({ accountId: '4711', scope: 'user:email' })
  const jon = app.db.selectFrom('user').select(['role', 'banned', 'banReason']).where('email', '=', 'jon@example.com')
  expect(await jon.executeTakeFirst()).toEqual({ role: 'admin', banned: true, banReason: 'Spam' })

  const page = browser()
  const signIn = { email: 'ida.falk@example.com', password: 'harbour lamp 41' }
  const challenge = await page.call('POST /sign-in/email', { body: signIn })
  expect(challenge.body).toMatchObject({ twoFactorMethods: ['totp'], challenge: { methods: [{}, { left: 1 }] } })
  expect((await verify(page, codeNow(Buffer.from('0123456789abcdefghijklmnopqrstuv')))).status).toBe(200)
  const members = await page.request('/organization/list-members?organizationId=7beEpeYrZrdLsiSDcBoTlQjUUUEkOE83')
  expect(members.body).toMatchObject({ total: 2, members: [{ role: 'owner' }, { role: 'member' }] })
  const removal = { organizationId: '7beEpeYrZrdLsiSDcBoTlQjUUUEkOE83', memberIdOrEmail: 'jon@example.com' }
  expect(await page.call('POST /organization/remove-member', { body: removal })).toMatchObject({ status: 200 })
  const byKey = await browser().call('GET /get-session', {}, { 'x-api-key': apiKey })
  expect(byKey.body).toMatchObject({ user: { id: ida.id } })
}, 90_000)

test('imports the users of the example in docs/importing.md', async () => {
  const [source, target] = [await freshDatabase(), await places['a server'](features)]
  onTestFinished(() => source.drop())
  const connection = await connect(source.url)
  const columns = 'id varchar(36), email text, name text, verified_at datetime, created_at datetime, password_hash text'
  await connection.query(`create table users (${columns})`)
  const row = ['id-of-ann', 'ann@example.com', 'Ann', '2024-02-01 00:00:00', '2024-01-31 12:00:00', await bcrypt(password, 5)]
  await connection.query('insert into users values (?, ?, ?, ?, ?, ?)', row)
  const page = readFileSync(new URL('../../docs/importing.md', import.meta.url), 'utf8')
  const [, statement = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? []
  const [rows] = await connection.query<RowDataPacket[][]>({ sql: statement, rowsAsArray: true })
  await importLines(
    target,
    rows.map(([line]) => (typeof line === 'string' ? line : JSON.stringify(line))),
  )
  const { app, browser } = await serve(target, features)
  const ann = await app.db.selectFrom('user').select(['id', 'emailVerified', 'createdAt']).executeTakeFirst()
  expect(ann).toEqual({ id: 'id-of-ann', emailVerified: true, createdAt: new Date('2024-01-31T12:00:00Z') })
  expect((await browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password } })).status).toBe(200)
}, 90_000)

const password = 'quiet river 22'
const salt = Buffer.from('0123456789abcdef')

/** A user of a realm export. */
const realmUser = (name: string, credentialData: object, hash: Buffer) => ({
  id: `id-of-${name}`,
  email: `${name}@example.com`,
  emailVerified: true,
  firstName: name,
  createdTimestamp: 1_706_702_400_000,
  credentials: [
    {
      type: 'password',
      credentialData: JSON.stringify({ additionalParameters: {}, ...credentialData }),
      secretData: JSON.stringify({ value: hash.toString('base64'), salt: salt.toString('base64'), additionalParameters: {} }),
    },
  ],
})

async function convert({ cwd }: Project, script: string, text: string): Promise<string[]> {
  writeFileSync(join(cwd, 'exported'), text)
  const { stdout } = await execa(process.execPath, [recipe(script), join(cwd, 'exported')])
  return stdout.split('\n')
}

test('moves users of a Keycloak realm', async () => {
  const project = await places.SQLite(features)
  const parameters = { hashLength: ['32'], memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] }
  const raw = await argon2(password, { type: argon2id, memoryCost: 7168, timeCost: 5, parallelism: 1, salt, raw: true })
  const otp = {
    type: 'otp',
    credentialData: JSON.stringify({ subType: 'totp', digits: 8, counter: 0, period: 30, algorithm: 'HmacSHA256' }),
    secretData: JSON.stringify({ value: 'Wb0rnCJQkqHq8DyN1sGk' }),
  }
  const withApp = realmUser(
    'dora',
    { algorithm: 'pbkdf2-sha256', hashIterations: 2750 },
    pbkdf2Sync(password, salt, 2750, 64, 'sha256'),
  )
  const users = [
    realmUser('ann', { algorithm: 'argon2', hashIterations: 5, additionalParameters: parameters }, raw),
    realmUser('bob', { algorithm: 'pbkdf2-sha512', hashIterations: 2000 }, pbkdf2Sync(password, salt, 2000, 64, 'sha512')),
    realmUser('cleo', { algorithm: 'pbkdf2-sha256', hashIterations: 2750 }, pbkdf2Sync(password, salt, 2750, 64, 'sha256')),
    { ...withApp, credentials: [...withApp.credentials, otp] },
    { id: 'no-email', username: 'service', credentials: [] },
  ]
  await importLines(project, await convert(project, 'keycloak.mjs', JSON.stringify({ realm: 'acme', users })))
  const { app, browser } = await serve(project, features)
  for (const name of ['ann', 'bob', 'cleo']) {
    const { status } = await browser().call('POST /sign-in/email', { body: { email: `${name}@example.com`, password } })
    expect([name, status]).toEqual([name, 200])
  }
  const dora = browser()
  expect((await signInAs(dora, 'Dora', { password })).body).toMatchObject({ twoFactorMethods: ['totp'] })
  const code = codeNow(Buffer.from('Wb0rnCJQkqHq8DyN1sGk'), { digits: 8, algorithm: 'SHA256' })
  expect((await verify(dora, code)).status).toBe(200)
  const ann = await app.db.selectFrom('user').select(['id', 'createdAt']).where('name', '=', 'ann').executeTakeFirst()
  expect(ann).toEqual({ id: 'id-of-ann', createdAt: new Date(1_706_702_400_000) })
})

test('moves users of Auth0', async () => {
  const project = await places.SQLite(features)
  const user = { _id: { $oid: '60425dc43519d90068f82973' }, email_verified: true, email: 'ann@example.com', connection: 'Users' }
  const lines = [
    { ...user, passwordHash: await bcrypt(password, 5) },
    { ...user, email: 'bob@example.com' },
    {
      ...user,
      email: 'cleo@example.com',
      passwordHash: await bcrypt(password, 5),
      mfa_factors: [{ totp: { secret: 'JBSWY3DPEHPK3PXP' } }],
    },
  ]
  await importLines(project, await convert(project, 'auth0.mjs', lines.map((line) => JSON.stringify(line)).join('\n')))
  const { app, browser } = await serve(project, features)
  expect((await browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password } })).status).toBe(200)
  expect(
    await app.db.selectFrom('user').select('email').where('emailVerified', '=', true).orderBy('email').execute(),
  ).toHaveLength(3)
  expect((await signInAs(browser(), 'Cleo', { password })).body).toMatchObject({ twoFactorMethods: ['totp'] })
})

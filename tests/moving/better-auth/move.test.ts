/** Applications with better-auth itself, moved by the command, and used with their former cookies, keys and passwords. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import type { ConfigFile } from '../../../src/features/index.ts'
import { hotp, timeStep } from '../../../src/lib/totp.ts'
import { configFile, type Environment, folder, latchkey, latchkeyJSON } from '../../cli/kit.ts'
import { freshDatabase, freshKeyspace } from '../../kit/servers/index.ts'
import { connectRedis } from '../../kit/servers/redis.ts'
import { type Answer, type FormerApp, formerSecret, type Product, startFormerApp, type Version } from './former-app.ts'
import { serveProject } from './latchkey-app.ts'

const config = {
  secret: formerSecret,
  baseURL: 'http://localhost:4000',
  advanced: { cookiePrefix: 'better-auth' },
  emailAndPassword: { enabled: true, minPasswordLength: 8 },
  rateLimit: { enabled: false },
  ...{ admin: true, username: true, phoneNumber: true, anonymous: true, twoFactor: true, passkey: true, jwt: true },
  apiKey: { enableMetadata: true, listAsObject: true, configurations: [{ configId: 'team', references: 'organization' }] },
  organization: { teams: { enabled: true } },
} satisfies ConfigFile

const env: Environment = { DATABASE_URL: 'sqlite:./new.db', BETTER_AUTH_SECRET: formerSecret }

interface Filled {
  readonly ida: Answer
  readonly jon: Answer
  readonly brief: Answer
  readonly anonymous: Answer
  readonly apiKey: string
  /** Of the organization. */
  readonly teamKey: { readonly id: string; readonly key: string } | null
  readonly token: string
  readonly totp: string
  readonly organization: string
}

/** By real calls of the library. */
async function fill(app: FormerApp, version: Version): Promise<Filled> {
  const ida = await app.call('/sign-up/email', { name: 'Ida Falk', email: 'Ida.Falk@Example.com', password: 'harbour lamp 41' })
  const jon = await app.call('/sign-up/email', {
    name: 'Jón Þór',
    email: 'jon@example.com',
    password: 'glacier-7-bridge',
    username: 'Jon_Thor',
  })
  const organization = await app.call('/organization/create', { name: 'Falk Ltd', slug: 'falk' }, ida.cookie)
  const organizationId = organization.body.id
  await app.call('/organization/create-team', { name: 'Night shift', organizationId }, ida.cookie)
  await app.call('/organization/invite-member', { email: 'New@example.com', role: 'member', organizationId }, ida.cookie)
  const key = await app.call('/api-key/create', { name: 'cron', metadata: { job: 'nightly' } }, ida.cookie)
  const ofTeam = { configId: 'team', organizationId, name: 'deploy' }
  const teamKey = version === '1.7' ? await app.call('/api-key/create', ofTeam, ida.cookie) : null
  expect(teamKey?.status ?? 200, JSON.stringify(teamKey?.body)).toBe(200)
  const token = await app.call('/token', null, ida.cookie)
  const factor = await app.call('/two-factor/enable', { password: 'glacier-7-bridge' }, jon.cookie)
  expect(factor.status, JSON.stringify([jon, factor])).toBe(200)
  const secret = new URL(factor.body.totpURI).searchParams.get('secret') ?? ''
  const code = codeOf(secret)
  const verified = await app.call('/two-factor/verify-totp', { code }, factor.cookie || jon.cookie)
  const brief = await app.call('/sign-in/email', {
    email: 'ida.falk@example.com',
    password: 'harbour lamp 41',
    rememberMe: false,
  })
  const anonymous = await app.call('/sign-in/anonymous', {})
  const answers = { ida, jon, organization, key, token, factor, verified, brief, anonymous }
  for (const [name, { status, body }] of Object.entries(answers)) expect(status, `${name} ${JSON.stringify(body)}`).toBe(200)
  return {
    ...{
      ida,
      brief,
      anonymous,
      apiKey: key.body.key,
      teamKey: teamKey?.body ?? null,
      token: token.body.token,
      totp: secret,
      organization: organizationId,
    },
    jon: verified.cookie === '' ? jon : verified,
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function codeOf(secret: string): string {
  const bits = [...secret.replaceAll('=', '')].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = new Uint8Array((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
  return hotp(bytes, timeStep(Date.now(), 30), { digits: 6, algorithm: 'SHA1' })
}

const cases: readonly (readonly [Version, Product, string, object])[] = [
  ['1.2', 'sqlite', 'text IDs', {}],
  ['1.2', 'mysql', 'number IDs', { advanced: { database: { useNumberId: true } } }],
  [
    '1.2',
    'postgres',
    'renamed tables',
    { user: { modelName: 'app_users', fields: { email: 'mail' } }, session: { modelName: 'app_sessions' } },
  ],
  ['1.7', 'mysql', 'text IDs', {}],
  ['1.7', 'postgres', 'number IDs', { advanced: { database: { generateId: 'serial' } } }],
]

test('a later run copies what has changed since, and nothing else', async () => {
  const target = await freshDatabase()
  const cwd = folder({ 'auth.config.ts': configFile(JSON.stringify(config)) })
  const app = await startFormerApp({ version: '1.2', product: 'sqlite', folder: cwd })
  const { ida, organization } = await fill(app, '1.2')
  const onServer = { ...env, DATABASE_URL: target.url }
  await latchkey(cwd, ['migrate', 'generate'], onServer)
  await latchkey(cwd, ['migrate', 'up', '--yes'], onServer)
  const copy = async () => {
    const { document, stderr } = await latchkeyJSON(cwd, ['move', 'from-better-auth', '--database', app.url, '--apply'], onServer)
    const counts = document.counts as readonly { kind: string; inserted: number; updated: number; removed: number }[]
    expect(counts, stderr).toBeDefined()
    return Object.fromEntries(
      counts.flatMap(({ kind, inserted, updated, removed }) =>
        inserted + updated + removed > 0 ? [[kind, [inserted, updated, removed]]] : [],
      ),
    )
  }
  await copy()
  expect(await copy()).toEqual({})
  await app.query(`update user set name = 'Ida Berg', updatedAt = '2030-01-01T00:00:00.000Z' where name = 'Ida Falk'`)
  await app.query(`delete from session where token not in (select token from session order by createdAt limit 1)`)
  await app.call('/organization/update', { data: { name: 'Berg Ltd' }, organizationId: organization }, ida.cookie)
  await app.call('/sign-up/email', { name: 'Mia', email: 'mia@example.com', password: 'orchard-window-3' })
  expect(await copy()).toEqual({ user: [1, 1, 0], account: [1, 0, 0], organization: [0, 1, 0], session: [1, 0, 3] })
  expect(await copy()).toEqual({})
  // A row that cannot be moved any more does not stay as it was.
  await app.query(`update session set impersonatedBy = 'admin' where userId = (select id from user where name = 'Mia')`)
  expect(await copy()).toEqual({ session: [0, 0, 1] })
  const check = await latchkeyJSON(cwd, ['move', 'check', '--database', app.url], onServer)
  expect((check.document.checks as { differences: string[] }[]).flatMap(({ differences }) => differences)).toEqual([])
  await target.drop()
})

test.each<[Version, Product]>([
  ['1.2', 'sqlite'],
  ['1.7', 'postgres'],
])('moves back from a trial to %s on %s, and no user is signed out', async (version, product) => {
  const trial = { ...config, move: { trial: true } } satisfies ConfigFile
  const cwd = folder({ 'auth.config.ts': configFile(JSON.stringify(trial)) })
  const app = await startFormerApp({ version, product, folder: cwd })
  const { ida, brief } = await fill(app, version)
  const copy = await latchkey(
    cwd,
    ['move', 'from-better-auth', '--database', app.url, '--apply', '--final', '--ignore-connections'],
    env,
  )
  expect(copy.exitCode, copy.stderr).toBe(0)
  const serving = await serveProject(cwd, { ...trial, database: { url: `sqlite:${cwd}/new.db` } })
  const mia = await serving.call('/sign-up/email', { name: 'Mia', email: 'mia@example.com', password: 'orchard-window-3' })
  const again = await serving.call('/sign-in/email', { email: 'ida.falk@example.com', password: 'harbour lamp 41' })
  await serving.call('/update-user', { name: 'Ida Berg' }, ida.cookie)
  const changed = { currentPassword: 'harbour lamp 41', newPassword: 'a new lamp 42' }
  expect((await serving.call('/change-password', changed, again.cookie)).status).toBe(200)
  const organization = await serving.call('/organization/create', { name: 'Mia Ltd', slug: 'mia' }, mia.cookie)
  await serving.call('/sign-out', {}, brief.cookie)
  const key = await serving.call('/api-key/create', { name: 'new' }, mia.cookie)
  const ofTeam = { name: 'new', configId: 'team', organizationId: organization.body.id }
  expect([key.status, (await serving.call('/api-key/create', ofTeam, mia.cookie)).status]).toEqual([200, 200])
  await serving.close()
  const back = await latchkeyJSON(cwd, ['move', 'back', '--database', app.url], env)
  expect(back.exitCode, back.stderr).toBe(0)

  const user = async (cookie: string) => (await app.call('/get-session', null, cookie)).body?.user.name ?? null
  expect([await user(ida.cookie), await user(again.cookie), await user(mia.cookie), await user(brief.cookie)]).toEqual([
    ...['Ida Berg', 'Ida Berg', 'Mia', null],
  ])
  const signIn = async (email: string, password: string) => (await app.call('/sign-in/email', { email, password })).status
  expect([await signIn('ida.falk@example.com', 'a new lamp 42'), await signIn('mia@example.com', 'orchard-window-3')]).toEqual([
    200, 200,
  ])
  expect(
    (await app.call(`/organization/get-full-organization?organizationId=${organization.body.id}`, null, mia.cookie)).body,
  ).toMatchObject({
    ...{ slug: 'mia', members: [{ role: 'owner' }] },
  })
  const listed = async (query: string) => (await app.call(`/api-key/list${query}`, null, mia.cookie)).body
  if (version === '1.2') expect(await listed('')).toMatchObject([{ name: 'new' }])
  else
    for (const query of ['', `?organizationId=${organization.body.id}`])
      expect(await listed(query)).toMatchObject({ apiKeys: [{ name: 'new' }], total: 1 })
  // Once more: nothing is left to do, and the way forward is open again.
  const twice = await latchkeyJSON(cwd, ['move', 'back', '--database', app.url], env)
  const counts = twice.document.counts as readonly { inserted: number; updated: number; removed: number }[]
  expect(counts.map(({ inserted, updated, removed }) => inserted + updated + removed).filter(Boolean)).toEqual([])
})

test('sessions that are only in Redis are found by the lists of their users, and no user is signed out', async () => {
  const cwd = folder({ 'auth.config.ts': configFile(JSON.stringify(config)) })
  const { redis, drop } = await freshKeyspace()
  const client = connectRedis(redis.url)
  const prefix = `${redis.keyPrefix ?? ''}app:`
  const secondaryStorage = {
    get: (key: string) => client.get(`${prefix}${key}`),
    set: async (key: string, value: string, ttl?: number) =>
      void (await (ttl ? client.set(`${prefix}${key}`, value, 'EX', ttl) : client.set(`${prefix}${key}`, value))),
    delete: async (key: string) => void (await client.del(`${prefix}${key}`)),
  }
  const app = await startFormerApp({ version: '1.2', product: 'sqlite', folder: cwd, more: { secondaryStorage } })
  const person = { name: 'Ida Falk', email: 'ida.falk@example.com', password: 'harbour lamp 41' }
  const [ida, gone] = [await app.call('/sign-up/email', person), await app.call('/sign-in/email', person)]
  await app.call('/sign-out', {}, gone.cookie)
  expect(await app.query(`select name from sqlite_master where name = 'session'`)).toEqual([])
  const options = ['--database', app.url, '--redis', redis.url, '--redis-prefix', prefix]
  const copy = () => latchkeyJSON(cwd, ['move', 'from-better-auth', ...options, '--apply'], env)
  expect((await copy()).document.counts).toContainEqual(expect.objectContaining({ kind: 'session', inserted: 1, left: 0 }))
  expect((await copy()).document.counts).toContainEqual(expect.objectContaining({ kind: 'session', unchanged: 1 }))
  const check = await latchkeyJSON(cwd, ['move', 'check', ...options], env)
  expect([check.exitCode, check.document.checks]).toEqual([0, expect.any(Array)])
  const serving = await serveProject(cwd, { ...config, database: { url: `sqlite:${cwd}/new.db` } })
  const nameOf = async ({ cookie }: Answer) => (await serving.call('/get-session', null, cookie)).body?.user.name ?? null
  expect([await nameOf(ida), await nameOf(gone)]).toEqual(['Ida Falk', null])
  client.disconnect()
  await drop()
})

// After it: renamed tables of 1.2 stay renamed in the process.
test.each(cases)('no user is signed out of an application with %s on %s, %s', async (version, product, name, more) => {
  const cwd = folder({ 'auth.config.ts': configFile(JSON.stringify(config)) })
  const app = await startFormerApp({ version, product, folder: cwd, more })
  const filled = await fill(app, version)
  const before = await sessionsOf(filled, (cookie) => app.call('/get-session', null, cookie))
  const options = ['--database', app.url, ...(name === 'number IDs' ? ['--ids', 'text'] : []), ...mappingOf(name, cwd)]
  const report = await latchkeyJSON(cwd, ['move', 'from-better-auth', ...options], env)
  expect(report.document).toMatchObject({ schema: 'move-report/v1', version, left: [] })
  const run = await latchkeyJSON(cwd, ['move', 'from-better-auth', ...options, '--apply'], env)
  expect(run.exitCode, run.stderr).toBe(0)
  const serving = await serveProject(cwd, { ...config, database: { url: `sqlite:${cwd}/new.db` } })

  expect(await sessionsOf(filled, (cookie) => serving.call('/get-session', null, cookie))).toEqual(before)
  const signedIn = await serving.call('/sign-in/email', { email: 'ida.falk@example.com', password: 'harbour lamp 41' })
  expect(signedIn.status).toBe(200)
  expect((await serving.call('/organization/get-full-organization', null, filled.ida.cookie)).body).toMatchObject({
    ...{
      id: filled.organization,
      slug: 'falk',
      members: [{ role: 'owner' }],
      invitations: [{ email: 'new@example.com', status: 'pending' }],
    },
  })
  const keysOf = async (query = '') => (await serving.call(`/api-key/list${query}`, null, filled.ida.cookie)).body.apiKeys
  expect(await keysOf()).toMatchObject([{ name: 'cron', metadata: { job: 'nightly' }, configId: 'default' }])
  expect((await serving.call('/get-session', null, '', { 'x-api-key': filled.apiKey })).body).toMatchObject({
    user: { name: 'Ida Falk' },
  })
  const { teamKey } = filled
  if (teamKey) {
    const referenceId = String(filled.organization)
    const own = { id: String(teamKey.id), name: 'deploy', configId: 'team', referenceId }
    expect(await keysOf(`?organizationId=${referenceId}`)).toMatchObject([own])
    expect((await serving.verifyKey(teamKey.key)).body).toMatchObject({ valid: true, key: own })
  }
  const keys = createLocalJWKSet((await serving.call('/jwks')).body)
  expect((await jwtVerify(filled.token, keys)).payload).toMatchObject({ email: 'ida.falk@example.com' })
  const challenged = await serving.call('/sign-in/email', { email: 'jon@example.com', password: 'glacier-7-bridge' })
  expect(challenged.body).toMatchObject({ twoFactorRedirect: true })
  expect((await serving.call('/two-factor/verify-totp', { code: codeOf(filled.totp) }, challenged.cookie)).status).toBe(200)
})

/** Without what a session's renewal changes. */
async function sessionsOf({ ida, jon, brief, anonymous }: Filled, read: (cookie: string) => Promise<Answer>) {
  const found = []
  for (const { cookie } of [ida, jon, brief, anonymous]) {
    const { body } = await read(cookie)
    const { id, userId, expiresAt, createdAt } = body?.session ?? {}
    const { name, email, emailVerified, username, isAnonymous } = body?.user ?? {}
    found.push([
      String(id),
      String(userId),
      expiresAt,
      createdAt,
      name,
      email,
      Boolean(emailVerified),
      username ?? null,
      Boolean(isAnonymous),
    ])
  }
  return found
}

function mappingOf(name: string, cwd: string): string[] {
  if (name !== 'renamed tables') return []
  // The name of a table is found by its columns, that of a column is not.
  writeFileSync(join(cwd, 'mapping.json'), JSON.stringify({ user: { table: 'app_users', columns: { email: 'mail' } } }))
  return ['--mapping', 'mapping.json']
}

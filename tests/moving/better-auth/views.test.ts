/** Code of an application that reads the tables of better-auth with SQL, before and after a move. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { configFile, folder, latchkey, latchkeyJSON } from '../../cli/kit.ts'
import { createProject } from '../../daemon/project.ts'
import { formerSecret, origin, startFormerApp } from './former-app.ts'
import { configure, definitions, env, isFormer } from './shared-database.ts'

const embedded = {
  ...{ secret: formerSecret, baseURL: origin, emailAndPassword: { enabled: true }, advanced: { cookiePrefix: 'better-auth' } },
  ...{ admin: true, username: true, phoneNumber: true, anonymous: true, twoFactor: true, passkey: true, jwt: true },
  ...{ apiKey: { enableMetadata: true }, organization: { teams: { enabled: true } } },
}

test('tables of other names, number IDs and views: code of the application reads the same rows as before', async () => {
  const project = await createProject('numbers')
  const more = { advanced: { database: { generateId: 'serial' } }, user: { modelName: 'app_users', fields: { email: 'mail' } } }
  const app = await startFormerApp({ version: '1.7', product: 'mysql', folder: project.folder, more })
  const ida = await app.call('/sign-up/email', { name: 'Ida', email: 'ida@example.com', password: 'harbour lamp 41' })
  const organization = await app.call('/organization/create', { name: 'Falk Ltd', slug: 'falk' }, ida.cookie)
  expect([ida.status, organization.status], JSON.stringify([ida.body, organization.body])).toEqual([200, 200])
  for (const statement of [
    'create table role (id int primary key)',
    'create table orders (id int auto_increment primary key, buyerId int not null, constraint orders_buyer foreign key (buyerId) references app_users (id))',
    'insert into orders (buyerId) select id from app_users',
  ])
    await app.query(statement)
  configure(project, app.url, 'database: { generateId: digitIds }')
  writeFileSync(
    join(project.folder, 'mapping.json'),
    JSON.stringify({ user: { table: 'app_users', columns: { email: 'mail' } } }),
  )
  const move = (...rest: string[]) =>
    project.latchkey(['move', 'from-better-auth', '--same-schema', '--ids', 'digits', ...rest, '--json'], env)
  const named = (...rest: string[]) => move('--mapping', 'mapping.json', ...rest)
  await project.latchkey(['migrate', 'generate'])
  expect((await named('--apply')).json()).toMatchObject({ code: 'MOVE_NAMES_TAKEN', message: expect.stringContaining(': role') })
  await app.query('rename table role to job')
  const before = await definitions(app)
  const rows = async () => ({
    users: await app.query(
      'select id, name, mail, image, createdAt, updatedAt, role, banned, username from app_users order by id',
    ),
    owners: await app.query('select u.mail, o.id from app_users u join orders o on o.buyerId = u.id'),
  })
  const former = await rows()

  expect((await named('--apply', '--verify-emails')).exitCode).toBe(0)
  const final = await named('--apply', '--final')
  expect(final.exitCode, final.stderr).toBe(0)
  expect(final.json()).toMatchObject({
    foreignKeys: [{ name: 'orders_buyer', reason: expect.stringContaining('the column is int') }],
  })
  expect(await app.query('select emailVerified from user')).toEqual([{ emailVerified: 1 }])
  const views = (await named('--views')).json() as { statements: string[]; views: object[] }
  expect(views.views).toContainEqual({
    name: 'session',
    statement: null,
    left: expect.arrayContaining(['token']),
    reason: 'a table of Latchkey has this name',
  })
  for (const statement of views.statements) await app.query(statement)
  expect(await rows()).toEqual(former)
  await app.query('drop view app_users')
  const back = await project.latchkey(['move', 'back', '--json'], env)
  expect(back.exitCode, back.stderr).toBe(0)
  expect(await definitions(app, isFormer)).toEqual(before)
  expect(await app.query('select emailVerified from app_users')).toEqual([{ emailVerified: 0 }])
  expect((await app.call('/get-session', null, ida.cookie)).body).toMatchObject({ user: { email: 'ida@example.com' } })
})

test('views of SQLite come before the old tables, and have their rows', async () => {
  const cwd = folder({ 'auth.config.ts': configFile(JSON.stringify(embedded)) })
  const app = await startFormerApp({ version: '1.2', product: 'sqlite', folder: cwd })
  const ida = await app.call('/sign-up/email', {
    name: 'Ida',
    email: 'ida@example.com',
    password: 'harbour lamp 41',
    username: 'ida_f',
  })
  await app.call('/organization/create', { name: 'Falk Ltd', slug: 'falk', metadata: { plan: 'team' } }, ida.cookie)
  await app.call('/api-key/create', { name: 'cron', metadata: { job: 'nightly' } }, ida.cookie)
  await app.call('/api-key/create', { name: 'plain' }, ida.cookie)
  const files = { ...env, DATABASE_URL: `sqlite:${cwd}/new.db` }
  const command = ['move', 'from-better-auth', '--database', app.url]
  const run = await latchkey(cwd, [...command, '--apply'], files)
  expect(run.exitCode, run.stderr).toBe(0)
  const { document } = await latchkeyJSON(cwd, [...command, '--views'], files)
  const { statements, views } = document as unknown as {
    statements: string[]
    views: { name: string; statement: string | null; left: string[] }[]
  }
  const db = new DatabaseSync(`${cwd}/old.db`)
  onTestFinished(() => db.close())
  const shown = views.filter(({ statement }) => statement !== null)
  const read = (columns: (name: string) => string) =>
    shown.map(({ name }) => db.prepare(`select ${columns(name)} from "${name}" order by id`).all())
  const columnsOf = new Map(
    shown.map(({ name, left }) => {
      const all = db
        .prepare(`select name from pragma_table_info('${name}')`)
        .all()
        .map((row) => String(row.name))
      return [
        name,
        all
          .filter((column) => !left.includes(column))
          .map((column) => `"${column}"`)
          .join(', '),
      ]
    }),
  )
  const before = read((name) => columnsOf.get(name) ?? '')
  for (const statement of statements) db.exec(statement)
  expect(read((name) => columnsOf.get(name) ?? '')).toEqual(before)
  expect(shown.map(({ name, left }) => [name, left]).filter(([, left]) => left?.length)).toEqual([
    ['account', ['accessToken', 'refreshToken', 'idToken']],
    ['apikey', ['key']],
    ['jwks', ['privateKey']],
    ['session', ['token']],
  ])
})

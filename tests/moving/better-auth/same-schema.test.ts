/** An application with better-auth itself that gives its own database to Latchkey, and moves back. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { createProject, type Foreground } from '../../daemon/project.ts'
import { type FormerApp, formerSecret, origin, startFormerApp } from './former-app.ts'
import { configure, definitions, env, isFormer } from './shared-database.ts'

/** Tables of the application itself, with rows that refer to those of better-auth. */
async function createOwnTables(app: FormerApp): Promise<void> {
  for (const statement of [
    'create table shop (id varchar(36) not null primary key, owner varchar(36) not null, constraint shop_owner foreign key (owner) references organization (id) on update cascade)',
    `create table orders (id int auto_increment primary key, buyerId varchar(36) not null default '' comment 'who, bought', shopId varchar(36),
      constraint orders_buyer foreign key (buyerId) references user (id) on delete cascade, constraint orders_shop foreign key (shopId) references shop (id)) auto_increment = 700`,
    'create table profile (userId varchar(36) character set utf8mb3 not null primary key, age int)',
    'create table badge (owner varchar(36) character set utf8mb3 not null, foreign key (owner) references profile (userId))',
    'insert into shop select id, id from organization',
    'insert into orders (buyerId, shopId) select u.id, s.id from user u join shop s',
  ])
    await app.query(statement)
}

/** Its lease would be free after five seconds. */
async function kill({ child, ended }: Foreground, app: FormerApp): Promise<void> {
  child.kill('SIGKILL')
  await ended()
  const isLease = (name: string) => name.endsWith('latchkey_lease')
  for (const name of Object.keys(await definitions(app, isLease))) await app.query(`delete from \`${name}\``)
}

test('an application moves within its database and back, and its own tables refer to the users of both', async () => {
  vi.stubEnv('BETTER_AUTH_SECRET', formerSecret)
  onTestFinished(() => void vi.unstubAllEnvs())
  const project = await createProject('same')
  const app = await startFormerApp({ version: '1.2', product: 'mysql', folder: project.folder })
  const ida = await app.call('/sign-up/email', { name: 'Ida', email: 'ida@example.com', password: 'harbour lamp 41' })
  await app.call('/organization/create', { name: 'Falk Ltd', slug: 'falk' }, ida.cookie)
  await createOwnTables(app)
  configure(project, app.url)
  const before = await definitions(app)
  const move = (...more: string[]) => project.latchkey(['move', 'from-better-auth', '--same-schema', ...more, '--json'], env)

  const generated = await project.latchkey(['migrate', 'generate'])
  expect(generated.exitCode, generated.stderr).toBe(0)
  const report = await move()
  expect(report.exitCode, report.stderr).toBe(0)
  expect(report.json()).toMatchObject({
    unverified: { users: 1, marked: false },
    sameSchema: {
      rename: expect.stringMatching(/^rename table `user` to `ba_user`, .*`lk_move_user` to `user`/),
      foreignKeys: [
        {
          ...{
            table: 'orders',
            name: 'orders_buyer',
            reason: null,
            orphans: expect.stringContaining('from `orders` a left join `user`'),
          },
          statements: [
            'alter table `orders` drop foreign key `orders_buyer`',
            expect.stringMatching(
              /^alter table `orders` modify column `buyerId` varchar\(36\) CHARACTER SET utf8mb4 COLLATE utf8mb4_\w+bin NOT NULL DEFAULT '' COMMENT 'who, bought'$/,
            ),
            'alter table `orders` add CONSTRAINT `orders_buyer` FOREIGN KEY (`buyerId`) REFERENCES `user` (`id`) ON DELETE CASCADE',
          ],
        },
        { table: 'shop', name: 'shop_owner', reason: null },
      ],
      taken: [],
    },
  })
  expect(await definitions(app)).toEqual(before)

  // The old application serves during the copy, and a daemon without the flag does not start.
  const copied = await move('--apply')
  expect(copied.exitCode, copied.stderr).toBe(0)
  expect(await definitions(app, isFormer)).toEqual(before)
  expect((await project.latchkey(['start', '--detach', '--json'], env)).json()).toMatchObject({ code: 'NAMES_TAKEN' })
  const jon = await app.call('/sign-up/email', { name: 'Jon', email: 'jon@example.com', password: 'glacier-7-bridge' })

  const daemon = await project.serve(['start', '--wait-for-move'])
  const ask = async (path: string, cookie: string, body?: object) => {
    const headers = { 'content-type': 'application/json', origin, cookie }
    const response = await fetch(
      `${project.api}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      cookie: response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    }
  }
  expect((await ask('/get-session', ida.cookie)).status).toBe(503)

  // A row of the application must not lose its user.
  await app.query(
    "insert into user (id, name, email, emailVerified, createdAt, updatedAt) values ('left', '', 'none', 0, now(), now())",
  )
  await app.query("insert into orders (buyerId) values ('left')")
  expect((await move('--apply', '--final')).json()).toMatchObject({ code: 'MOVE_ORPHANS', details: [{ path: 'orders.buyerId' }] })
  expect(await definitions(app, (name) => name === 'ba_user')).toEqual({})
  await app.query("delete from user where id = 'left'")

  // Killed between the renaming and the foreign keys.
  const slowly = ['--batch', '1', '--pause-ms', '100']
  const killed = project.launch(['move', 'from-better-auth', '--same-schema', '--apply', '--final', ...slowly])
  const isRenamed = async () => (await definitions(app, (name) => name === 'ba_user')).ba_user !== undefined
  await expect.poll(isRenamed, { interval: 2 }).toBe(true)
  await kill(killed, app)
  expect((await ask('/get-session', ida.cookie)).status).toBe(503)
  expect((await move('--apply')).json()).toMatchObject({ code: 'MOVE_SWITCHING' })
  const final = await move('--apply', '--final')
  expect(final.exitCode, final.stderr).toBe(0)
  expect(final.json()).toMatchObject({
    final: true,
    foreignKeys: [
      { name: 'orders_buyer', reason: null },
      { name: 'shop_owner', reason: null },
    ],
  })

  await expect.poll(async () => (await ask('/get-session', ida.cookie)).body?.user?.name).toBe('Ida')
  expect((await ask('/get-session', jon.cookie)).body).toMatchObject({ user: { name: 'Jon' } })
  const mia = await ask('/sign-up/email', '', { name: 'Mia', email: 'mia@example.com', password: 'orchard-window-3' })
  expect(mia.status, daemon.output()).toBe(200)
  await app.query(`insert into orders (buyerId) values ('${mia.body.user.id}')`)
  await expect(app.query(`insert into orders (buyerId) values ('unknown')`)).rejects.toThrow('foreign key constraint')
  const status = await project.latchkey(['migrate', 'status', '--json'])
  expect([status.exitCode, status.json()]).toMatchObject([0, { pending: [], drift: [], taken: [] }])
  const check = await project.latchkey(['move', 'check', '--json'], env)
  expect([check.exitCode, check.stderr]).toEqual([0, ''])

  await project.latchkey(['stop'])
  // Whenever it is killed, the next run has the same result.
  const cut = project.launch(['move', 'back'])
  await expect.poll(async () => cut.child.exitCode !== null || !(await isRenamed()), { interval: 2 }).toBe(true)
  await kill(cut, app)
  const back = await project.latchkey(['move', 'back', '--json'], env)
  expect(back.exitCode, back.stderr).toBe(0)
  const withCounter = (text: unknown) => String(text).replace(/AUTO_INCREMENT=\d+ /, '')
  const after = await definitions(app, isFormer)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  for (const [name, text] of Object.entries(before)) expect(withCounter(after[name])).toBe(withCounter(text))
  const nameOf = async (cookie: string) => (await app.call('/get-session', null, cookie)).body?.user?.name ?? null
  expect([await nameOf(ida.cookie), await nameOf(jon.cookie), await nameOf(mia.cookie)]).toEqual(['Ida', 'Jon', 'Mia'])
  await expect(app.query(`insert into orders (buyerId) values ('unknown')`)).rejects.toThrow('foreign key constraint')

  // The way forward is open again, and a copy that is given up leaves nothing behind.
  const again = await move('--apply')
  expect(again.exitCode, again.stderr).toBe(0)
  const finish = await project.latchkey(['move', 'finish', '--unfinished', '--confirm', 'finish'], env)
  expect(finish.exitCode, finish.stderr).toBe(0)
  expect(Object.keys(await definitions(app))).toEqual(Object.keys(before))
})

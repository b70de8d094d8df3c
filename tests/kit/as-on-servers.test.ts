import { expect, test } from 'vitest'
import { insertUser, userCreation } from '../../src/features/users/index.ts'
import { testApp } from './app.ts'
import { freshKeyspace } from './servers/index.ts'

test('a query with an empty list fails in tests, as it does on MySQL', async () => {
  const { app } = await testApp()
  const users = app.db.selectFrom('user').select('id')
  const find = (ids: readonly string[]) => users.where((eb) => eb.or([eb('email', '=', 'a'), eb('id', 'in', ids)])).execute()
  expect(await find(['a'])).toEqual([])
  for (const query of [() => find([]), () => users.where('id', 'not in', []).execute()])
    await expect(async () => query()).rejects.toThrow('in ()')
  await expect(async () =>
    app.db.transaction().execute((tx) => tx.deleteFrom('user').where('id', 'in', []).execute()),
  ).rejects.toThrow()
})

test('on SQLite, rows come in another order than they were written, unless the query has one', async () => {
  const { app } = await testApp({ database: { url: 'sqlite::memory:' }, redis: (await freshKeyspace()).redis })
  for (const email of ['a@example.com', 'b@example.com'])
    await insertUser(app, userCreation(app, { name: 'Ann', email }).draft, {})
  const users = app.db.selectFrom('user').select('email')
  const found = async (query: typeof users) => (await query.execute()).map(({ email }) => email[0]).join('')
  expect([await found(users), await found(users.orderBy('email'))]).toEqual(['ba', 'ab'])
})

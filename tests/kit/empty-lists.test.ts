import { expect, test } from 'vitest'
import { testApp } from './app.ts'

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

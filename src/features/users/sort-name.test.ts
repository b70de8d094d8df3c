/** The start of a user's name in lower case, which lists sort and search by: it must follow every write of the name. */
// Also on servers: names are stored and compared by the rules of a database.
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { ConfigFile } from '../index.ts'
import { sortNameOf } from './index.ts'

const ann = { name: 'ÄNN Smith', email: 'ann@example.com', password: 'correct horse battery' }

async function withAnn(config: ConfigFile = {}) {
  const kit = await testApp(config)
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  const stored = async () => (await kit.app.db.selectFrom('user').select('sortName').executeTakeFirstOrThrow()).sortName
  return { ...kit, visitor, stored }
}

test('is written when a user is created and renamed', async () => {
  const { visitor, stored } = await withAnn()
  expect(await stored()).toBe('änn smith')
  await visitor.call('POST /update-user', { body: { name: 'Anna' } })
  expect(await stored()).toBe('anna')
  await visitor.call('POST /update-user', { body: { image: 'https://example.com/ann.png' } })
  expect(await stored()).toBe('anna')
})

test('follows the name that a hook chose', async () => {
  const hooks = { before: () => ({ data: { name: 'HOOKED' } }) }
  const { visitor, stored } = await withAnn({
    databaseHooks: { user: { create: { before: (data: object) => ({ data: { ...data, name: 'CREATED' } }) }, update: hooks } },
  })
  expect(await stored()).toBe('created')
  await visitor.call('POST /update-user', { body: { image: 'https://example.com/ann.png' } })
  expect(await stored()).toBe('hooked')
})

test('is cut between characters, and fits into its column', () => {
  expect(sortNameOf('A'.repeat(100))).toBe('a'.repeat(64))
  expect(sortNameOf(`${'a'.repeat(63)}🔑`)).toBe('a'.repeat(63))
  expect(sortNameOf('İ'.repeat(64)).length).toBe(64)
  expect(sortNameOf('')).toBe('')
})

test('is in no response and no argument of a function of the configuration', async () => {
  const seen: unknown[] = []
  const keep = (value: object) => void seen.push(value)
  const { visitor } = await withAnn({
    databaseHooks: { user: { create: { before: keep, after: keep }, update: { before: keep, after: keep } } },
    user: { deleteUser: { enabled: true, beforeDelete: keep, afterDelete: keep } },
  })
  seen.push(await visitor.call('POST /update-user', { body: { name: 'Anna' } }))
  seen.push(await visitor.call('GET /get-session', {}))
  seen.push(await visitor.call('POST /delete-user', { body: { password: ann.password } }))
  expect(seen.length).toBeGreaterThan(6)
  expect(JSON.stringify(seen)).not.toContain('sortName')
})

/** The words of names, by which users are found: they must follow every write of a name. */
// Also on servers: names are stored and compared by the rules of a database.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { defaultRow } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import { deleteUser, insertUser, insertUsers, updateUser, userCreation, userUpdate, wordsOf } from './index.ts'
import { searchedWords } from './name-words.ts'

test.each<[string, readonly string[]]>([
  ['Ida Wolfsgruber', ['ida', 'wolfsgruber']],
  ["Seán O'Brien-Núñez", ['sean', 'o', 'brien', 'nunez']],
  ['Straße STRASSE', ['strasse']],
  ['ΟΔΥΣΣΕΥΣ Οδυσσεύς', ['οδυσσευσ']],
  ['İdil ıdil', ['idil']],
  ['Ａｎｎ ﬁ ²', ['ann', 'fi', '2']],
  ['山田 太郎', ['山田', '太郎']],
  ['ann Ann ANN', ['ann']],
  ['🔑 -- !', []],
  ['', []],
])('the words of %j are %j', (name, words) => {
  expect(wordsOf(name)).toEqual(words)
})

test('the words of a name have bounded number and length, and are cut between characters', () => {
  expect(wordsOf('x'.repeat(65_000))).toEqual(['x'.repeat(32)])
  expect(wordsOf(`${'a'.repeat(31)}𝄞𐐷𐐷`.replace('𝄞', ''))).toEqual(['a'.repeat(31)])
  expect(wordsOf(Array.from({ length: 50 }, (_, number) => `w${number}`).join(' '))).toHaveLength(16)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      for (const word of wordsOf(name)) {
        expect([...word].length).toBeLessThanOrEqual(32)
        expect(word.isWellFormed()).toBe(true)
        expect(wordsOf(word)).toEqual([word])
      }
    }),
  )
})

test('a search compares the longest words first, and a start of another word not at all', () => {
  expect(searchedWords('ida wolfs i Wolf')).toEqual(['wolfs', 'ida'])
  expect(searchedWords(' - ')).toEqual([])
  expect(searchedWords(Array.from({ length: 40 }, (_, number) => `w${number + 10}`).join(' '))).toHaveLength(8)
})

async function withNames() {
  const kit = await testApp()
  const { app } = kit
  const stored = async () => {
    const rows = await app.db.selectFrom('userWord').select(['userId', 'word']).execute()
    return rows.map(({ userId, word }) => `${userId} ${word}`).sort()
  }
  const expected = async () => {
    const users = await app.db.selectFrom('user').select(['id', 'name']).execute()
    return users.flatMap(({ id, name }) => wordsOf(name).map((word) => `${id} ${word}`)).sort()
  }
  const check = async () => {
    for (const { jobs = {} } of app.features) await jobs.userNames?.run(app, new AbortController().signal)
  }
  return { ...kit, stored, expected, check }
}

const rowOf = (app: App, name: string): UserRow => {
  const id = app.random.id()
  const times = { createdAt: app.now(), updatedAt: app.now() }
  return { ...defaultRow(app, 'user'), ...times, id, name, email: `${id.toLowerCase()}@example.com` } as UserRow
}

const someName = fc.oneof(
  fc.constantFrom('Ida Wolfsgruber', 'ida wolfsgruber', 'Ída', '', 'a b c', "O'Brien 🔑"),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)
const someWrite = fc.record({
  kind: fc.constantFrom('create' as const, 'import' as const, 'rename' as const, 'picture' as const, 'delete' as const),
  name: someName,
  /** Which of the users, counted around. */
  at: fc.nat(20),
})

test('equal the words of all names after any writes', async () => {
  const { app, stored, expected } = await withNames()
  const run = async (writes: readonly { readonly kind: string; readonly name: string; readonly at: number }[]) => {
    for (const { kind, name, at } of writes) {
      const users = await app.db.selectFrom('user').select('id').orderBy('id').execute()
      const id = users[at % Math.max(1, users.length)]?.id ?? ''
      const email = `${app.random.id().toLowerCase()}@example.com`
      if (kind === 'create') await write(app, [userCreation(app, { name, email })], (tx, draft) => insertUser(tx, draft, {}))
      if (kind === 'import') await transaction(app, (tx) => insertUsers(tx, [rowOf(app, name), rowOf(app, `${name} x`)]))
      if (kind === 'rename') await write(app, [userUpdate(app, { name })], (tx, draft) => updateUser(tx, id, draft))
      if (kind === 'picture') await write(app, [userUpdate(app, { image: null })], (tx, draft) => updateUser(tx, id, draft))
      if (kind === 'delete') await transaction(app, (tx) => deleteUser(tx, id))
    }
    expect(await stored()).toEqual(await expected())
  }
  await fc.assert(fc.asyncProperty(fc.array(someWrite, { maxLength: 12 }), run), { numRuns: 30 })
}, 120_000)

test('equal the words of the last name when two requests rename a user at the same time', async () => {
  const { app, stored, expected } = await withNames()
  const user = await write(app, [userCreation(app, { name: 'Ann', email: 'ann@example.com' })], (tx, draft) =>
    insertUser(tx, draft, {}),
  )
  const names = Array.from({ length: 8 }, (_, number) => `Ann${number} Smith ${number % 2 ? 'Jr' : ''}`)
  await Promise.all(names.map((name) => write(app, [userUpdate(app, { name })], (tx, draft) => updateUser(tx, user.id, draft))))
  expect(await stored()).toEqual(await expected())
})

test('are not written when the write of the name is rolled back', async () => {
  const { app, stored } = await withNames()
  const user = await write(app, [userCreation(app, { name: 'Ann', email: 'ann@example.com' })], (tx, draft) =>
    insertUser(tx, draft, {}),
  )
  const failing = write(app, [userUpdate(app, { name: 'Bob' })], async (tx, draft) => {
    await updateUser(tx, user.id, draft)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await stored()).toEqual([`${user.id} ann`])
})

test('are written by the check for users that are older than their table, and corrected for names that others wrote', async () => {
  const { app, stored, expected, check, clock } = await withNames()
  await transaction(app, (tx) =>
    insertUsers(
      tx,
      Array.from({ length: 1100 }, (_, number) => rowOf(app, `Ann Number${number}`)),
    ),
  )
  await app.db.deleteFrom('userWord').execute()
  await check()
  expect(await stored()).toEqual(await expected())
  // Not before a day has passed.
  await app.db.updateTable('user').set({ name: 'Bob' }).execute()
  await check()
  expect(await stored()).not.toEqual(await expected())
  clock.advance(86_400)
  await check()
  expect(await stored()).toEqual(await expected())
  expect(await app.db.selectFrom('user').select('id').where('sortName', '<>', 'bob').execute()).toEqual([])
})

test('are checked from where an interrupted run has stopped', async () => {
  const { app, stored, check } = await withNames()
  await transaction(app, (tx) => insertUsers(tx, [rowOf(app, 'Ann'), rowOf(app, 'Bob'), rowOf(app, 'Cid')]))
  await app.db.deleteFrom('userWord').execute()
  const [first, ...rest] = await app.db.selectFrom('user').select('id').orderBy('id').execute()
  await app.db
    .insertInto('nameCheck')
    .values({ id: 'user', position: first?.id ?? '', finishedAt: null })
    .execute()
  await check()
  expect((await stored()).map((row) => row.split(' ')[0])).toEqual(rest.map(({ id }) => id))
})

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { randomSchema } from '../../tests/migrations/random-schema.ts'
import { id, nullable, string, type Tables } from '../core/table.ts'
import { declareSchema } from './declare.ts'
import { generate } from './generate.ts'
import { readMigrations } from './migration-files.ts'
import { type Schema, stableJSON } from './schema.ts'
import { digestOf, formatSnapshot, parseEarlier, parseSnapshot } from './snapshot.ts'

const declare = (tables: Tables) => declareSchema([{ tables }])
const first = declare({ user: { id: id() } })
const second = declare({ user: { id: id(), nick: nullable(string()) }, team: { id: id(), name: string() } })
const third = declare({ user: { id: id(), nick: nullable(string()) } })
const acknowledge = ['drop-table:team']

async function openFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-snapshot-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

async function folderOf(...schemas: readonly Schema[]): Promise<string> {
  const dir = await openFolder()
  for (const schema of schemas) await generate({ schema, dir, acknowledge })
  return dir
}

const schemasIn = async (dir: string) => (await readMigrations(dir)).map(({ schema }) => stableJSON(schema))

test('one snapshot has the schema of every migration, whatever the schemas are', () => {
  const property = fc.property(fc.array(randomSchema, { minLength: 1, maxLength: 5 }), (schemas) => {
    const read = parseSnapshot(formatSnapshot(schemas.map((schema, index) => ({ name: `000${index + 1}_random`, schema }))))
    for (const schema of schemas) expect(stableJSON(read.get(digestOf(schema)))).toBe(stableJSON(schema))
  })
  fc.assert(property, { numRuns: 200 })
})

test('a migration adds to the snapshot only what it changes', async () => {
  const dir = await folderOf(first, second, third)
  const { migrations, tables } = JSON.parse(await readFile(join(dir, 'snapshot.json'), 'utf8'))
  expect(migrations).toEqual([
    { name: '0001_initial' },
    { name: '0002_user-team', before: { team: null, user: { columns: { nick: null } } } },
    { name: '0003_team', before: { team: second.tables.team } },
  ])
  expect(tables).toEqual(third.tables)
})

test.each([
  ['another format', '{"format": 3, "migrations": [{"name": "0001_a"}], "tables": {}}'],
  ['something else as a table', '{"format": 2, "migrations": [{"name": "0001_a"}], "tables": {"user": {}}}'],
  [
    'something else as an earlier table',
    '{"format": 2, "migrations": [{"name": "0001_a"}, {"name": "0002_b", "before": {"user": 1}}], "tables": {}}',
  ],
  ['no JSON', 'x'],
])('rejects a snapshot with %s', (_, text) => {
  expect(() => parseSnapshot(text)).toThrow()
})

describe('after the newest migration was deleted', () => {
  test('the snapshot still has the schemas of the others', async () => {
    const dir = await folderOf(first, second)
    await rm(join(dir, '0002_user-team.sql'))
    expect(await schemasIn(dir)).toEqual([stableJSON(first)])
    expect((await generate({ schema: second, dir, name: 'again' })).written?.name).toBe('0002_again')
    expect(await schemasIn(dir)).toEqual([first, second].map((schema) => stableJSON(schema)))
  })
})

describe('when two branches have added a migration', () => {
  async function branches() {
    const ours = await folderOf(first)
    const theirs = await openFolder()
    await cp(ours, theirs, { recursive: true })
    await generate({ schema: second, dir: ours, name: 'ours' })
    await generate({ schema: third, dir: theirs, name: 'theirs' })
    return { ours, theirs }
  }
  const conflict = /has merge conflicts: two branches have added a migration/
  const twice = /Two migrations have the number 2: 0002_ours and 0002_theirs/

  test('the merged folder is rejected, with both names and what to do', async () => {
    const { ours, theirs } = await branches()
    await cp(join(theirs, '0002_theirs.sql'), join(ours, '0002_theirs.sql'))
    await expect(readMigrations(ours)).rejects.toMatchObject({ code: 'FILES_INVALID', message: expect.stringMatching(twice) })
  })
  test('a snapshot with conflict markers is rejected, also when one migration was deleted', async () => {
    const { ours } = await branches()
    const path = join(ours, 'snapshot.json')
    await writeFile(path, `<<<<<<< HEAD\n${await readFile(path, 'utf8')}=======\n{}\n>>>>>>> theirs\n`)
    await expect(readMigrations(ours)).rejects.toMatchObject({ code: 'FILES_INVALID', message: expect.stringMatching(conflict) })
  })
  test('the snapshot of the wrong branch is rejected', async () => {
    const { ours, theirs } = await branches()
    await cp(join(theirs, 'snapshot.json'), join(ours, 'snapshot.json'))
    const message = 'Restore snapshot.json from the commit that added 0002_ours.sql'
    await expect(generate({ schema: third, dir: ours })).rejects.toMatchObject({ message: expect.stringContaining(message) })
  })
  test('one is generated again after the other, with the snapshot of the other branch', async () => {
    const { ours, theirs } = await branches()
    await rm(join(ours, '0002_ours.sql'))
    for (const name of ['0002_theirs.sql', 'snapshot.json']) await cp(join(theirs, name), join(ours, name))
    expect((await generate({ schema: second, dir: ours })).written?.name).toBe('0003_team')
    expect(await schemasIn(ours)).toEqual([first, third, second].map((schema) => stableJSON(schema)))
  })
})

describe('a folder of an earlier version, with a snapshot for each migration', () => {
  async function earlierFolder(): Promise<string> {
    const dir = await folderOf(first, second)
    for (const [index, name] of ['0001_initial', '0002_user-team'].entries()) {
      const tables = [first, second][index]?.tables
      await writeFile(join(dir, `${name}.json`), `${stableJSON({ format: 1, tables }, 2)}\n`)
    }
    await rm(join(dir, 'snapshot.json'))
    return dir
  }
  test('is read as it is', async () => {
    const dir = await earlierFolder()
    expect(await schemasIn(dir)).toEqual([first, second].map((schema) => stableJSON(schema)))
    expect((await generate({ schema: second, dir })).changes).toEqual([])
    expect(await readdir(dir)).not.toContain('snapshot.json')
  })
  test('gets one snapshot with the next migration, and keeps its files until the user deletes them', async () => {
    const dir = await earlierFolder()
    const before = await readMigrations(dir)
    const { written } = await generate({ schema: third, dir, acknowledge })
    const obsolete = ['0001_initial.json', '0002_user-team.json'].map((name) => join(dir, name))
    expect(written).toMatchObject({ paths: ['0003_team.sql', 'snapshot.json'].map((name) => join(dir, name)), obsolete })
    for (const path of obsolete) await rm(path)
    expect((await readMigrations(dir)).slice(0, 2)).toEqual(before)
    expect((await schemasIn(dir))[2]).toBe(stableJSON(third))
    expect((await generate({ schema: second, dir })).written).toMatchObject({ obsolete: [] })
  })
  test.each<[string, (dir: string) => Promise<unknown>, RegExp]>([
    ['the snapshot is missing', (dir) => rm(join(dir, '0002_user-team.json')), /commit that added 0002_user-team.sql/],
    ['the snapshot was changed', (dir) => writeFile(join(dir, '0002_user-team.json'), '{}'), /is not the snapshot/],
  ])('is rejected when %s', async (_, harm, message) => {
    const dir = await earlierFolder()
    await harm(dir)
    await expect(readMigrations(dir)).rejects.toMatchObject({ code: 'FILES_INVALID', message: expect.stringMatching(message) })
  })
  test('is read from the text that earlier versions wrote, whose checksum their migrations name', () => {
    const column =
      '{\n          "length": 36,\n          "nullable": false,\n          "primary": true,\n          "type": "varchar"\n        }'
    const table = `{\n      "columns": {\n        "id": ${column}\n      },\n      "foreignKeys": {},\n      "indexes": {}\n    }`
    const text = `{\n  "format": 1,\n  "tables": {\n    "user": ${table}\n  }\n}\n`
    expect(parseEarlier(text)).toEqual(first)
    expect(digestOf(first)).toBe('8e338a28afdbf04706b05669ce316e269cfda9b540038758316860cef2e8430a')
  })
})

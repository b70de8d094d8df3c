import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { id, integer, nullable, string, type Tables, timestamp } from '../core/table.ts'
import { declareSchema } from './declare.ts'
import { generate } from './generate.ts'
import { parseSections, readMigrations } from './migration-files.ts'
import { digestOf } from './snapshot.ts'

const declare = (tables: Tables) => declareSchema([{ tables }])
const small = declare({ user: { id: id() } })
const large = declare({ user: { id: id(), nick: nullable(string()) }, team: { id: id(), name: string() } })
const largeChanges = ['add-column:user.nick', 'create-table:team']
const smallChanges = ['drop-column:user.nick', 'drop-table:team']

async function openFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-files-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}
const names = (changes: readonly { readonly name: string }[]) => changes.map(({ name }) => name)

test('generates an initial migration, then one with the changes since', async () => {
  const dir = join(await openFolder(), 'migrations')
  expect((await generate({ schema: small, dir })).written?.name).toBe('0001_initial')
  const second = await generate({ schema: large, dir })
  expect(second.written?.name).toBe('0002_user-team')
  expect(names(second.changes)).toEqual(largeChanges)
  expect((await readdir(dir)).toSorted()).toEqual(['0001_initial.sql', '0002_user-team.sql', 'snapshot.json'])
})

test('writes nothing when nothing changed', async () => {
  const dir = await openFolder()
  await generate({ schema: large, dir })
  expect(await generate({ schema: large, dir })).toEqual({ changes: [], sql: [], renames: [], written: null })
  expect(await readdir(dir)).toHaveLength(2)
})

test('writes nothing with write: false', async () => {
  const dir = await openFolder()
  const planned = await generate({ schema: small, dir, write: false })
  expect(planned).toMatchObject({ changes: [{ name: 'create-table:user', class: 'safe' }], written: null })
  expect(await readdir(dir)).toEqual([])
})

test('generates identical files for the same schema', async () => {
  const [one, other] = [await openFolder(), await openFolder()]
  await generate({ schema: large, dir: one })
  await generate({ schema: large, dir: other })
  for (const name of await readdir(one))
    expect(await readFile(join(one, name), 'utf8')).toBe(await readFile(join(other, name), 'utf8'))
})

test('requires every destructive change to be acknowledged, and records it in the file', async () => {
  const dir = await openFolder()
  await generate({ schema: large, dir })
  await expect(generate({ schema: small, dir })).rejects.toMatchObject({ code: 'ACKNOWLEDGEMENT_NEEDED', details: smallChanges })
  const some = generate({ schema: small, dir, acknowledge: ['drop-table:team', 'drop-table:other'] })
  await expect(some).rejects.toMatchObject({ details: ['drop-column:user.nick'] })
  const { written } = await generate({ schema: small, dir, acknowledge: smallChanges })
  expect(await readFile(written?.paths[0] ?? '', 'utf8')).toContain(`-- acknowledged: ${smallChanges.join(', ')}\n`)
})

test('rejects an added column that existing rows have no value for', async () => {
  const dir = await openFolder()
  await generate({ schema: small, dir })
  const failing = generate({ schema: declare({ user: { id: id(), at: timestamp(), n: integer({ default: 1 }) } }), dir })
  await expect(failing).rejects.toMatchObject({ code: 'COLUMN_NEEDS_DEFAULT', details: ['add-column:user.at'] })
})

test('rejects a changed primary key', async () => {
  const dir = await openFolder()
  await generate({ schema: small, dir })
  const failing = generate({ schema: declare({ user: { key: id() } }), dir, acknowledge: ['drop-column:user.id'] })
  await expect(failing).rejects.toMatchObject({ code: expect.stringMatching(/PRIMARY_KEY_CHANGED|COLUMN_NEEDS_DEFAULT/) })
})

test.each([
  ['Add Teams!', '0001_add-teams'],
  ['../../etc', '0001_etc'],
  ['ä', null],
])('turns the name %s into a safe file name', async (name, expected) => {
  const dir = await openFolder()
  const generated = generate({ schema: small, dir, name })
  if (expected === null) await expect(generated).rejects.toMatchObject({ code: 'FILES_INVALID' })
  else expect((await generated).written?.name).toBe(expected)
})

test('reads the migrations it wrote', async () => {
  const dir = await openFolder()
  await generate({ schema: small, dir })
  const { sql } = await generate({ schema: large, dir })
  const [first, second] = await readMigrations(dir)
  expect([first?.schema, second?.schema].map((schema) => schema && digestOf(schema))).toEqual([small, large].map(digestOf))
  expect(second?.up.map((statement) => [statement.change?.name, statement.sql])).toEqual(
    largeChanges.map((name, position) => [name, sql[position]]),
  )
  expect(second?.down.map((statement) => statement.change)).toEqual([
    { name: 'drop-column:user.nick', class: 'destructive' },
    { name: 'drop-table:team', class: 'destructive' },
  ])
})

test('finds no migrations in a missing folder', async () => {
  expect(await readMigrations('/no/such/folder')).toEqual([])
})

test.each<[string, (dir: string) => Promise<unknown>, RegExp]>([
  ['the snapshot is missing', (dir) => rm(join(dir, 'snapshot.json')), /commit that added 0001_a.sql/],
  ['the snapshot is empty', (dir) => writeFile(join(dir, 'snapshot.json'), '{}'), /does not have a supported snapshot format/],
  ['the snapshot was changed', (dir) => edit(dir, (text) => text.replace('nick', 'name'), 'snapshot.json'), /commit that added/],
  ['a number is missing', (dir) => rm(join(dir, '0001_a.sql')), /number 1, before 0002_b, is missing/],
  [
    'a number is used twice',
    (dir) => rename(join(dir, '0002_b.sql'), join(dir, '0001_b.sql')),
    /Two migrations have the number 1/,
  ],
  ['a file has another name', (dir) => writeFile(join(dir, 'notes.sql'), ''), /notes.sql does not have a name/],
  ['a section is missing', (dir) => edit(dir, (text) => text.replace('-- down', '')), /must have the sections/],
  ['a statement does not end', (dir) => edit(dir, (text) => text.replace(/;\n$/, '\n')), /must end with a semicolon/],
])('rejects the files when %s', async (_, harm, message) => {
  const dir = await openFolder()
  await generate({ schema: small, dir, name: 'a' })
  await generate({ schema: large, dir, name: 'b' })
  await harm(dir)
  await expect(readMigrations(dir)).rejects.toMatchObject({ code: 'FILES_INVALID', message: expect.stringMatching(message) })
})

async function edit(dir: string, change: (text: string) => string, name = '0002_b.sql'): Promise<void> {
  const path = join(dir, name)
  await writeFile(path, change(await readFile(path, 'utf8')))
}

test('parses statements written by hand, with semicolons inside and without a change', () => {
  const text =
    "-- up\n\n-- fill it\nupdate user\n  set nick = 'a;b'\n  where nick = '';\n-- add-index:user.x (safe)\n-- later\nselect 1;\n\n-- drop-table:user (destructive)\ndrop table user;\n-- down\n"
  const { up, down } = parseSections('x', text)
  expect(up.map(({ sql, change }) => [sql, change?.name])).toEqual([
    ["update user\n  set nick = 'a;b'\n  where nick = ''", undefined],
    ['select 1', undefined],
    ['drop table user', 'drop-table:user'],
  ])
  expect(down).toEqual([])
})

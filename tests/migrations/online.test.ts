/** Changes of a filled table: the server accepts each with its algorithm and lock, so that writes go on while it runs. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  bigint,
  type Columns,
  id,
  index,
  integer,
  json,
  nullable,
  references,
  string,
  type Tables,
  text,
  timestamp,
  unique,
} from '../../src/core/table.ts'
import { withMigrationSession } from '../../src/migrate/execute.ts'
import { declareSchema, generate, status, up } from '../../src/migrate/index.ts'
import { openPlace, type Place } from './kit.ts'

const target = ({ db, dialect, dir }: Place) => ({ db, dialect, dir, holder: 'the test' })
const declare = (columns: Columns, indexes = {}, more: Tables = {}) =>
  declareSchema([{ tables: { user: { id: id() }, item: { id: id(), ...columns }, ...more }, indexes }])

/** The next migration, with its losses acknowledged. */
const write = (place: Place, schema: ReturnType<typeof declare>) =>
  generate({ schema, dir: place.dir, acknowledge: ['drop-column:item.n', 'drop-table:extra', 'change-column:item.n'] })

/** A table with rows. @param count a power of two */
async function filled(from: ReturnType<typeof declare>, count = 64): Promise<Place> {
  const place = await openPlace()
  await write(place, from)
  await up(target(place))
  await sql`insert into user (id) values ('u')`.execute(place.db)
  const has = (name: string) => from.tables.item?.columns[name]
  const columns = ['id', ...(has('n') && !has('n')?.nullable ? ['n'] : [])].map((name) => sql.ref(name))
  const values = (n: number) => sql.join([`i${n}`, ...(columns.length > 1 ? [n] : [])])
  await sql`insert into item (${sql.join(columns)}) values (${values(0)})`.execute(place.db)
  for (let rows = 1; rows < count; rows *= 2) {
    const next = columns.map((column, at) =>
      at === 0 ? sql`concat('i', cast(substr(id, 2) as unsigned) + ${rows})` : sql`${column} + ${rows}`,
    )
    await sql`insert into item (${sql.join(columns)}) select ${sql.join(next)} from item`.execute(place.db)
  }
  return place
}

const number = (more: Columns[string] = integer()): Columns => ({ n: more })

/** What the server must accept; `copy` is not online. */
const kinds: [string, ReturnType<typeof declare>, ReturnType<typeof declare>, RegExp][] = [
  ['adds a nullable column', declare({}), declare({ n: nullable(text()) }), /algorithm=instant/],
  ['adds a column with a default', declare({}), declare(number(integer({ default: 3 }))), /algorithm=instant/],
  ['adds a nullable JSON column', declare({}), declare({ n: nullable(json()) }), /algorithm=instant/],
  ['drops a column', declare(number(nullable(integer()))), declare({}), /algorithm=instant/],
  [
    'drops a column with an index',
    declare(number(nullable(integer())), { item: [index('n')] }),
    declare({}),
    /algorithm=instant/,
  ],
  ['drops a column with a foreign key', declare({ n: nullable(references('user')) }), declare({}), /algorithm=instant/],
  ['makes a column nullable', declare(number()), declare(number(nullable(integer()))), /algorithm=inplace, lock=none/],
  ['changes a default', declare(number(integer({ default: 1 }))), declare(number(integer({ default: 2 }))), /algorithm=instant/],
  [
    'lengthens a short text',
    declare({ n: nullable(string({ length: 20 })) }),
    declare({ n: nullable(string({ length: 60 })) }),
    /algorithm=inplace, lock=none/,
  ],
  ['adds an index', declare(number()), declare(number(), { item: [index('n')] }), /algorithm=inplace, lock=none/],
  ['drops an index', declare(number(), { item: [index('n')] }), declare(number()), /algorithm=inplace, lock=none/],
  ['adds a unique key', declare(number()), declare(number(unique(integer()))), /algorithm=inplace, lock=none/],
  [
    'adds a foreign key with its column',
    declare({}),
    declare({ n: nullable(references('user')) }),
    /foreign key.*algorithm=inplace, lock=none/,
  ],
  [
    'adds a foreign key to a column with rows',
    declare({ n: nullable(string({ length: 36 })) }),
    declare({ n: nullable(references('user')) }),
    /foreign key.*algorithm=inplace, lock=none/,
  ],
  [
    'adds a table that refers to one',
    declare({}),
    declare({}, {}, { extra: { id: id(), userId: references('user') } }),
    /create table/,
  ],
  ['drops a table', declare({}, {}, { extra: { id: id(), at: timestamp() } }), declare({}), /drop table/],
]

describe('online', () => {
  test.each(kinds)('%s', async (_, from, to, clause) => {
    const place = await filled(from)
    const { sql: statements } = await write(place, to)
    expect(statements.join('\n')).toMatch(clause)
    expect(statements.join('\n')).not.toMatch(/algorithm=copy/)
    const writer = sql`insert into user (id) values (uuid())`
    await up({
      ...target(place),
      onStatement: async ({ phase }) => void (phase === 'started' && (await writer.execute(place.db))),
    })
    expect(await status({ ...target(place), schema: to })).toMatchObject({ drift: [], pending: [], interrupted: [] })
  })

  test('changes a column in place when the server cannot do it instantly', async () => {
    const place = await filled(declare({}))
    await withMigrationSession(place.db, async (session) => {
      const { execute } = await import('../../src/migrate/execute.ts')
      const run = (text: string) => execute(session.connection, text, { session, errors: place.dialect.errors })
      // Both servers add and drop an index in place only.
      await run('alter table item add index later (id), algorithm=instant')
      await expect(run('alter table item modify id varchar(300) not null, algorithm=instant')).rejects.toMatchObject({
        errno: 1846,
      })
    })
    expect((await sql`show index from item where Key_name = 'later'`.execute(place.db)).rows).toHaveLength(1)
  })
})

const withKey = declare({ n: nullable(references('user')) })
const withoutKey = declare({ n: nullable(string({ length: 36 })) }, { item: [index('n')] })

describe('a foreign key over rows that refer to no row', () => {
  async function orphaned() {
    const place = await filled(withoutKey)
    await sql`update item set n = if(id = 'i7', 'gone', 'u') where id < 'i9'`.execute(place.db)
    await write(place, withKey)
    return place
  }

  test('is not added, until they are corrected', async () => {
    const place = await orphaned()
    const orphans = { code: 'ORPHANS', exitCode: 5, message: expect.stringContaining("such as 'gone'") }
    await expect(up(target(place))).rejects.toMatchObject(orphans)
    await expect(up(target(place))).rejects.toMatchObject(orphans)
    const { rows } = await sql<{ checks: number }>`select @@session.foreign_key_checks as checks`.execute(place.db)
    expect(Number(rows[0]?.checks)).toBe(1)
    await sql`update item set n = null where n = 'gone'`.execute(place.db)
    await up(target(place))
    expect(await status({ ...target(place), schema: withKey })).toMatchObject({ drift: [], pending: [] })
    await expect(sql`update item set n = 'gone'`.execute(place.db)).rejects.toMatchObject({ errno: 1452 })
  })

  test('is checked after a run that was killed between adding and checking it', async () => {
    const place = await orphaned()
    await expect(up(target(place))).rejects.toMatchObject({ code: 'ORPHANS' })
    await place.db.connection().execute(async (db) => {
      await sql`set session foreign_key_checks = 0`.execute(db)
      await sql`alter table item add constraint item_n_fk foreign key (n) references user (id) on delete cascade`.execute(db)
      await sql`set session foreign_key_checks = 1`.execute(db)
    })
    await expect(up(target(place))).rejects.toMatchObject({ code: 'ORPHANS' })
    expect((await status({ ...target(place), schema: withKey })).pending).toHaveLength(1)
  })
})

test('a copy of a large table needs an acknowledgement, which names rows and seconds', async () => {
  const place = await filled(declare(number()), 16_384)
  await write(place, declare(number(bigint())))
  await expect(up(target(place))).rejects.toMatchObject({
    code: 'COPY_NEEDED',
    exitCode: 5,
    message: expect.stringMatching(/copy the table item, or may do so: about 1\d{4} rows, which takes about 1 to 2 s/),
    details: ['copy:item.n'],
  })
  expect((await status({ ...target(place), schema: declare(number(bigint())) })).interrupted).toEqual([])
  await up({ ...target(place), acknowledge: ['copy:item.n'] })
  await place.expectSchema(declare(number(bigint())))
})

describe('a statement written by hand', () => {
  /** In the next migration, after one that the generator writes. */
  async function byHand(statement: string, count = 16_384): Promise<Place> {
    const place = await filled(declare(number()), count)
    await write(place, declare({ ...number(), m: nullable(integer()) }))
    const path = join(place.dir, (await readdir(place.dir)).filter((name) => /^0002_.*sql$/.test(name))[0] ?? '')
    await writeFile(path, (await readFile(path, 'utf8')).replace('\n-- down\n', `\n${statement};\n\n-- down\n`))
    return place
  }
  const refused: [string, string, string, string][] = [
    ['names no algorithm', 'alter table item modify n bigint not null', 'COPY_NEEDED', 'copy:item'],
    ['takes a lock', 'alter table item add index (n), algorithm=inplace, lock=shared', 'COPY_NEEDED', 'copy:item'],
    ['creates an index', 'create index item_n on item (n)', 'COPY_NEEDED', 'copy:item'],
    ['rebuilds a table', 'optimize table `item`', 'COPY_NEEDED', 'copy:item'],
    ['changes all rows', 'update item set m = n', 'SLICES_NEEDED', 'rows:item'],
    ['deletes rows', 'delete from item where n > 3', 'SLICES_NEEDED', 'rows:item'],
    ['reads all rows', 'insert into user (id) select id from item', 'SLICES_NEEDED', 'rows:item'],
    ['changes rows of a join', 'update user join item on user.id = item.id set m = 1', 'SLICES_NEEDED', 'rows:item'],
  ]
  test.each(refused)('that %s needs an acknowledgement for a large table', async (_, statement, code, name) => {
    const place = await byHand(statement)
    await expect(up(target(place))).rejects.toMatchObject({ code, exitCode: 5, details: [name] })
    const { interrupted, pending } = await status({ ...target(place), schema: declare(number()) })
    expect([interrupted, pending.length]).toEqual([[], 1])
    await up({ ...target(place), acknowledge: [name] })
  })

  test.each([
    ['names its algorithm', 'create index item_n on item (n) algorithm=inplace lock=none'],
    ['inserts values', "insert into user (id) values ('item')"],
    ['is repeated in slices', 'update item set m = n where m is null limit 1000'],
    ['deletes in slices', 'delete from item limit 4096'],
  ])('that %s needs none', async (_, statement) => {
    const place = await byHand(statement)
    await up(target(place))
    const { rows } = await sql<{ left: number }>`select count(*) as ${sql.ref('left')} from item where m is null`.execute(
      place.db,
    )
    expect(Number(rows[0]?.left) === 0).toBe(/limit/.test(statement))
  })

  test('in slices continues after it was interrupted', async () => {
    const place = await byHand('update item set m = n where m is null limit 4096')
    const stop = new AbortController()
    let slices = 0
    const watch = async () => {
      slices += 1
      if (slices === 2) stop.abort()
    }
    const db = place.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.numAffectedRows === 4096n) await watch()
        return result
      },
    })
    await expect(up({ ...target(place), db, signal: stop.signal })).rejects.toThrow()
    expect(slices).toBe(2)
    await up(target(place))
    expect((await sql`select 1 from item where m is null limit 1`.execute(place.db)).rows).toEqual([])
  })

  test('in slices fails when it finds the same rows again', async () => {
    const place = await byHand('update item set m = 7 limit 100', 256)
    await expect(up(target(place))).rejects.toMatchObject({
      code: 'STATEMENT_FAILED',
      message: expect.stringContaining('finds rows that it does not change'),
    })
  })
})

test('an index is built with a larger buffer, which later statements of the connection do not have', async () => {
  const place = await openPlace()
  const read = async (db: Place['db']) => {
    const { rows } = await sql<{ Value: string }>`show session variables like 'innodb_ddl_buffer_size'`.execute(db)
    return rows[0] === undefined ? null : Number(rows[0].Value)
  }
  const before = await read(place.db)
  await withMigrationSession(place.db, async ({ connection }) => {
    const during = await read(connection)
    expect(during === null || (during >= 1_048_576 && during <= 268_435_456 && during > (before ?? 0))).toBe(true)
  })
  expect(await read(place.db)).toBe(before)
})

test('a drop is rejected while daemons may run that register nothing, until the operator says that none does', async () => {
  const place = await filled(declare(number(nullable(integer()))))
  await sql`drop table latchkey_daemon`.execute(place.db)
  await write(place, declare({}))
  const unseen = { code: 'DAEMONS_UNSEEN', exitCode: 5, details: ['unseen-daemons'] }
  await expect(up(target(place))).rejects.toMatchObject(unseen)
  await expect(up(target(place))).rejects.toMatchObject(unseen)
  await up({ ...target(place), acknowledge: ['unseen-daemons'] })
  await place.expectSchema(declare({}))
  expect((await sql`select id from latchkey_daemon`.execute(place.db)).rows).toEqual([])
})

test('a worker that registers in a form of a later version uses everything', async () => {
  const place = await filled(declare(number(nullable(integer()))))
  await sql`insert into latchkey_daemon values ('w', 'web-2', 7, 1, '{"form":2}', utc_timestamp(3))`.execute(place.db)
  await write(place, declare({}))
  const inUse = { code: 'IN_USE', message: expect.stringContaining('web-2 (process 7)'), details: ['in-use:item.n'] }
  await expect(up(target(place))).rejects.toMatchObject(inUse)
})

test('a refused drop names the workers that stay, and not those that their daemon is replacing', async () => {
  const place = await filled(declare(number(nullable(integer()))))
  const uses = JSON.stringify(['item', 'item.n'])
  await sql`insert into latchkey_daemon values ('a', 'web-1', 5, 1, ${uses}, utc_timestamp(3)),
    ('b', 'web-1', 5, 2, '["item"]', utc_timestamp(3)), ('c', 'web-2', 7, 1, ${uses}, utc_timestamp(3))`.execute(place.db)
  await write(place, declare({}))
  const message = expect.stringMatching(/^The daemon on web-2 \(process 7\) still uses item\.n\./)
  await expect(up(target(place))).rejects.toMatchObject({ code: 'IN_USE', message })
})

/** How values are stored and compared. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type GetProbe, row } from './probe.ts'

/** Pairs that a linguistic collation would treat as equal. */
const lookalikes = [
  ['case', 'ann', 'Ann'],
  ['an accent', 'ann', 'änn'],
  ['width', 'ann', 'ａnn'],
  ['composition', 'é', 'e\u0301'],
  ['a space at the end', 'ann', 'ann '],
  ['ligature', 'strasse', 'straße'],
  ['an invisible character', 'ann', 'ann\u200b'],
] as const

export function describeComparison(open: GetProbe): void {
  test.each(lookalikes)('distinguishes unique keys that differ in %s', async (_, one, other) => {
    const { db } = open()
    await db
      .insertInto('probe')
      .values([row('1', one), row('2', other)])
      .execute()
    expect(await db.selectFrom('probe').select('name').where('name', '=', one).execute()).toEqual([{ name: one }])
    expect(await db.selectFrom('probe').select('name').where('name', '=', other).execute()).toEqual([{ name: other }])
  })

  test.each(lookalikes)('finds no row by an id that differs in %s', async (_, one, other) => {
    const { db } = open()
    await db.insertInto('probe').values(row(one, 'a')).execute()
    expect(await db.selectFrom('probe').select('id').where('id', '=', other).execute()).toEqual([])
    expect(await db.selectFrom('probe').select('id').where('id', 'in', [other, 'x']).execute()).toEqual([])
  })

  test('reports a duplicate as a unique violation that is not retryable', async () => {
    const { db, database } = open()
    await db.insertInto('probe').values(row('1', 'same')).execute()
    const failure: unknown = await db
      .insertInto('probe')
      .values(row('2', 'same'))
      .execute()
      .catch((error: unknown) => error)
    const { isUniqueViolation, isRetryable, isUnreachable, isTimeout } = database.errors
    expect([isUniqueViolation, isRetryable, isUnreachable, isTimeout].map((is) => is(failure))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('sorts texts by their bytes', async () => {
    const { db } = open()
    await db
      .insertInto('probe')
      .values(['b', 'B', 'ä', 'a', 'Z'].map((name) => row(name, name)))
      .execute()
    const found = await db.selectFrom('probe').select('name').orderBy('name').execute()
    expect(found.map(({ name }) => name)).toEqual(['B', 'Z', 'a', 'b', 'ä'])
  })
}

export function describeValues(open: GetProbe): void {
  test.each([
    '2024-02-29T23:59:59.987Z',
    '1970-01-01T00:00:00.001Z',
    '1969-07-20T20:17:40.123Z',
    '2026-03-29T01:30:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ])('stores the time %s to the millisecond', async (text) => {
    const { db } = open()
    await db
      .insertInto('probe')
      .values({ ...row('1'), at: new Date(text) })
      .execute()
    const found = await db.selectFrom('probe as p').select('p.at as moment').where('at', '=', new Date(text)).execute()
    expect(found).toEqual([{ moment: new Date(text) }])
  })

  test('compares times as times', async () => {
    const { db } = open()
    const moments = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.010Z'].map(
      (text) => new Date(text),
    )
    await db
      .insertInto('probe')
      .values(moments.map((at, position) => ({ ...row(String(position)), at })))
      .execute()
    const later = db.selectFrom('probe').select('id').where('at', '>', new Date('2026-01-01T00:00:00.000Z')).orderBy('at', 'desc')
    expect((await later.execute()).map(({ id }) => id)).toEqual(['2', '1'])
  })

  test.each([true, false])('stores the boolean %s, also through an alias and a join', async (active) => {
    const { db } = open()
    await db
      .insertInto('probe')
      .values({ ...row('1'), active })
      .execute()
    await db.insertInto('kept').values({ id: 'k', probeId: '1' }).execute()
    const found = await db
      .selectFrom('kept')
      .innerJoin('probe as p', 'p.id', 'kept.probeId')
      .select('p.active as on')
      .where('p.active', '=', active)
      .execute()
    expect(found).toEqual([{ on: active }])
  })

  test('returns JSON parsed, with whole numbers exact to 2^53 - 1 and every character of texts', async () => {
    const { db } = open()
    const data = { list: [1, 2.5, null, true, '"\\\''], 'ключ 🔑': { deep: {} } }
    const note = `tab\t line\n quote' double" back\\slash null\u0000 %_ ${'🔑'.repeat(100)}`
    await db
      .insertInto('probe')
      .values({
        ...row('1', 'O\'Brien \\ " 🔑'),
        note,
        total: Number.MAX_SAFE_INTEGER,
        count: -2_147_483_648,
        data: JSON.stringify(data),
      })
      .execute()
    const [found] = await db.selectFrom('probe').selectAll().execute()
    expect(found).toEqual({
      id: '1',
      name: 'O\'Brien \\ " 🔑',
      note,
      total: Number.MAX_SAFE_INTEGER,
      count: -2_147_483_648,
      data,
      active: true,
      at: null,
    })
  })

  test('returns counts and sums as numbers', async () => {
    const { db } = open()
    await db
      .insertInto('probe')
      .values([
        { ...row('1'), total: 2 },
        { ...row('2'), total: 3 },
      ])
      .execute()
    const counted = db.selectFrom('probe').select((eb) => [eb.fn.countAll().as('rows'), eb.fn.sum('total').as('sum')])
    expect(await counted.execute()).toEqual([{ rows: 2, sum: 5 }])
  })

  test.each([
    ['an object', { a: 1 }],
    ['a list', ['a']],
    ['no number', Number.NaN],
    ['no date', new Date(Number.NaN)],
  ])('rejects %s as a value', async (_, value) => {
    const { db } = open()
    const query = db.updateTable('probe').set({ note: value as never })
    await expect(query.execute()).rejects.toThrow(/A value of this type cannot be sent/)
  })
}

export function describeSearches(open: GetProbe): void {
  /** Seconds of work for a few rows. SQLite keeps the order of a cross join, so that the innermost rows are those that are checked. */
  const combinations = [...'abcdefgh'].map((letter) => `probe ${letter}`).join(' cross join ')

  test('ends a query at its time limit, and the next one works', async () => {
    const { db, app, database } = open()
    await db
      .insertInto('probe')
      .values(Array.from({ length: 40 }, (_, position) => row(String(position), `name ${position}`)))
      .execute()
    const { condition, apply } = app.database.limitTime(200)
    const query = sql`select count(*) from ${sql.raw(combinations)} where ${condition('h.id')} and h.name <> g.name`
    const failure: unknown = await app.db.executeQuery(apply(query.compile(app.db))).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(database.errors.isTimeout(failure)).toBe(true)
    expect(database.errors.isUnreachable(failure)).toBe(false)
    const quick = app.database.limitTime(5000)
    const found = sql<{ id: string }>`select id from probe where ${quick.condition('probe.id')} and name = ${'name 7'}`
    expect((await app.db.executeQuery(quick.apply(found.compile(app.db)))).rows).toEqual([{ id: '7' }])
  })

  test('estimates the rows of a table', async () => {
    const { app } = open()
    expect(await app.database.estimateRows(app.db, 'probe')).toBeGreaterThanOrEqual(0)
  })

  test('knows the lower case of letters beyond ASCII', async () => {
    const { db } = open()
    await db.insertInto('probe').values(row('1', 'ÄÉ Ω Ж')).execute()
    const found = await db.selectFrom('probe').select(sql<string>`lower(name)`.as('lower')).execute()
    expect(found).toEqual([{ lower: 'äé ω ж' }])
  })
}

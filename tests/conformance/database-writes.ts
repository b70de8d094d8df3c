/** What holds when rows depend on each other, and when many write at once. */
import { expect, test } from 'vitest'
import { type GetProbe, type Probe, probes, row } from './probe.ts'

export function describeForeignKeys(open: GetProbe): void {
  test('a row cannot refer to a row that does not exist', async () => {
    const { db } = open()
    await expect(db.insertInto('kept').values({ id: 'k', probeId: 'nobody' }).execute()).rejects.toThrow(/foreign key/i)
  })

  test('deleting a row removes, frees or keeps what refers to it, as declared', async () => {
    const { db } = open()
    await db
      .insertInto('probe')
      .values([row('1'), row('2')])
      .execute()
    await db
      .insertInto('removed')
      .values({ id: 'r', probeId: '1', at: new Date(0) })
      .execute()
    await db.insertInto('freed').values({ id: 'f', probeId: '1' }).execute()
    await db.insertInto('kept').values({ id: 'k', probeId: '2' }).execute()
    await db.deleteFrom('probe').where('id', '=', '1').execute()
    expect(await db.selectFrom('removed').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('freed').selectAll().execute()).toEqual([{ id: 'f', probeId: null }])
    await expect(db.deleteFrom('probe').where('id', '=', '2').execute()).rejects.toThrow(/foreign key/i)
  })
}

export function describeWrites(open: GetProbe, openAnother: () => Promise<Probe>): void {
  test('affected rows are those that matched, changed or not', async () => {
    const { db } = open()
    await db
      .insertInto('probe')
      .values([row('1'), row('2')])
      .execute()
    const update = (id: string) => db.updateTable('probe').set({ count: 7 }).where('id', '=', id).executeTakeFirst()
    expect((await update('1')).numUpdatedRows).toBe(1n)
    expect((await update('1')).numUpdatedRows).toBe(1n)
    expect((await update('3')).numUpdatedRows).toBe(0n)
    expect((await db.deleteFrom('probe').executeTakeFirst()).numDeletedRows).toBe(2n)
  })

  test('of 64 who delete a row at once, over two pools, one succeeds', async () => {
    const { db } = open()
    const other = await openAnother()
    await db.insertInto('probe').values(row('once')).execute()
    const handles = Array.from({ length: 64 }, (_, position) => (position % 2 ? db : probes(other.app)))
    const results = await Promise.all(
      handles.map((handle) => handle.deleteFrom('probe').where('id', '=', 'once').executeTakeFirst()),
    )
    await other.close()
    expect(results.filter(({ numDeletedRows }) => numDeletedRows === 1n)).toHaveLength(1)
  })

  test('of 64 who take from a stock of 10 at once, 10 succeed', async () => {
    const { db } = open()
    await db
      .insertInto('probe')
      .values({ ...row('stock'), count: 10 })
      .execute()
    const take = () =>
      db
        .updateTable('probe')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('id', '=', 'stock')
        .where('count', '>', 0)
        .executeTakeFirst()
    const results = await Promise.all(Array.from({ length: 64 }, take))
    expect(results.filter(({ numUpdatedRows }) => numUpdatedRows === 1n)).toHaveLength(10)
    expect(await db.selectFrom('probe').select('count').execute()).toEqual([{ count: 0 }])
  })

  test('rows can be read as a stream', async () => {
    const { db } = open()
    await db
      .insertInto('probe')
      .values(Array.from({ length: 250 }, (_, position) => row(`s${position}`)))
      .execute()
    const ids = new Set<string>()
    for await (const { id, active } of db.selectFrom('probe').select(['id', 'active']).stream()) if (active) ids.add(id)
    for await (const { id } of db.selectFrom('probe').select('id').stream()) {
      ids.add(id)
      break
    }
    expect(ids.size).toBe(250)
    expect(await db.selectFrom('probe').select('id').limit(1).execute()).toHaveLength(1)
  })
}

/** Foreign keys, unique keys and concurrent writes. */
import { expect, test } from 'vitest'
import { type GetProbe, type Probe, probes, row } from './probe.ts'

export function describeForeignKeys(open: GetProbe): void {
  test('rejects a reference to a missing row', async () => {
    const { db } = open()
    await expect(db.insertInto('kept').values({ id: 'k', probeId: 'missing' }).execute()).rejects.toThrow(/foreign key/i)
  })

  test('deletes, clears or keeps references to a deleted row, as declared', async () => {
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
  test('counts matched rows as affected, changed or not', async () => {
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

  test('lets one of 64 concurrent deletes of a row succeed, over two pools', async () => {
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

  test('lets 10 of 64 concurrent conditional updates of a stock of 10 succeed', async () => {
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

  test('streams rows', async () => {
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

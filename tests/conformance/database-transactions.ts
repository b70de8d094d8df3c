/** Transactions, work after their commit, and prepared statements. */
import { expect, test } from 'vitest'
import { statement } from '../../src/core/statement.ts'
import { afterCommit, transaction } from '../../src/core/transaction.ts'
import { type GetProbe, probes, row } from './probe.ts'

export function describeTransactions(open: GetProbe): void {
  test('rolls back a transaction that throws', async () => {
    const { app, db } = open()
    const failing = transaction(app, async (app) => {
      await probes(app).insertInto('probe').values(row('1')).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await db.selectFrom('probe').select('id').execute()).toEqual([])
  })

  test('joins a nested transaction to the outer one and rolls back both', async () => {
    const { app, db } = open()
    const failing = transaction(app, async (app) => {
      await transaction(app, (app) => probes(app).insertInto('probe').values(row('1')).execute())
      expect(await probes(app).selectFrom('probe').select('id').execute()).toHaveLength(1)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await db.selectFrom('probe').select('id').execute()).toEqual([])
  })

  test('runs work after the commit in order, and never after a rollback', async () => {
    const { app, db } = open()
    const seen: string[] = []
    await transaction(app, async (app) => {
      await afterCommit(
        app,
        async () => void seen.push(`first sees ${(await db.selectFrom('probe').select('id').execute()).length}`),
      )
      await transaction(app, (app) => afterCommit(app, async () => void seen.push('second')))
      await probes(app).insertInto('probe').values(row('1')).execute()
      seen.push('work')
    })
    const failing = transaction(app, async (app) => {
      await afterCommit(app, async () => void seen.push('never'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await afterCommit(app, async () => void seen.push('outside'))
    expect(seen).toEqual(['work', 'first sees 1', 'second', 'outside'])
  })

  test('logs a failure after the commit, which stands', async () => {
    const { app, db, lines } = open()
    await transaction(app, async (app) => {
      await probes(app).insertInto('probe').values(row('1')).execute()
      await afterCommit(app, () => Promise.reject(new Error('mail is unavailable')))
    })
    expect(await db.selectFrom('probe').select('id').execute()).toHaveLength(1)
    expect(lines.at(-1)).toMatchObject({ level: 'error', fields: { err: { message: 'mail is unavailable' } } })
  })
}

const findByNames = statement(
  { one: 'probe', parent: 'probe' } as unknown as { one: 'user'; parent: 'user' },
  (db, { names }: { names: readonly string[] }) =>
    probes({ db })
      .selectFrom('probe as one')
      .innerJoin('probe as parent', 'parent.id', 'one.note')
      .where('one.name', 'in', names)
      .orderBy('one.id')
      .limit(10),
)

export function describeStatements(open: GetProbe): void {
  const full = {
    active: false,
    count: 3,
    total: Number.MAX_SAFE_INTEGER,
    at: new Date('2026-02-03T04:05:06.007Z'),
    data: JSON.stringify({ a: ['🔑'] }),
  }

  test('returns the same rows from a statement and a query', async () => {
    const { app, db } = open()
    // One insert each: rows of one insert must name the same columns, or SQLite puts null where the others put the default.
    await db
      .insertInto('probe')
      .values({ ...row('1', 'a 🔑'), ...full, note: '2' })
      .execute()
    await db.insertInto('probe').values(row('2', 'b')).execute()
    await db
      .insertInto('probe')
      .values({ ...row('3', 'c'), note: '1' })
      .execute()
    const rows = await db.selectFrom('probe').selectAll().orderBy('id').execute()
    const found = await findByNames(app, { names: ['a 🔑', 'c'] })
    expect(found).toEqual([
      { one: rows[0], parent: rows[1] },
      { one: rows[2], parent: rows[0] },
    ])
    expect(await findByNames(app, { names: ['a 🔑'] })).toEqual([{ one: rows[0], parent: rows[1] }])
    expect(await findByNames(app, { names: ['é', 'x', 'c '] })).toEqual([])
  })

  test('reads uncommitted rows of its own transaction in a statement', async () => {
    const { app } = open()
    await transaction(app, async (app) => {
      await probes(app)
        .insertInto('probe')
        .values({ ...row('1', 'new'), note: '1' })
        .execute()
      expect(await findByNames(app, { names: ['new'] })).toMatchObject([{ one: { id: '1' } }])
    })
  })
}

/** A lease has one holder at a time, on any database and with any number of processes. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { acquireLease, createLeaseTable, findLeaseHolder, type Lease } from '../../src/adapters/database/lease.ts'
import { type OpenDatabase, openDatabase } from '../../src/adapters/database/open.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { createFile } from './probe.ts'

describe.each([
  ['the database server', freshDatabase],
  ['SQLite', createFile],
] as const)('a lease in %s', (_, create) => {
  let place: { url: string; drop(): Promise<void> }
  let database: OpenDatabase
  beforeAll(async () => {
    place = await create()
    database = openDatabase({ url: place.url, poolSize: 8, connectTimeout: 5000, queryTimeout: 5000 })
    await createLeaseTable(database.db)
    await createLeaseTable(database.db)
  })
  afterAll(async () => {
    await database?.close()
    await place?.drop()
  })
  beforeEach(() => sql`delete from latchkey_lease`.execute(database.db))

  const options = (holder: string, ttl: number) => ({
    db: database.db,
    errors: database.errors,
    clock: database.dialect.clock,
    name: 'x',
    holder,
    ttl,
  })
  async function acquire(holder: string, ttl = 5000): Promise<Lease | null> {
    const lease = await acquireLease(options(holder, ttl))
    onTestFinished(async () => lease?.release())
    return lease
  }
  /** The lease after its holder was killed: it is not renewed. */
  async function abandon(holder: string, ttl: number): Promise<void> {
    await acquire(holder, ttl)
    await sql`update latchkey_lease set holder = 'dead'`.execute(database.db)
  }
  const take = (holder: string) => expect.poll(() => acquire(holder).then((lease) => lease !== null))

  test('is acquired by one of 32 concurrent requests', async () => {
    const leases = await Promise.all(Array.from({ length: 32 }, (_, position) => acquire(`holder ${position}`)))
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1)
  })

  test('is acquired by one of 32 concurrent requests after its release', async () => {
    await (await acquire('first'))?.release()
    expect(await findLeaseHolder(options('', 1))).toBeNull()
    const leases = await Promise.all(Array.from({ length: 32 }, (_, position) => acquire(`holder ${position}`)))
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1)
  })

  test('reports its holder, and cannot be acquired by others', async () => {
    await acquire('first')
    expect(await findLeaseHolder(options('', 1))).toBe('first')
    expect(await acquire('second')).toBeNull()
    expect(await acquire('first')).toBeNull()
  })

  test('expires after its holder has died, not before', async () => {
    await abandon('first', 2000)
    expect(await acquire('second')).toBeNull()
    await take('second').toBe(true)
    expect(await findLeaseHolder(options('', 1))).toBe('second')
  })

  test('is renewed while its holder lives', async () => {
    // Long enough that a machine that stands still for a second does not end it.
    const lease = await acquire('first', 4000)
    const expiry = async () => JSON.stringify((await sql`select * from latchkey_lease`.execute(database.db)).rows)
    const seen = new Set([await expiry()])
    await expect.poll(async () => seen.add(await expiry()).size).toBe(3)
    expect(lease?.lost.aborted).toBe(false)
    expect(await acquire('second')).toBeNull()
  })

  test('notifies its holder when another process has acquired it', async () => {
    const lease = await acquire('first')
    await sql`update latchkey_lease set holder = 'thief'`.execute(database.db)
    await expect(lease?.check()).rejects.toThrow('acquired by another process')
    expect(lease?.lost.aborted).toBe(true)
  })

  test('is lost to its holder when it expires because it cannot be renewed', async () => {
    const lease = await acquire('first', 300)
    await sql`alter table latchkey_lease rename to elsewhere`.execute(database.db)
    await expect.poll(() => lease?.lost.aborted).toBe(true)
    await sql`alter table elsewhere rename to latchkey_lease`.execute(database.db)
  })

  test('stays with its next holder when the previous one releases it', async () => {
    const lease = await acquire('first')
    await sql`update latchkey_lease set holder = 'second'`.execute(database.db)
    await lease?.release()
    expect(await findLeaseHolder(options('', 1))).toBe('second')
  })
})

import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, freshDatabase } from './databases.ts'
import { sharedServers } from './shared.ts'

async function query(url: string, text: string): Promise<RowDataPacket[]> {
  const connection = await createConnection(url)
  try {
    const [rows] = await connection.query<RowDataPacket[]>(text)
    return rows
  } finally {
    connection.destroy()
  }
}

describe('a fresh database', () => {
  let database: Database
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  test('is empty and used by one test only', async () => {
    const other = await freshDatabase()
    await query(other.url, 'CREATE TABLE t (id int)')
    expect(await query(database.url, 'SHOW TABLES')).toEqual([])
    await other.drop()
  })

  test('is removed by drop, with its accounts', async () => {
    const other = await freshDatabase()
    const account = await other.createAccount()
    await other.drop()
    await expect(query(other.url, 'SELECT 1')).rejects.toThrow(/unknown database/i)
    await expect(query(account, 'SELECT 1')).rejects.toThrow(/denied/i)
  })

  test('has accounts that can write rows but not change tables', async () => {
    await query(database.url, 'CREATE TABLE item (id int PRIMARY KEY)')
    const account = await database.createAccount()
    await query(account, 'INSERT INTO item VALUES (1)')
    expect(await query(account, 'SELECT id FROM item')).toEqual([{ id: 1 }])
    await expect(query(account, 'ALTER TABLE item ADD extra int')).rejects.toThrow(/denied/i)
    await expect(query(account, 'CREATE TABLE other (id int)')).rejects.toThrow(/denied/i)
    await expect(query(account, 'DROP TABLE item')).rejects.toThrow(/denied/i)
  })

  test('has an account that can grant its privileges', async () => {
    const grants = await query(sharedServers().databaseUrl, 'SHOW GRANTS')
    expect(grants.map((row) => Object.values(row)[0]).join('\n')).toContain('WITH GRANT OPTION')
  })
})

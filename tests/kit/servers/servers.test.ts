import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { describe, expect, test } from 'vitest'
import { findChromium } from './chromium.ts'
import { startDatabase } from './databases.ts'
import { freshKeyspace } from './keyspaces.ts'
import { connectRedis, pingRedis, startRedis } from './redis.ts'

describe('a private database server', () => {
  test('keeps acknowledged writes when it is killed and restarted', async () => {
    const server = await startDatabase()
    const connection = await createConnection(server.url)
    await connection.query('CREATE DATABASE d')
    await connection.query('CREATE TABLE d.t (id int PRIMARY KEY)')
    await connection.query('INSERT INTO d.t VALUES (7)')
    const before = server.pid
    await server.kill()
    connection.destroy()
    await expect(createConnection(server.url)).rejects.toThrow('ECONNREFUSED')
    await server.restart()
    expect(server.pid).not.toBe(before)
    const again = await createConnection(server.url)
    const [rows] = await again.query<RowDataPacket[]>('SELECT id FROM d.t')
    expect(rows).toEqual([{ id: 7 }])
    again.destroy()
    await server.stop()
    await server.stop()
  })
})

describe('a private Redis', () => {
  test('can be killed, restarts empty, and stops', async () => {
    const server = await startRedis()
    const client = connectRedis(server.url)
    await client.set('a', '1')
    client.disconnect()
    await server.kill()
    await expect(pingRedis(server.url)).rejects.toThrow()
    await server.restart()
    const again = connectRedis(server.url)
    expect(await again.get('a')).toBeNull()
    again.disconnect()
    await server.stop()
    await expect(pingRedis(server.url)).rejects.toThrow()
  })

  test('reports why it could not start', async () => {
    await expect(startRedis(['--no-such-option', 'x'])).rejects.toThrow(/redis ended at its start:.*no-such-option/s)
  })
})

test('separates two keyspaces, and empties a dropped one', async () => {
  const [one, other] = [await freshKeyspace(), await freshKeyspace()]
  const [first, second] = [connectRedis(one.redis.url), connectRedis(other.redis.url)]
  await first.set(`${one.redis.keyPrefix}a`, '1')
  await second.set(`${other.redis.keyPrefix}a`, '2')
  await one.drop()
  expect(await first.get(`${one.redis.keyPrefix}a`)).toBeNull()
  expect(await second.get(`${other.redis.keyPrefix}a`)).toBe('2')
  await other.drop()
  first.disconnect()
  second.disconnect()
})

test('finds a browser', async () => {
  expect(await findChromium()).toMatch(/chrom/)
})

/**
 * The floor of a session read: `node:http` with the headers of a response, two HMACs, one read of the session, and
 * `JSON.stringify`. Nothing of ours. Prints its port.
 *
 * node bench/floor.ts <database URL> [<Redis URL>]: with Redis, one read of a key there in place of the row.
 */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { createPool, type RowDataPacket } from 'mysql2'

const [databaseURL = '', redisURL] = process.argv.slice(2)
const pool = createPool({ uri: databaseURL, connectionLimit: 10 })
const redis = redisURL ? new Redis(redisURL) : null
const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  pragma: 'no-cache',
  'referrer-policy': 'no-referrer',
  vary: 'Origin',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'abcdefghijkl-1',
}
const hmac = (text: string, encoding: 'base64' | 'hex') =>
  createHmac('sha256', 'a key of the floor').update(text).digest(encoding)

const [stored] = await pool.promise().query<RowDataPacket[]>('select tokenHash from session limit 1')
const tokenHash = String(stored[0]?.tokenHash)
const statement = `select s.id, s.userId, s.expiresAt, s.createdAt, s.updatedAt, s.ipAddress, s.userAgent,
    u.id as uid, u.name, u.email, u.emailVerified, u.image, u.createdAt as signedUpAt, u.updatedAt as changedAt
  from session s join user u on u.id = s.userId where s.tokenHash = ?`
const [[copy]] = await pool.promise().execute<RowDataPacket[]>(statement, [tokenHash])

const server = createServer((request, response) => {
  const cookie = request.headers.cookie ?? ''
  hmac(cookie, 'base64')
  hmac(cookie, 'hex')
  const respond = (row: unknown) => {
    response.writeHead(200, headers)
    response.end(JSON.stringify(row))
  }
  if (redis) void redis.get('floor', () => respond(copy))
  else pool.execute<RowDataPacket[]>(statement, [tokenHash], (_, rows) => respond(rows[0]))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))

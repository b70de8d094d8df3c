/** The example of docs/importing.md: rows of a table, imported, and used with the old password. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash as bcrypt } from 'bcrypt'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { expect, onTestFinished, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { latchkey } from './kit.ts'
import { places, serve } from './projects.ts'

const features: ConfigFile = { emailAndPassword: { enabled: true }, rateLimit: { enabled: false } }
const password = 'quiet river 22'

test('imports the users of the example in docs/importing.md', async () => {
  const [source, target] = [await freshDatabase(), await places['a server'](features)]
  onTestFinished(() => source.drop())
  const connection = await createConnection(source.url)
  onTestFinished(() => connection.end())
  const columns = 'id varchar(36), email text, name text, verified_at datetime, created_at datetime, password_hash text'
  await connection.query(`create table users (${columns})`)
  const row = ['id-of-ann', 'ann@example.com', 'Ann', '2024-02-01 00:00:00', '2024-01-31 12:00:00', await bcrypt(password, 5)]
  await connection.query('insert into users values (?, ?, ?, ?, ?, ?)', row)
  const page = readFileSync(new URL('../../docs/importing.md', import.meta.url), 'utf8')
  const [, statement = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? []
  const [rows] = await connection.query<RowDataPacket[][]>({ sql: statement, rowsAsArray: true })
  const lines = rows.map(([line]) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(join(target.cwd, 'users.ndjson'), `${lines.join('\n')}\n`)
  const { exitCode, stdout, stderr } = await latchkey(target.cwd, ['import', 'users', 'users.ndjson'], target.env)
  expect(exitCode, stdout + stderr).toBe(0)
  const { app, browser } = await serve(target, features)
  const ann = await app.db.selectFrom('user').select(['id', 'emailVerified', 'createdAt']).executeTakeFirst()
  expect(ann).toEqual({ id: 'id-of-ann', emailVerified: true, createdAt: new Date('2024-01-31T12:00:00Z') })
  expect((await browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password } })).status).toBe(200)
}, 90_000)

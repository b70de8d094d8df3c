/**
 * Runs a command with DATABASE_URL set to a private MySQL, and ends as the command does.
 * Usage: node tests/kit/servers/with-mysql.ts FOLDER COMMAND [ARGUMENT …], with a folder made by fetch-mysql.ts.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { endKept } from './keeper.ts'
import { startMySQL } from './mysql.ts'

const [folder, command, ...args] = process.argv.slice(2)
if (folder === undefined || command === undefined) {
  console.error('usage: node tests/kit/servers/with-mysql.ts FOLDER COMMAND [ARGUMENT …]')
  process.exit(2)
}

try {
  const server = await startMySQL(folder)
  const connection = await createConnection(server.url)
  const [rows] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version')
  connection.destroy()
  console.log(`MySQL ${rows[0]?.version} serves the command`)
  const env = { ...process.env, DATABASE_URL: server.url, TEST_MYSQL: folder }
  const child = spawn(command, args, { stdio: 'inherit', env })
  const [code] = await once(child, 'exit')
  // Ended by a signal: no code.
  process.exitCode = typeof code === 'number' ? code : 1
} finally {
  await endKept()
}

/** A private PostgreSQL, for databases of other applications: Latchkey itself does not run on it. */
import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { getBinary, postgres } from './packages.ts'
import { type Server, startServer } from './server.ts'

const execute = promisify(execFile)

/** The program refuses to run as root. */
const withoutRights = process.getuid?.() === 0 ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] : []

/** The address has no database: append a path. */
export async function startPostgres(): Promise<Server> {
  const binary = await getBinary(postgres)
  return startServer({
    name: 'postgres',
    url: (port) => `postgres://app@127.0.0.1:${port}`,
    prepare: async (folder) => {
      await chmod(folder, 0o777)
      // The folder of the run is its owner's alone, and this account is another one.
      await chmod(dirname(folder), 0o711)
      const create = [
        join(dirname(await realPath(binary)), 'initdb'),
        '-D',
        join(folder, 'data'),
        '-U',
        'app',
        '-A',
        'trust',
        '-E',
        'UTF8',
        '--no-sync',
      ]
      const [command = '', ...args] = [...withoutRights, ...create]
      await execute(command, args, { cwd: folder })
    },
    command: (folder, port) => {
      const run = [
        binary,
        '-D',
        join(folder, 'data'),
        '-p',
        String(port),
        '-h',
        '127.0.0.1',
        '-k',
        '',
        '-c',
        'fsync=off',
        '-c',
        'shared_buffers=32MB',
      ]
      const [command = '', ...args] = [...withoutRights, ...run]
      return [command, ...args]
    },
    ping: async (url) => {
      const client = new Client(`${url}/postgres`)
      client.on('error', () => {})
      await client.connect()
      await client.end()
    },
  })
}

const realPath = async (path: string): Promise<string> => (await import('node:fs/promises')).realpath(path)

/** A private MariaDB, with an account that may do everything and pass it on. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { findBinary, getBinary, mariadb } from './packages.ts'
import { type Server, startServer } from './server.ts'

const execute = promisify(execFile)

/** One statement a line: so both servers want it in an init file. */
export const accounts = [
  `CREATE USER IF NOT EXISTS 'app'@'%' IDENTIFIED BY 'app';`,
  `GRANT ALL ON *.* TO 'app'@'%' WITH GRANT OPTION;`,
  '',
].join('\n')

export const urlOf = (port: number): string => `mysql://app:app@127.0.0.1:${port}`

/**
 * Starts a private MariaDB. What it has acknowledged survives `kill`.
 * @param args further options of `mariadbd`
 */
export async function startMariaDB(args: readonly string[] = []): Promise<Server> {
  const binary = await getBinary(mariadb)
  return startServer({
    name: 'mariadb',
    url: urlOf,
    prepare: async (folder) => {
      await writeFile(join(folder, 'accounts.sql'), accounts)
      await createData(binary, join(folder, 'data'))
    },
    command: (folder, port) => [
      binary,
      '--no-defaults',
      ...asCurrentUser(),
      `--datadir=${folder}/data`,
      // At its start a server removes what others keep in a shared folder.
      `--tmpdir=${folder}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${folder}/socket`,
      `--pid-file=${folder}/pid`,
      `--init-file=${folder}/accounts.sql`,
      // Otherwise an anonymous account for the name "localhost" would come before ours.
      '--skip-name-resolve',
      '--character-set-server=utf8mb4',
      // 2, not 0: with 0 a killed server loses acknowledged writes.
      '--innodb-flush-log-at-trx-commit=2',
      '--innodb-doublewrite=OFF',
      '--innodb-buffer-pool-size=64M',
      '--innodb-log-file-size=16M',
      '--skip-log-bin',
      '--max-connections=300',
      ...args,
    ],
    ping: pingDatabase,
  })
}

/** Servers refuse to run as root by default. */
export const asCurrentUser = (): string[] => (process.getuid?.() === 0 ? ['--user=root'] : [])

async function createData(binary: string, folder: string): Promise<void> {
  const installer = findBinary(['mariadb-install-db', 'mysql_install_db'])
  if (installer === null)
    throw new Error(`${binary} is there, but mariadb-install-db is not: install ${mariadb.packages.join(' ')}`)
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db']
  await execute(installer, ['--no-defaults', ...asCurrentUser(), ...options, `--datadir=${folder}`])
}

/** Rejects unless a MySQL or MariaDB answers at the address. */
export async function pingDatabase(url: string): Promise<void> {
  const connection = await createConnection({ uri: url, connectTimeout: 5000 })
  try {
    await connection.query('SELECT 1')
  } finally {
    connection.destroy()
  }
}

/** A private MySQL: one that is installed, or one that `fetch-mysql.ts` has unpacked. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { accounts, asCurrentUser, pingDatabase, urlOf } from './mariadb.ts'
import { type Server, startServer } from './server.ts'

const execute = promisify(execFile)

const cheap = [
  '--performance-schema=OFF',
  '--skip-log-bin',
  '--innodb-doublewrite=OFF',
  '--innodb-flush-method=nosync',
  '--innodb-redo-log-capacity=64M',
]

/**
 * Starts a private MySQL. What it has acknowledged survives `kill`.
 * @param installation path of an installed `mysqld`, or the folder that `fetch-mysql.ts` has filled
 * @param args further options of `mysqld`
 */
export function startMySQL(installation: string, args: readonly string[] = []): Promise<Server> {
  const mysqld = installation.endsWith('mysqld') ? [installation, '--no-defaults'] : unpacked(installation)
  const [command = '', ...base] = [...mysqld, '--secure-file-priv=NULL', ...asCurrentUser()]
  return startServer({
    name: 'mysql',
    url: urlOf,
    prepare: async (folder) => {
      const init = join(folder, 'accounts.sql')
      await writeFile(init, accounts)
      const create = ['--initialize-insecure', `--init-file=${init}`, `--log-error=${folder}/initialize.log`]
      // MySQL only starts with the mode that the data was created with.
      const mode = args.filter((arg) => arg.startsWith('--lower-case-table-names='))
      await execute(command, [...base, ...cheap, '--innodb-use-native-aio=OFF', ...create, ...mode, `--datadir=${folder}/data`])
    },
    command: (folder, port) => [
      command,
      ...base,
      ...cheap,
      `--datadir=${folder}/data`,
      // At its start a server removes what others keep in a shared folder.
      `--tmpdir=${folder}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${folder}/socket`,
      `--pid-file=${folder}/pid`,
      '--mysqlx=OFF',
      // 2, not 0: with 0 a killed server loses acknowledged writes.
      '--innodb-flush-log-at-trx-commit=2',
      '--innodb-buffer-pool-size=128M',
      '--innodb-buffer-pool-load-at-startup=OFF',
      '--innodb-buffer-pool-dump-at-shutdown=OFF',
      '--max-connections=300',
      ...args,
    ],
    ping: pingDatabase,
  })
}

/** An unpacked server is newer than the system: it runs through the loader and the libraries that came with it. */
function unpacked(root: string): string[] {
  const usr = join(root, 'usr')
  const libraries = readdirSync(join(usr, 'lib')).find((name) => name.endsWith('-linux-gnu'))
  if (libraries === undefined) throw new Error(`${root} is not a folder made by fetch-mysql.ts`)
  const folder = join(usr, 'lib', libraries)
  const loader = readdirSync(folder).find((name) => name.startsWith('ld-linux'))
  if (loader === undefined) throw new Error(`${folder} has no program loader`)
  const mysqld = join(usr, 'sbin', 'mysqld')
  return [
    join(folder, loader),
    ...['--library-path', folder, '--argv0', mysqld, mysqld],
    ...['--no-defaults', `--basedir=${usr}`, `--plugin-dir=${usr}/lib/mysql/plugin`],
    ...[`--lc-messages-dir=${usr}/share/mysql`, `--character-sets-dir=${usr}/share/mysql/charsets`],
  ]
}

/** The statements that create a database of MySQL and its two accounts, as docs/install.md shows them. */

import { parseDatabaseAddress } from '../../adapters/database/database-address.ts'
import { backticked } from '../../lib/text.ts'

export interface DatabaseSetup {
  readonly statements: readonly string[]
  /** The command that migrates with the second account. */
  readonly migrate: string
}

/**
 * @param url `mysql://…`; an empty one stands for a URL that is in a file
 * @returns null for an embedded database
 */
export function databaseSetup(url: string): DatabaseSetup | null {
  if (url.startsWith('sqlite:')) return null
  const parsed = parseDatabaseAddress(url)
  const { host, port, user, database } =
    'message' in parsed ? { host: '127.0.0.1', port: 3306, user: '', database: 'latchkey' } : parsed
  // An account that may do everything does not serve.
  const serving = user === '' || user === 'root' ? 'latchkey' : user
  const migrating = `${serving.slice(0, longestUser - migrateSuffix.length)}${migrateSuffix}`
  const [name, first, second] = [identifier(database), account(serving), account(migrating)]
  const address = `${host.includes(':') ? `[${host}]` : host}${port === 3306 ? '' : `:${port}`}`
  return {
    statements: [
      `CREATE DATABASE ${name} CHARACTER SET utf8mb4;`,
      `CREATE USER ${first} IDENTIFIED BY 'password in DATABASE_URL';`,
      `CREATE USER ${second} IDENTIFIED BY 'another password';`,
      `GRANT ${servingPrivileges} ON ${name}.* TO ${first};`,
      `GRANT ${servingPrivileges}, CREATE, ALTER, DROP, INDEX, REFERENCES ON ${name}.* TO ${second};`,
    ],
    migrate: `DATABASE_URL=mysql://${encodeURIComponent(migrating)}:<password>@${address}/${encodeURIComponent(database)} latchkey migrate up`,
  }
}

const servingPrivileges = 'SELECT, INSERT, UPDATE, DELETE'
const migrateSuffix = '_migrate'
/** Of the name of an account in MySQL. */
const longestUser = 32

const identifier = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : backticked(name))
const account = (user: string): string => `'${user.replaceAll(/['\\]/g, '\\$&')}'@'%'`

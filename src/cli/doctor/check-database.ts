/** Checks the database: connection, version, settings, privileges. */
import { type Kysely, sql } from 'kysely'
import { readServerVariables, readServerVersion } from '../../adapters/database/mysql-server.ts'
import type { OpenApp } from '../../app.ts'
import type { Config } from '../../features/index.ts'
import { errorReason } from '../../lib/redact.ts'
import { rejectionHint } from '../../project/failure.ts'
import { checkCapacity } from './check-capacity.ts'
import { check, type Finding, medianTime, milliseconds } from './finding.ts'

type Opened = OpenApp['database']
type Db = Opened['db']

/** @param now milliseconds since 1970, by the clock of this machine */
export async function checkDatabase(database: Opened, config: Config, now: () => number): Promise<Finding[]> {
  try {
    await database.ping()
  } catch (error) {
    const fix =
      rejectionHint(error) ??
      'Check that the database is running, and its address, user and password: `latchkey config show --origin`.'
    return [check('database', 'Database').failed(`Cannot connect: ${errorReason(error)}`, fix)]
  }
  const latency = await checkLatency(database.db)
  if (!database.dialect.keepsMigrationFiles) return [latency, await checkSqlite(database.db)]
  const checks = [
    checkVersion,
    () => checkMode(database),
    checkCharset,
    checkSqlMode,
    checkIsolation,
    (db: Db) => checkClock(db, now),
    checkGrants,
  ]
  const findings: Finding[] = [latency]
  for (const check of checks) findings.push(await check(database.db))
  return [...findings, ...checkCapacity(await readServerVariables(database.db), config)]
}

/** Nothing while administration is disabled. Needs the tables of the configuration. */

async function checkLatency(db: Db): Promise<Finding> {
  const { ok, warning } = check('database', 'Database')
  const time = await medianTime(9, () => sql`select 1`.execute(db))
  const message = `Responds in ${milliseconds(time)}`
  return time <= 20
    ? ok(message)
    : warning(`${message}; a request needs up to six queries`, 'Run the daemon closer to the database.')
}

async function checkSqlite(db: Db): Promise<Finding> {
  const version = await value(db, sql`select sqlite_version() as value`)
  const mode = await value(db, sql`select journal_mode as value from pragma_journal_mode`)
  return check('database-version', 'Database version').ok(`SQLite ${version}, embedded, journal ${mode}`)
}

async function checkVersion(db: Db): Promise<Finding> {
  const { ok, failed } = check('database-version', 'Database version')
  const shown = await readServerVersion(db)
  const [product, number = ''] = shown.split(' ')
  const least = product === 'MariaDB' ? '10.6.0' : '8.0.19'
  // TiDB reports an older MySQL version than it supports.
  if (/tidb/i.test(shown) || isAtLeast(number, least)) return ok(shown)
  return failed(`${shown} is too old`, `Use MySQL 8.0.19 or later, or MariaDB 10.6 or later.`)
}

/** Compares numbers as numbers, and ignores what follows them, as in `8.0.36-0ubuntu`. */
export const isAtLeast = (version: string, least: string): boolean => version.localeCompare(least, 'en', { numeric: true }) >= 0

async function checkMode(database: Opened): Promise<Finding> {
  const { ok, skipped, failed } = check('database-mode', 'Database mode')
  const unsupported = await database.findUnsupported()
  if (unsupported) return failed(unsupported.message, unsupported.hint)
  try {
    await database.checkWritable()
    return ok('Accepts writes')
  } catch (error) {
    if (!database.errors.isUnreachable(error)) return skipped(errorReason(error))
    const fix = 'Connect to the primary, or make this server writable: SET GLOBAL read_only = OFF'
    return failed(`Accepts no writes: ${errorReason(error)}`, fix)
  }
}

async function checkCharset(db: Db): Promise<Finding> {
  const { ok, warning } = check('database-charset', 'Character set')
  const text = await value(db, sql`select concat(@@character_set_database, ', ', @@collation_database) as value`)
  if (text.startsWith('utf8mb4')) return ok(text)
  return warning(
    `The default is ${text}; the tables of Latchkey use utf8mb4 anyway`,
    'ALTER DATABASE … CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
  )
}

const sessionFix = 'A proxy in front of the database changes the session settings: connect directly.'

async function checkSqlMode(db: Db): Promise<Finding> {
  const { ok, failed } = check('database-sql-mode', 'SQL mode')
  const mode = await value(db, sql`select @@session.sql_mode as value`)
  if (/STRICT_(TRANS|ALL)_TABLES/.test(mode)) return ok('Strict: values that do not fit are rejected')
  return failed('Not strict: values that do not fit are truncated', sessionFix)
}

async function checkIsolation(db: Db): Promise<Finding> {
  const { ok, failed } = check('database-isolation', 'Isolation')
  const names = sql`variable_name in ('transaction_isolation', 'tx_isolation')`
  const { rows } = await sql<Record<string, string>>`show session variables where ${names}`.execute(db)
  const level = Object.values(rows[0] ?? {}).at(-1) ?? 'unknown'
  if (level === 'READ-COMMITTED') return ok('Read committed')
  return failed(`${level} instead of read committed`, sessionFix)
}

async function checkClock(db: Db, now: () => number): Promise<Finding> {
  const { ok, warning, failed } = check('database-clock', 'Clocks')
  const before = now()
  const theirs = Number(await value(db, sql`select unix_timestamp(now(3)) * 1000 as value`))
  const after = now()
  const skew = Math.round(theirs - (before + after) / 2)
  const message = `This machine and the database differ by ${Math.abs(skew)} ms`
  if (Math.abs(skew) < 1000) return ok(message)
  const fix =
    'Synchronize both clocks with NTP. A wrong clock rejects codes of authenticator apps, and ends links and sessions early or late.'
  return Math.abs(skew) < 30_000 ? warning(message, fix) : failed(message, fix)
}

const needed = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
const changing = [
  'CREATE',
  'ALTER',
  'DROP',
  'INDEX',
  'REFERENCES',
  'TRIGGER',
  'CREATE VIEW',
  'CREATE ROUTINE',
  'EVENT',
  'SUPER',
  'GRANT OPTION',
]

async function checkGrants(db: Db): Promise<Finding> {
  const { ok, skipped, warning, failed } = check('database-grants', 'Grants')
  const name = await value(db, sql`select database() as value`)
  const { rows } = await sql<Record<string, string>>`show grants`.execute(db)
  const granted = grantedOn(
    rows.flatMap((row) => Object.values(row)),
    name,
  )
  if (granted === null) return skipped('Granted by roles, which are not checked')
  const missing = needed.filter((privilege) => !granted.has(privilege))
  if (missing.length > 0)
    return failed(`Missing privileges: ${missing.join(', ')}`, `GRANT ${missing.join(', ')} ON \`${name}\`.* TO …`)
  const excess = changing.filter((privilege) => granted.has(privilege))
  if (excess.length === 0) return ok('The account can read and write rows, and cannot change the schema')
  const fix = `Run the daemon with a separate account (GRANT ${needed.join(', ')} ON \`${name}\`.* TO …), and use this one only for \`latchkey migrate\`.`
  return warning('The account can change the schema, which the daemon never needs', fix)
}

/** @returns the privileges on a database; null when only roles are granted */
export function grantedOn(lines: readonly string[], database: string): Set<string> | null {
  const privileges = new Set<string>()
  let hasRoles = false
  for (const line of lines) {
    const [, list, target] = /^GRANT (.+?) ON (\S+?\.\S+) TO /.exec(line) ?? []
    if (!list || !target) {
      hasRoles ||= line.startsWith('GRANT ')
      continue
    }
    if (!covers(target.replaceAll(/[`"]/g, ''), database)) continue
    const names = list === 'ALL PRIVILEGES' ? [...needed, ...changing] : list.split(/,\s*/)
    for (const each of names) privileges.add(each)
    if (line.includes('WITH GRANT OPTION')) privileges.add('GRANT OPTION')
  }
  return privileges.size === 0 && hasRoles ? null : privileges
}

/** `%` and `_` are wildcards in the name of a database unless a backslash stands before them (MySQL manual, GRANT). */
function covers(place: string, database: string): boolean {
  if (place === '*.*') return true
  if (!place.endsWith('.*')) return false
  const pattern = place
    .slice(0, -2)
    .replaceAll(/\\([%_])|([%_])|([.*+?^${}()|[\]\\])/g, (_, literal?: string, wildcard?: string, special?: string) => {
      if (wildcard) return wildcard === '%' ? '.*' : '.'
      return literal ?? `\\${special}`
    })
  return new RegExp(`^${pattern}$`).test(database)
}

async function value(db: Kysely<never> | Db, query: ReturnType<typeof sql>): Promise<string> {
  const { rows } = await sql<{ value: unknown }>`${query}`.execute(db)
  return String(rows[0]?.value ?? '')
}

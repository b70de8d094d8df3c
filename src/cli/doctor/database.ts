/** The database: whether it answers, which one it is, how it is set up, what our account may do. */
import { type Kysely, sql } from 'kysely'
import type { OpenApp } from '../../app.ts'
import { maskSecrets } from '../../lib/mask-secrets.ts'
import { type Finding, failed, medianTime, milliseconds, ok, skipped, warning } from './finding.ts'

type Opened = OpenApp['database']
type Db = Opened['db']

/** @param now milliseconds since 1970, by the clock of this machine */
export async function checkDatabase(database: Opened, now: () => number): Promise<Finding[]> {
  try {
    await database.ping()
  } catch (error) {
    const reason = error instanceof Error ? maskSecrets(error.message) : 'unknown reason'
    return [
      failed(
        'database',
        'Database',
        `No answer: ${reason}`,
        'Check that it runs, its address, user and password: `latchkey config show --origin`.',
      ),
    ]
  }
  const latency = await checkLatency(database.db)
  if (database.dialect.name === 'sqlite') return [latency, await checkSqlite(database.db)]
  const checks = [checkVersion, checkCharset, checkMode, checkIsolation, (db: Db) => checkClock(db, now), checkGrants]
  const findings: Finding[] = [latency]
  for (const check of checks) findings.push(await check(database.db))
  return findings
}

async function checkLatency(db: Db): Promise<Finding> {
  const time = await medianTime(9, () => sql`select 1`.execute(db))
  if (time <= 20) return ok('database', 'Database', `Answers within ${milliseconds(time)}`)
  return warning(
    'database',
    'Database',
    `Answers after ${milliseconds(time)}; a call asks it up to six times`,
    'Run the daemon nearer to the database.',
  )
}

async function checkSqlite(db: Db): Promise<Finding> {
  const { rows } = await sql<{
    version: string
    mode: string
  }>`select sqlite_version() as version, journal_mode as mode from pragma_journal_mode`.execute(db)
  return ok('database-version', 'Database version', `SQLite ${rows[0]?.version}, embedded, journal ${rows[0]?.mode}`)
}

async function checkVersion(db: Db): Promise<Finding> {
  const [id, title] = ['database-version', 'Database version']
  const text = await value(db, sql`select version() as value`)
  const isMariaDB = /mariadb/i.test(text)
  const least = isMariaDB ? '10.6.0' : '8.0.19'
  const shown = isMariaDB ? `MariaDB ${text.split('-')[0]}` : `MySQL ${text}`
  // TiDB tells the version of MySQL that it stands in for, which is older than what it can do.
  if (/tidb/i.test(text) || isAtLeast(text, least)) return ok(id, title, shown)
  return failed(id, title, `${shown} is too old`, `Use MySQL 8.0.19 or later, or MariaDB 10.6 or later.`)
}

export function isAtLeast(version: string, least: string): boolean {
  const parse = (text: string) => (/^\d+(\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number)
  const [have, want] = [parse(version), parse(least)]
  const position = want.findIndex((part, index) => (have[index] ?? 0) !== part)
  return position < 0 || (have[position] ?? 0) > (want[position] ?? 0)
}

async function checkCharset(db: Db): Promise<Finding> {
  const [id, title] = ['database-charset', 'Character set']
  const text = await value(db, sql`select concat(@@character_set_database, ', ', @@collation_database) as value`)
  if (text.startsWith('utf8mb4')) return ok(id, title, text)
  return warning(
    id,
    title,
    `New tables of others get ${text}; ours say utf8mb4 themselves`,
    'ALTER DATABASE … CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
  )
}

async function checkMode(db: Db): Promise<Finding> {
  const [id, title] = ['database-sql-mode', 'SQL mode']
  const mode = await value(db, sql`select @@session.sql_mode as value`)
  if (/STRICT_(TRANS|ALL)_TABLES/.test(mode)) return ok(id, title, 'Strict: what does not fit is an error and not cut')
  return failed(
    id,
    title,
    'Not strict: values that do not fit would be cut',
    'Something between here and the database changes the session: connect without it.',
  )
}

async function checkIsolation(db: Db): Promise<Finding> {
  const [id, title] = ['database-isolation', 'Isolation']
  const names = sql`variable_name in ('transaction_isolation', 'tx_isolation')`
  const { rows } = await sql<Record<string, string>>`show session variables where ${names}`.execute(db)
  const level = Object.values(rows[0] ?? {}).at(-1) ?? 'unknown'
  if (level === 'READ-COMMITTED') return ok(id, title, 'Read committed')
  return failed(
    id,
    title,
    `${level} instead of read committed`,
    'Something between here and the database changes the session: connect without it.',
  )
}

async function checkClock(db: Db, now: () => number): Promise<Finding> {
  const [id, title] = ['database-clock', 'Clocks']
  const before = now()
  const theirs = Number(await value(db, sql`select unix_timestamp(now(3)) * 1000 as value`))
  const after = now()
  const skew = Math.round(theirs - (before + after) / 2)
  const message = `${Math.abs(skew)} ms between this machine and the database`
  if (Math.abs(skew) < 1000) return ok(id, title, message)
  const mend = 'Let both be set by NTP.'
  return Math.abs(skew) < 30_000 ? warning(id, title, message, mend) : failed(id, title, message, mend)
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
  const [id, title] = ['database-grants', 'Grants']
  const name = await value(db, sql`select database() as value`)
  const { rows } = await sql<Record<string, string>>`show grants`.execute(db)
  const granted = grantedOn(
    rows.flatMap((row) => Object.values(row)),
    name,
  )
  if (granted === null) return skipped(id, title, 'They come by roles, which are not looked into')
  const missing = needed.filter((privilege) => !granted.has(privilege))
  if (missing.length > 0)
    return failed(id, title, `The account may not ${missing.join(', ')}`, `GRANT ${missing.join(', ')} ON \`${name}\`.* TO …`)
  const excess = changing.filter((privilege) => granted.has(privilege))
  if (excess.length === 0) return ok(id, title, 'Rows only: the account cannot change tables')
  const mend = `Serve with an account of its own (GRANT ${needed.join(', ')} ON \`${name}\`.* TO …) and keep this one for \`latchkey migrate\`.`
  return warning(id, title, 'The account can change tables, which the daemon never needs', mend)
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

/** Checks the database: connection, version, settings, privileges, migrations and tables. */
import { type Kysely, sql } from 'kysely'
import { readServerVariables, readServerVersion } from '../../adapters/database/mysql-server.ts'
import type { OpenApp } from '../../app.ts'
import type { Config } from '../../features/index.ts'
import { declaredRoles } from '../../features/roles/index.ts'
import { errorReason } from '../../lib/redact.ts'
import { counted } from '../../lib/text.ts'
import { type Status, status } from '../../migrate/index.ts'
import type { LoadedConfig } from '../../project/load-config.ts'
import { declaredSchema, migrationsFolder } from '../../project/schema-check.ts'
import { checkCapacity } from './check-capacity.ts'
import { check, type Finding, medianTime, milliseconds } from './finding.ts'

type Opened = OpenApp['database']
type Db = Opened['db']

/** @param now milliseconds since 1970, by the clock of this machine */
export async function checkDatabase(database: Opened, config: Config, now: () => number): Promise<Finding[]> {
  try {
    await database.ping()
  } catch (error) {
    const fix = 'Check that the database is running, and its address, user and password: `latchkey config show --origin`.'
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
/** Names in the list of a user's roles that are no role permit nothing, until a role of that name is created. */
export function checkRoleNames(given: readonly (string | null)[], stored: readonly string[], config: Config): Finding {
  const { ok, warning } = check('role-names', 'Roles of users')
  const known = [...stored, ...declaredRoles(config)]
  const names = new Set(given.flatMap((role) => (role ? role.split(',') : [])))
  const unknown = [...names].filter((name) => !known.includes(name)).sort()
  if (unknown.length === 0) return ok('Every role exists')
  const shown = unknown.slice(0, 10).map((name) => JSON.stringify(name))
  const rest = unknown.length > shown.length ? `, and ${unknown.length - shown.length} more` : ''
  return warning(
    `Users have roles that do not exist: ${shown.join(', ')}${rest}. They permit nothing, until a role of that name is created`,
    'List the users: `latchkey users list --role <name>`. Set their roles: `latchkey users set-role <user> <roles>`.',
  )
}

export async function checkAdministrators({ db }: Opened, config: Config): Promise<Finding[]> {
  const { admin } = config
  if (!admin.enabled) return []
  const roles = await db.selectFrom('user').select('role').distinct().execute()
  const stored = await db.selectFrom('role').select('name').execute()
  const names = checkRoleNames(
    roles.map(({ role }) => role),
    stored.map(({ name }) => name),
    config,
  )
  return [await findAdministrators(db, config, roles), names]
}

async function findAdministrators(
  db: Opened['db'],
  { admin }: Config,
  roles: readonly { readonly role: string | null }[],
): Promise<Finding> {
  const { ok, warning } = check('administrators', 'Administrators')
  if (admin.adminUserIds.length > 0) {
    const found = await db.selectFrom('user').select('id').where('id', 'in', admin.adminUserIds).limit(1).execute()
    if (found.length > 0) return ok('At least one user of admin.adminUserIds exists')
  }
  const isAdministrator = (role: string | null) =>
    (role || admin.defaultRole).split(',').some((name) => admin.adminRoles.includes(name))
  const names = admin.adminRoles.join(' or ')
  if (roles.some(({ role }) => isAdministrator(role))) return ok(`At least one user has the role ${names}`)
  const [role = 'admin'] = admin.adminRoles
  const fix = `Create one: \`latchkey users create --role ${role} --email <address> --name <name>\`; or \`latchkey users set-role <user> ${role}\`.`
  return warning(`No user has the role ${names}`, fix)
}

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
  const fix = 'Synchronize both clocks with NTP.'
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

export async function checkMigrations(loaded: LoadedConfig, { db, dialect }: OpenApp['database']): Promise<Finding[]> {
  const found = await status({ db, dialect, dir: migrationsFolder(loaded.directory), schema: declaredSchema(loaded) })
  if (!dialect.keepsMigrationFiles) {
    const { ok, skipped } = check('drift', 'Tables')
    if (found.drift.length === 0) return [ok('Match the configuration')]
    return [skipped('Older than the configuration; the daemon updates them when it starts')]
  }
  return [describeMigrations(found), describeDrift(found)]
}

function describeMigrations({ ungenerated, pending, interrupted, edited, missing, applied }: Status): Finding {
  const { ok, failed } = check('migrations', 'Migrations')
  const wrong = [...edited, ...missing]
  if (wrong.length > 0)
    return failed(`Applied, but edited or deleted since: ${wrong.join(', ')}`, 'Restore the files from version control.')
  if (ungenerated.length > 0)
    return failed(
      `${counted(ungenerated.length, 'schema change')} without a migration`,
      'Run `latchkey migrate generate`, review the SQL, then run `latchkey migrate up`.',
    )
  if (interrupted.length > 0)
    return failed(`Interrupted or running: ${interrupted.map(({ name }) => name).join(', ')}`, 'Run `latchkey migrate up`.')
  if (pending.length > 0) return failed(`Pending: ${pending.join(', ')}`, 'Run `latchkey migrate up`.')
  return ok(`${applied} applied, none pending`)
}

function describeDrift({ drift, interrupted }: Status): Finding {
  const { ok, skipped, failed } = check('drift', 'Tables')
  if (interrupted.length > 0) return skipped('A migration is interrupted or running')
  const [first] = drift
  if (!first) return ok('Match the applied migrations')
  const others = drift.length === 1 ? '' : `, and ${drift.length - 1} more`
  return failed(
    `${first.message}${others}`,
    'See all with `latchkey migrate status`. Restore the database, or declare the change in the configuration.',
  )
}

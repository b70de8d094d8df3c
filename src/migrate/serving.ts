/**
 * The workers that serve, as rows of the database with the columns that they use: a migration drops none of these. The rows hold
 * for any number of machines, and expire by the clock of the database when a worker has died.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { DatabaseClock } from '../adapters/database/lease.ts'
import type { DatabaseErrors } from '../core/app.ts'
import type { Logger } from '../core/ports.ts'
import type { Database } from '../features/index.ts'
import { type DaemonTraits, packTraits } from './daemon-traits.ts'
import { MigrationError } from './migration-error.ts'
import type { FileStatement } from './migration-files.ts'
import type { Schema } from './schema.ts'
import { seenAt, table, unseen } from './serving-table.ts'

/** Renewed three times in the span after which a row counts as gone. */
const lifetimeMs = 90_000
const renewalMs = lifetimeMs / 3
/** After a failed renewal, which may leave a serving worker without a row. */
const retryMs = 2000

/** A worker of a daemon. */
export interface ServingWorker {
  /** Unique. */
  readonly id: string
  readonly host: string
  /** Process ID of the daemon. */
  readonly process: number
  /** Of the configuration: the daemon replaces workers of an earlier generation. */
  readonly generation: number
}

interface RegisterOptions extends ServingWorker {
  readonly db: Kysely<Database>
  readonly errors: DatabaseErrors
  readonly clock: DatabaseClock
  readonly log: Pick<Logger, 'warn'>
  /** What the worker uses. */
  readonly schema: Schema
  /** What all daemons of a database should have in common. */
  readonly traits?: DaemonTraits
}

export interface RegisteredWorker extends ServingWorker {
  /** Its tables, columns and packed traits. */
  readonly uses: readonly string[]
}

export interface Registration {
  /** Resolves after the first attempt, also when it has failed. */
  readonly attempted: Promise<void>
  /** Removes the row. */
  remove(): Promise<void>
}

/**
 * Registers a worker and renews its row until it is removed. A database without the table, which the next migration creates, and
 * an unreachable database are tried again.
 */
export function registerWorker(options: RegisterOptions): Registration {
  const { log } = options
  let isFailing = false
  let timer: NodeJS.Timeout | undefined
  let isRemoved = false
  let renewal: Promise<void> = Promise.resolve()
  const renew = async (): Promise<void> => {
    try {
      await writeRow(options)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'Cannot register this worker in the database; retrying')
      isFailing = true
    }
    if (!isRemoved) timer = setTimeout(start, isFailing ? retryMs : renewalMs).unref()
  }
  const start = () => {
    renewal = renew()
  }
  start()
  return {
    attempted: renewal,
    remove: async () => {
      isRemoved = true
      clearTimeout(timer)
      // Otherwise a renewal in flight could insert the row again.
      await renewal
      await removeRow(options)
    },
  }
}

async function writeRow({ db, errors, clock, schema, traits, id, host, process, generation }: RegisterOptions): Promise<void> {
  const uses = JSON.stringify([...partsOf(schema), ...(traits ? packTraits(traits) : [])])
  try {
    const renewed = await sql`update ${table} set ${seenAt} = ${clock.now} where id = ${id}`.execute(db)
    if (renewed.numAffectedRows) return
    await sql`delete from ${table} where ${seenAt} < ${clock.after(-10 * lifetimeMs)}`.execute(db)
    await sql`insert into ${table} (id, host, process, generation, uses, ${seenAt})
      values (${id}, ${host}, ${process}, ${generation}, ${uses}, ${clock.now})`.execute(db)
  } catch (error) {
    if (!errors.isMissingTable(error)) throw error
  }
}

/** A row that cannot be removed expires. */
async function removeRow({ db, errors, log, id }: RegisterOptions): Promise<void> {
  try {
    await sql`delete from ${table} where id = ${id}`.execute(db)
  } catch (error) {
    if (!errors.isMissingTable(error)) log.warn({ err: error }, 'Cannot remove the registration of this worker')
  }
}

/** `user`, `user.nickname`. */
const partsOf = ({ tables }: Schema): string[] =>
  Object.entries(tables).flatMap(([name, { columns }]) => [name, ...Object.keys(columns).map((column) => `${name}.${column}`)])

/** Workers that serve now, with the tables and columns that they use. Empty when there is no table of workers. */
export async function findServing(
  db: Kysely<Database>,
  { clock, errors }: { readonly clock: DatabaseClock; readonly errors: DatabaseErrors },
): Promise<RegisteredWorker[]> {
  try {
    const { rows } = await sql<ServingWorker & { uses: string }>`select id, host, process, generation, uses from ${table}
      where ${seenAt} > ${clock.after(-lifetimeMs)} order by host, process, generation`.execute(db)
    return rows.flatMap((row) => (row.id === unseen.id ? [] : [{ ...row, uses: parseUses(row.uses) }]))
  } catch (error) {
    if (errors.isMissingTable(error)) return []
    throw error
  }
}

/** What a later version may write otherwise counts as everything. */
function parseUses(text: string): readonly string[] {
  try {
    const uses: unknown = JSON.parse(text)
    return Array.isArray(uses) && uses.every((use) => typeof use === 'string') ? uses : unseen.uses
  } catch {
    return unseen.uses
  }
}

/** The acknowledgement that no daemon runs that registers no workers. */
const unseenDaemons = 'unseen-daemons'

/** @throws MigrationError DAEMONS_UNSEEN */
async function checkUnseen({ db, acknowledge }: UseCheck, what: string): Promise<void> {
  const row = sql`from ${table} where id = ${unseen.id}`
  if (acknowledge.includes(unseenDaemons)) {
    await sql`delete ${row}`.execute(db)
    return
  }
  if ((await sql`select 1 ${row}`.execute(db)).rows.length === 0) return
  const message = `Daemons of an earlier version, which do not register what they use, may serve this database. Not executed: ${what}`
  throw new MigrationError('DAEMONS_UNSEEN', message, { details: [unseenDaemons] })
}

const identifier = '[`"]?(\\w+)[`"]?'
const droppedTable = new RegExp(`^\\s*(?:drop|rename)\\s+table\\s+(?:if\\s+exists\\s+)?${identifier}`, 'i')
const alteredTable = new RegExp(`^\\s*alter\\s+table\\s+${identifier}`, 'i')
const droppedColumn = new RegExp(
  `\\b(?:drop(?:\\s+column)?|rename\\s+column|change(?:\\s+column)?)\\s+(?!(?:index|key|foreign|constraint|check|primary)\\b)(?:if\\s+exists\\s+)?${identifier}`,
  'gi',
)

/** The tables and columns that a statement drops, renames or converts: `user`, `user.nickname`. */
export function droppedParts({ change, sql: text }: Pick<FileStatement, 'change' | 'sql'>): string[] {
  if (change) return change.class === 'destructive' ? [change.name.slice(change.name.indexOf(':') + 1)] : []
  const whole = droppedTable.exec(text)?.[1]
  if (whole !== undefined) return [whole]
  const altered = alteredTable.exec(text)?.[1]
  return altered === undefined ? [] : [...text.matchAll(droppedColumn)].map(([, column = '']) => `${altered}.${column}`)
}

/** The name under which a use is acknowledged. */
const useOf = (part: string): string => `in-use:${part}`

export interface UseCheck {
  readonly db: Kysely<Database>
  readonly clock: DatabaseClock
  readonly errors: DatabaseErrors
  /** Names of acknowledged uses, as in `in-use:user.nickname`. */
  readonly acknowledge: readonly string[]
  /** Milliseconds to wait for workers that their daemon is replacing. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** Called once, when workers that are being replaced still serve. */
  readonly onWait?: ((workers: readonly ServingWorker[]) => void) | undefined
}

const isUsed = (uses: readonly string[], part: string): boolean => uses.includes(part) || uses.includes(unseen.uses[0])

const pollMs = 250

/**
 * Waits for workers of an earlier generation, which finish their requests after a reload.
 * @param what names the statement
 * @throws MigrationError IN_USE when other workers use what the statement drops; DAEMONS_UNSEEN
 */
export async function checkUnused(options: UseCheck, statement: FileStatement, what: string): Promise<void> {
  const { db, acknowledge, timeout, signal, onWait } = options
  const parts = droppedParts(statement).filter((part) => !acknowledge.includes(useOf(part)))
  if (parts.length > 0) await checkUnseen(options, what)
  const end = performance.now() + timeout
  for (let isFirst = parts.length > 0; parts.length > 0; isFirst = false) {
    const serving = await findServing(db, options)
    const users = serving.filter(({ uses }) => parts.some((part) => isUsed(uses, part)))
    if (users.length === 0) return
    const isReplaced = (old: ServingWorker) =>
      serving.some(({ host, process, generation }) => host === old.host && process === old.process && generation > old.generation)
    // Those that only finish their requests need no reload: they are named when they do not end.
    const staying = users.filter((user) => !isReplaced(user))
    if (staying.length > 0) throw inUse(staying, parts, what)
    if (performance.now() > end) throw inUse(users, parts, what)
    if (isFirst) onWait?.(users)
    await pause(pollMs, undefined, { signal })
  }
}

function inUse(users: readonly RegisteredWorker[], parts: readonly string[], what: string) {
  const used = parts.filter((part) => users.some(({ uses }) => isUsed(uses, part)))
  const daemons = [...new Set(users.map(({ host, process }) => `${host} (process ${process})`))]
  const subject = daemons.length === 1 ? 'The daemon on' : 'The daemons on'
  const verb = daemons.length === 1 ? 'uses' : 'use'
  const message = `${subject} ${daemons.join(', ')} still ${verb} ${used.join(', ')}. Not executed: ${what}`
  return new MigrationError('IN_USE', message, { details: used.map(useOf) })
}

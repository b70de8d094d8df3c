/**
 * What a move has written: one row for each row of the old database, with a hash of it, so that a later run writes what has changed
 * since, and a killed run is continued. The tables exist only during a move, and belong to no feature, so that no migration names them.
 */
import { sql } from 'kysely'
import type { App } from '../../../core/app.ts'
import { ownTableOptions } from '../../../core/own-table.ts'
import type { SameSchemaPlan } from '../same-schema/plan.ts'
import type { Mapping } from './recognition.ts'
import type { KindName } from './shapes.ts'

export interface Entry {
  readonly sourceId: string
  readonly targetId: string
  readonly hash: string
}

/**
 * `copying`: the old application serves; `final`: Latchkey does. In the same database, `switching`: the tables are being renamed, and
 * `returning`: they get their former names again.
 */
export type MoveState = 'copying' | 'switching' | 'final' | 'returning'

export interface Move {
  readonly source: string
  readonly state: MoveState
  readonly startedAt: string
  /** When the last run ended, by the clock of the process; null before. */
  readonly appliedAt: string | null
  readonly details: MoveDetails
}

export interface MoveDetails {
  readonly generation: string
  readonly mapping: Mapping
  readonly ids: 'text' | 'digits'
  /** Whether all email addresses count as verified. */
  readonly verifyEmails?: boolean
  /** Of a switch in the same database: what it has renamed and changed, for its resumption and a way back. */
  readonly sameSchema?: Pick<SameSchemaPlan, 'renames' | 'keys'> & { readonly own: readonly string[] }
  /** The newest `updatedAt` of each table after the last run. */
  readonly latest?: Readonly<Record<string, string>>
  /** Seconds that the last run took, and what it wrote. */
  readonly seconds?: number
  readonly counts?: Readonly<Record<string, { readonly rows: number; readonly moved: number; readonly left: number }>>
}

const moves = sql.table('latchkey_move')
const entries = sql.table('latchkey_move_entry')
const [sourceId, targetId, startedAt, appliedAt] = ['sourceId', 'targetId', 'startedAt', 'appliedAt'].map((name) => sql.ref(name))
const [kindName, hashName, sourceName] = ['kind', 'hash', 'source'].map((name) => sql.ref(name))

/** Needs the right to create tables; all other functions here only read and write rows. */
export async function createMoveTables({ db }: App): Promise<void> {
  await sql`create table if not exists ${moves} (
    id varchar(32) not null primary key, ${sourceName} varchar(255) not null, state varchar(16) not null,
    ${startedAt} varchar(32) not null, ${appliedAt} varchar(32), details mediumtext not null
  ) ${ownTableOptions}`.execute(db)
  await sql`create table if not exists ${entries} (
    ${kindName} varchar(32) not null, ${sourceId} varchar(255) not null, ${targetId} varchar(36) not null, ${hashName} varchar(24) not null,
    primary key (${kindName}, ${sourceId}), unique (${kindName}, ${targetId})
  ) ${ownTableOptions}`.execute(db)
}

export async function dropMoveTables({ db }: App): Promise<void> {
  await sql`drop table if exists ${entries}`.execute(db)
  await sql`drop table if exists ${moves}`.execute(db)
}

const id = 'better-auth'

/** @returns null before the first run, and after `move finish` */
export async function findMove({ db, database }: App): Promise<Move | null> {
  try {
    const { rows } = await sql<Move & { details: string }>`select ${sourceName}, state, ${startedAt}, ${appliedAt}, details
      from ${moves} where id = ${id}`.execute(db)
    const [row] = rows
    return row ? { ...row, details: JSON.parse(row.details) } : null
  } catch (error) {
    if (database.isMissingTable(error)) return null
    throw error
  }
}

export async function writeMove(
  { db }: App,
  { source, state, startedAt: started, appliedAt: applied, details }: Move,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`delete from ${moves} where id = ${id}`.execute(tx)
    await sql`insert into ${moves} (id, ${sourceName}, state, ${startedAt}, ${appliedAt}, details)
      values (${id}, ${source}, ${state}, ${started}, ${applied}, ${JSON.stringify(details)})`.execute(tx)
  })
}

export async function findEntries({ db }: App, kind: KindName, ids: readonly string[]): Promise<Map<string, Entry>> {
  const { rows } = await sql<Entry>`select ${sourceId}, ${targetId}, ${hashName} from ${entries}
    where ${kindName} = ${kind} and ${sourceId} in (${sql.join(ids)})`.execute(db)
  return new Map(rows.map((row) => [row.sourceId, row]))
}

/** By the IDs of Latchkey. */
export async function findEntriesByTarget({ db }: App, kind: KindName, ids: readonly string[]): Promise<Map<string, Entry>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Entry>`select ${sourceId}, ${targetId}, ${hashName} from ${entries}
    where ${kindName} = ${kind} and ${targetId} in (${sql.join(ids)})`.execute(db)
  return new Map(rows.map((row) => [row.targetId, row]))
}

/** In order of the ID, for rows that the old database has no longer. */
export async function pageEntries({ db }: App, kind: KindName, after: string, limit: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`select ${sourceId}, ${targetId}, ${hashName} from ${entries}
    where ${kindName} = ${kind} and ${sourceId} > ${after} order by ${sourceId} limit ${sql.lit(limit)}`.execute(db)
  return rows
}

export async function countEntries({ db }: App, kind: KindName): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${entries} where ${kindName} = ${kind}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Of all kinds, where the ID could not stay. */
export async function findNewIds({ db }: App): Promise<Map<string, string>> {
  const { rows } = await sql<Entry & { kind: string }>`select ${kindName}, ${sourceId}, ${targetId} from ${entries}
    where ${sourceId} <> ${targetId} and ${kindName} <> ${'twoFactor'}`.execute(db)
  return new Map(rows.map((row) => [`${row.kind} ${row.sourceId}`, row.targetId]))
}

export async function insertEntries({ db }: App, kind: KindName, added: readonly Entry[]): Promise<void> {
  if (added.length === 0) return
  const values = added.map((entry) => sql`(${kind}, ${entry.sourceId}, ${entry.targetId}, ${entry.hash})`)
  await sql`insert into ${entries} (${kindName}, ${sourceId}, ${targetId}, ${hashName}) values ${sql.join(values)}`.execute(db)
}

export async function updateEntry({ db }: App, kind: KindName, { sourceId: id, hash }: Entry): Promise<void> {
  await sql`update ${entries} set ${hashName} = ${hash} where ${kindName} = ${kind} and ${sourceId} = ${id}`.execute(db)
}

export async function deleteEntries({ db }: App, kind: KindName, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from ${entries} where ${kindName} = ${kind} and ${sourceId} in (${sql.join(ids)})`.execute(db)
}

/** By the IDs of Latchkey. */
export async function deleteEntriesByTarget({ db }: App, kind: KindName, ids: readonly string[]): Promise<void> {
  await sql`delete from ${entries} where ${kindName} = ${kind} and ${targetId} in (${sql.join(ids)})`.execute(db)
}

/** Checks the rows of lines: values that occur twice, references, roles, and rows that the database has already. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { SeenKeys } from '../../core/ports.ts'
import { batchesOf } from '../../core/write.ts'
import { findUnknownRoles } from '../roles/index.ts'
import { findById, findFilled, findTaken, keyOf, readUniqueKeys, referencesOf } from './keys.ts'
import type { footerSchema, Header } from './line-schema.ts'
import { findLineType, type LineName, lineTypes, partsOfUser } from './line-types.ts'
import { linesOf } from './lines.ts'
import { isLeft, type LossCounts, noLosses } from './losses.ts'
import type { ParsedLine, Problem } from './parsed-line.ts'
import type { Members } from './row-forms.ts'
import type { Rows } from './user-form.ts'

export interface Counts {
  /** Not in the database yet. */
  created: number
  /** In the database, with the same content. */
  unchanged: number
  /** In the database, and changed since: it stays as it is. */
  changed: number
}

export type Report = (problem: Problem) => void

/** A check of one file. */
export interface Run {
  readonly app: App
  readonly seen: SeenKeys
  readonly report: Report
  readonly keys: ReturnType<typeof readUniqueKeys>
  readonly filled: ReadonlySet<string>
  readonly counts: Record<string, Counts>
  readonly lost: LossCounts
  /** Of lines of roles, which are not stored yet. */
  readonly roles: Set<string>
  readonly checkedRoles: Set<string>
  /** Of the lines between header and footer. */
  readonly hash: ReturnType<typeof createHash>
  lines: number
  /** Number of the last line. */
  number: number
  header: Header | null
  footer: z.output<typeof footerSchema> | null
  batch: ParsedLine[]
}

const tables = [...new Set([...lineTypes.map(({ table }) => table), ...partsOfUser.map(({ table }) => table)])]
export const batchSize = 250

export async function createRun(app: App, seen: SeenKeys, report: Report): Promise<Run> {
  const keys = readUniqueKeys(app, tables)
  return {
    ...{ app, seen, report, keys, filled: await findFilled(app, [...keys.keys()]), counts: {}, lost: noLosses() },
    ...{ roles: new Set(), checkedRoles: new Set(), hash: createHash('sha256'), lines: 0, number: 0 },
    ...{ header: null, footer: null, batch: [] },
  }
}

/** Checks the lines that were read since the last call. */
export async function checkBatch(run: Run): Promise<void> {
  const { batch } = run
  run.batch = []
  const [first] = batch
  if (!first) return
  for (const line of batch) checkKeys(run, line)
  for (const line of batch) await checkRoles(run, line)
  const written = batch.filter((line) => !isLeft(line))
  const counts = run.counts[first.type] ?? { created: 0, unchanged: 0, changed: 0 }
  run.counts[first.type] = counts
  const stored = run.filled.has(first.table) ? await compare(run, first.type, written, counts) : new Set<string>()
  const added = written.filter(({ id }) => !stored.has(id))
  counts.created += added.length
  for (const [table, keys] of run.keys) if (run.filled.has(table)) await checkTaken(run, table, keys, added)
}

function checkKeys({ app, seen, keys, report }: Run, { number, type, rows }: ParsedLine): void {
  const problem = (field: string, message: string) => report({ line: number, type, field, message })
  for (const [table, list] of Object.entries(rows))
    for (const row of list) {
      for (const key of keys.get(table) ?? []) {
        const text = keyOf(table, key, row)
        const earlier = text === null ? null : seen.add(text, number)
        if (earlier !== null) problem(fieldOf(type, table, key), `line ${earlier} has the same value`)
      }
      for (const { column, key, target } of referencesOf(app, table, row))
        if (!seen.has(key)) problem(fieldOf(type, table, [column]), `no line before it has this ${target}`)
    }
}

/** A reference to a line with a problem is not reported in addition. */
export function noteID({ seen }: Run, number: number, { type, id, kid }: Members): void {
  const known = findLineType(String(type))
  if (known) seen.add(keyOf(known.table, ['id'], { id: id ?? kid }) ?? '', number)
}

/** The name in the line: `accounts.providerId, accounts.accountId`. */
function fieldOf(type: LineName, table: string, columns: readonly string[]): string {
  const part = type === 'user' ? partsOfUser.find((known) => known.table === table)?.member : undefined
  return columns.map((name) => (part === undefined ? name : `${part}.${name}`)).join(', ')
}

async function checkRoles({ app, roles, checkedRoles, report }: Run, { number, type, members }: ParsedLine): Promise<void> {
  if (type === 'role') roles.add(String(members.name))
  if (type !== 'user' || typeof members.role !== 'string' || checkedRoles.has(members.role)) return
  const unknown = (await findUnknownRoles(app, members.role)).filter((name) => name !== '' && !roles.has(name))
  if (unknown.length === 0) checkedRoles.add(members.role)
  else
    report({
      line: number,
      type,
      field: 'role',
      message: `unknown role ${unknown.map((name) => JSON.stringify(name)).join(', ')}`,
    })
}

/** @returns the IDs that are stored already */
async function compare({ app, report }: Run, type: LineName, lines: readonly ParsedLine[], counts: Counts): Promise<Set<string>> {
  const lineType = findLineType(type)
  if (!lineType) return new Set()
  const ids = lines.map(({ id }) => id)
  const rows = await findById(app, lineType.table, ids)
  const secrets = { secrets: true, signingKeys: true }
  const stored = await linesOf(app, lineType, rows, secrets)
  const byId = new Map(rows.map((row, position) => [row.id, stored[position] ?? {}] as const))
  for (const { id, number, members } of lines) {
    const own = byId.get(id) as Members | undefined
    if (own === undefined) continue
    if (own.createdAt !== undefined && own.createdAt !== members.createdAt)
      report({ line: number, type, field: 'id', message: 'another row in the database has this ID' })
    counts[isDeepStrictEqual(JSON.parse(JSON.stringify(own)), members) ? 'unchanged' : 'changed'] += 1
  }
  return new Set(byId.keys())
}

async function checkTaken(
  { app, report }: Run,
  table: string,
  keys: readonly (readonly string[])[],
  lines: readonly ParsedLine[],
) {
  const rows: Rows[string] = lines.flatMap((line) => line.rows[table] ?? [])
  for (const some of batchesOf(rows, batchSize)) {
    const taken = await findTaken(app, table, keys, [...some])
    if (taken.size === 0) continue
    for (const { number, type, rows: own } of lines)
      for (const row of own[table] ?? [])
        for (const key of keys)
          if (taken.has(keyOf(table, key, row) ?? ''))
            report({
              line: number,
              type,
              field: fieldOf(type, table, key),
              message: 'a row in the database has this value already',
            })
  }
}

/** Checks a whole file before anything is written: its lines, its hash, its references, and the rows that the database has already. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { SeenKeys } from '../../core/ports.ts'
import { batchesOf } from '../../core/write.ts'
import { plainMessage } from '../../lib/input-errors.ts'
import { findUnknownRoles } from '../roles/index.ts'
import { findById, findFilled, findTaken, keyOf, readUniqueKeys, referencesOf } from './keys.ts'
import { footerSchema, type Header, headerSchema, schemaName } from './line-schema.ts'
import { findLineType, type LineName, lineTypes, partsOfUser } from './line-types.ts'
import { linesOf } from './lines.ts'
import { countLosses, isLeft, type LossCounts, noLosses } from './losses.ts'
import { type ParsedLine, type Problem, parseJSON, parseLine } from './parsed-line.ts'
import type { Members } from './row-forms.ts'
import type { Rows } from './user-form.ts'

export interface FileLine {
  readonly number: number
  /** Null for a line that is too long or not UTF-8. */
  readonly text: string | null
}

interface Counts {
  /** Not in the database yet. */
  created: number
  /** In the database, with the same content. */
  unchanged: number
  /** In the database, and changed since: it stays as it is. */
  changed: number
}

export interface Checked {
  readonly counts: Record<string, Counts>
  readonly lost: LossCounts
  /** Null: the first line is none. */
  readonly header: Header | null
}

interface Run {
  readonly app: App
  readonly seen: SeenKeys
  readonly report: (problem: Problem) => void
  readonly keys: ReturnType<typeof readUniqueKeys>
  readonly filled: ReadonlySet<string>
  readonly counts: Record<string, Counts>
  readonly lost: LossCounts
  /** Of lines of roles, which are not stored yet. */
  readonly roles: Set<string>
  readonly checkedRoles: Set<string>
}

const tables = [...new Set([...lineTypes.map(({ table }) => table), ...partsOfUser.map(({ table }) => table)])]
const batchSize = 250

/**
 * @param report gets each problem; a file with one is not imported
 * @throws what reading the lines throws
 */
export async function checkExport(
  app: App,
  lines: AsyncIterable<FileLine>,
  { seen, report }: Pick<Run, 'seen' | 'report'>,
): Promise<Checked> {
  const keys = readUniqueKeys(app, tables)
  const filled = await findFilled(app, [...keys.keys()])
  const run: Run = { app, seen, report, keys, filled, counts: {}, lost: noLosses(), roles: new Set(), checkedRoles: new Set() }
  const frame = { hash: createHash('sha256'), lines: 0, footer: null as z.output<typeof footerSchema> | null }
  let header: Header | null = null
  let batch: ParsedLine[] = []
  let number = 0
  for await (const line of lines) {
    number = line.number
    const members = parseJSON(line.text)
    if (typeof members === 'string') {
      report({ line: number, type: null, field: null, message: members })
      // What follows a first line of another kind is of another kind too.
      if (!header) return { counts: run.counts, lost: run.lost, header }
      continue
    }
    if (!header) {
      header = readFrame(headerSchema, number, members, report)
      if (header?.secrets !== true) {
        if (header) report({ line: number, type: 'header', field: 'secrets', message: withoutSecrets })
        return { counts: run.counts, lost: run.lost, header }
      }
      continue
    }
    if (frame.footer) {
      report({ line: number, type: null, field: null, message: 'a line after the footer' })
      break
    }
    if (members.type === 'footer') {
      frame.footer = readFrame(footerSchema, number, members, report)
      continue
    }
    frame.hash.update(`${line.text}\n`)
    frame.lines += 1
    const parsed = await parseLine(app, number, members)
    if (!('rows' in parsed)) {
      parsed.forEach(report)
      noteID(run, number, members)
      continue
    }
    countLosses(app, header, parsed, run.lost)
    if (batch.length === batchSize || batch[0]?.type !== parsed.type) {
      await checkBatch(run, batch)
      batch = []
    }
    batch.push(parsed)
  }
  await checkBatch(run, batch)
  checkFooter(frame, number, report)
  return { counts: run.counts, lost: run.lost, header }
}

const withoutSecrets =
  'the file has no secrets, so its users could not sign in. Export with --confirm secrets, or import the users by latchkey import users'

const newer = /^export-all\/v(\d+)$/

function readFrame<T>(schema: z.ZodType<T>, line: number, members: Members, report: Run['report']): T | null {
  const parsed = schema.safeParse(members)
  if (parsed.success) return parsed.data
  const given = typeof members.schema === 'string' ? members.schema.slice(0, 64) : null
  const type = schema === (headerSchema as z.ZodType) ? 'header' : 'footer'
  const problem = (field: string | null, message: string) => report({ line, type, field, message })
  if (type === 'header' && given !== null && newer.test(given) && given !== schemaName)
    problem('schema', `${given} was written by a newer version of Latchkey: this one reads ${schemaName}`)
  else if (type === 'header' && members.type !== 'header') problem('type', `not an export of latchkey export all (${schemaName})`)
  else {
    const [issue] = parsed.error.issues
    problem(issue?.path.join('.') || null, plainMessage(issue?.message ?? ''))
  }
  return null
}

interface Frame {
  readonly hash: ReturnType<typeof createHash>
  readonly lines: number
  readonly footer: z.output<typeof footerSchema> | null
}

function checkFooter({ hash, lines, footer }: Frame, line: number, report: Run['report']): void {
  const problem = (field: string | null, message: string) => report({ line, type: 'footer', field, message })
  if (!footer) problem(null, 'the file has no footer: it was cut, or its export did not end')
  else if (footer.lines !== lines) problem('lines', `${footer.lines} lines were exported, and the file has ${lines}`)
  else if (footer.sha256 !== hash.digest('hex')) problem('sha256', 'the file was changed after the export')
}

async function checkBatch(run: Run, batch: readonly ParsedLine[]): Promise<void> {
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
function noteID({ seen }: Run, number: number, { type, id, kid }: Members): void {
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

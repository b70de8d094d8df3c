/** Checks a whole file before anything is written: its lines, its hash, its references, and the rows that the database has already. */
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import { plainMessage } from '../../lib/input-errors.ts'
import { batchSize, type Counts, checkBatch, createRun, noteID, type Run } from './check-rows.ts'
import { footerSchema, type Header, headerSchema, schemaName } from './line-schema.ts'
import { countLosses, type LossCounts } from './losses.ts'
import { parseJSON, parseLine } from './parsed-line.ts'
import type { Members } from './row-forms.ts'

export interface FileLine {
  readonly number: number
  /** Null for a line that is too long or not UTF-8. */
  readonly text: string | null
}

export interface Checked {
  readonly counts: Record<string, Counts>
  readonly lost: LossCounts
  /** Null: the first line is none. */
  readonly header: Header | null
}

/**
 * @param report gets each problem; a file with one is not imported
 * @throws what reading the lines throws
 */
export async function checkExport(
  app: App,
  lines: AsyncIterable<FileLine>,
  { seen, report }: Pick<Run, 'seen' | 'report'>,
): Promise<Checked> {
  const run = await createRun(app, seen, report)
  let isReadable = true
  for await (const line of lines) {
    isReadable = await checkLine(run, line)
    if (!isReadable) break
  }
  await checkBatch(run)
  if (isReadable) checkFooter(run)
  const { counts, lost, header } = run
  return { counts, lost, header }
}

/** @returns false when the lines after it make no sense */
async function checkLine(run: Run, { number, text }: FileLine): Promise<boolean> {
  run.number = number
  const members = parseJSON(text)
  const problem = (message: string) => run.report({ line: number, type: null, field: null, message })
  if (typeof members === 'string') problem(members)
  if (!run.header) return typeof members !== 'string' && checkHeader(run, members)
  if (typeof members === 'string') return true
  if (run.footer) {
    problem('a line after the footer')
    return false
  }
  if (members.type === 'footer') run.footer = readFrame(footerSchema, 'footer', run, members)
  else await checkRow(run, number, text ?? '', members)
  return true
}

async function checkRow(run: Run, number: number, text: string, members: Members): Promise<void> {
  run.hash.update(`${text}\n`)
  run.lines += 1
  const parsed = await parseLine(run.app, number, members)
  if (!('rows' in parsed)) {
    parsed.forEach(run.report)
    noteID(run, number, members)
    return
  }
  if (run.header) countLosses(run.app, run.header, parsed, run.lost)
  if (run.batch.length === batchSize || run.batch[0]?.type !== parsed.type) await checkBatch(run)
  run.batch.push(parsed)
}

const withoutSecrets =
  'the file has no secrets, so its users could not sign in. Export with --confirm secrets, or import the users by latchkey import users'

const newer = /^export-all\/v(\d+)$/

function checkHeader(run: Run, members: Members): boolean {
  run.header = readFrame(headerSchema, 'header', run, members)
  if (!run.header || run.header.secrets) return run.header !== null
  run.report({ line: run.number, type: 'header', field: 'secrets', message: withoutSecrets })
  return false
}

function readFrame<T>(schema: z.ZodType<T>, type: 'header' | 'footer', run: Run, members: Members): T | null {
  const parsed = schema.safeParse(members)
  if (parsed.success) return parsed.data
  const given = typeof members.schema === 'string' ? members.schema.slice(0, 64) : null
  const problem = (field: string | null, message: string) => run.report({ line: run.number, type, field, message })
  const [issue] = parsed.error.issues
  if (type === 'header' && given !== null && newer.test(given) && given !== schemaName)
    problem('schema', `${given} was written by a newer version of Latchkey: this one reads ${schemaName}`)
  else if (type === 'header' && members.type !== 'header') problem('type', `not an export of latchkey export all (${schemaName})`)
  else problem(issue?.path.join('.') || null, plainMessage(issue?.message ?? ''))
  return null
}

function checkFooter({ hash, lines, footer, number, report }: Run): void {
  const problem = (field: string | null, message: string) => report({ line: number, type: 'footer', field, message })
  if (!footer) problem(null, 'the file has no footer: it was cut, or its export did not end')
  else if (footer.lines !== lines) problem('lines', `${footer.lines} lines were exported, and the file has ${lines}`)
  else if (footer.sha256 !== hash.digest('hex')) problem('sha256', 'the file was changed after the export')
}

import type { LineOutcome } from '../../features/transfer/index.ts'
import type { CommandGroup, Context } from '../command.ts'
import { command } from '../command.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { CliFailure } from '../failure.ts'
import type { Checkpoint, Counts, Progress } from '../import/checkpoint.ts'
import type { ImportSource } from '../import/source.ts'
import { flag, seconds, waitForDatabaseOption } from '../inputs.ts'
import type { Line } from '../read-lines.ts'

interface ImportInput {
  readonly file?: string | undefined
  readonly resume: boolean
  readonly dryRun: boolean
  readonly waitForDb: number
}
type ImportContext = Context<ImportInput>

/** Lines that are read, and written in one transaction. */
const batch = 500

const importPeople = command<ImportInput>({
  name: 'users',
  summary: 'Create users from lines of JSON, with password hashes of many kinds',
  description:
    'One JSON document per line (NDJSON), as `export users` writes it; docs/importing.md describes it. Users who are there already are compared and never changed, so a file may be read again. With --resume a run that was ended is taken up at the line after its last one; without it the file is read from the beginning. Lines that are wrong are shown with their numbers, and the others are imported. Hooks of the configuration are not called.',
  examples: [
    'latchkey import users users.ndjson --dry-run',
    'latchkey import users users.ndjson',
    'latchkey import users users.ndjson --resume',
    'gunzip < users.ndjson.gz | latchkey import users -',
  ],
  arguments: [{ syntax: '[file]', description: 'The file; without it, or with -, standard input' }],
  options: [
    { flags: '-n, --dry-run', description: 'Only check each line' },
    { flags: '--resume', description: 'Go on where a run with this file was ended; without one, begin' },
    waitForDatabaseOption,
  ],
  exitCodes: [5, 6, 8],
  deadline: 86_400,
  input: (z) =>
    z.object({
      file: z.string().min(1).optional(),
      resume: flag(z),
      dryRun: flag(z),
      waitForDb: seconds(z).default(0),
    }),
  action: async (context) => {
    const { options, cwd } = context
    const { openSource } = await import('../import/source.ts')
    const source = await openSource(options.file, cwd)
    try {
      return await importFrom(source, context)
    } finally {
      await source.file?.handle.close()
    }
  },
})

async function importFrom(source: ImportSource, context: ImportContext): Promise<ExitCode> {
  const { options } = context
  checkResume(options, source)
  const [{ openForDryRun }, { importUsers }, { createCheckpoint }] = await Promise.all([
    import('../dry-run.ts'),
    import('../../features/transfer/index.ts'),
    import('../import/checkpoint.ts'),
  ])
  const { app, loaded } = await openForDryRun(context, { dryRun: options.dryRun, waitForDatabase: options.waitForDb })
  const isKept = source.file !== null && !options.dryRun
  const checkpoint = isKept ? createCheckpoint(source.file, loaded.directory, loaded.config.database.url) : null
  const begun = options.resume ? await findBegun(context, checkpoint) : null
  const counts = await importAll(context, { source, checkpoint, begun, importLines: importUsers(app, options) })
  return conclude(counts, (begun?.number ?? 0) + 1, context)
}

function checkResume({ resume, dryRun }: ImportInput, { file }: ImportSource): void {
  if (!resume || (file && !dryRun)) return
  const message = dryRun ? '--resume: a dry run has nothing to go on with' : '--resume: expected a file, which can be read twice'
  throw new CliFailure('USAGE', message, { exitCode: exitCodes.usage, hint: 'Add --help to see what can be written.' })
}

async function findBegun({ output }: ImportContext, checkpoint: Checkpoint | null): Promise<Progress | null> {
  const begun = (await checkpoint?.find()) ?? null
  output.info(begun ? `Going on after line ${begun.number}` : 'No run with this file was ended: it is read from the beginning')
  return begun
}

interface Work {
  readonly source: ImportSource
  readonly checkpoint: Checkpoint | null
  readonly begun: Progress | null
  readonly importLines: (lines: readonly Line[]) => Promise<LineOutcome[]>
}

/** @returns the counts of the whole file, what was done before included */
async function importAll(context: ImportContext, { source, checkpoint, begun, importLines }: Work): Promise<Counts> {
  const [{ readLines }, { createProgress }] = await Promise.all([import('../read-lines.ts'), import('../import/progress.ts')])
  const counts: Counts = { created: 0, unchanged: 0, conflict: 0, invalid: 0, ...begun?.counts }
  const { output, signal } = context
  const progress = createProgress(checkpoint, output)
  const start = { number: begun?.number ?? 0, end: begun?.end ?? 0 }
  try {
    for await (const lines of batches(readLines(source.read(start.end), start))) {
      signal.throwIfAborted()
      await report(await importLines(lines), counts, context)
      const last = lines.at(-1)
      if (last) await progress.save({ number: last.number, end: last.end, counts })
    }
  } catch (error) {
    progress.tell()
    throw error
  }
  await progress.end()
  return counts
}

async function* batches(lines: AsyncIterable<Line>): AsyncGenerator<Line[], void, undefined> {
  let collected: Line[] = []
  for await (const line of lines) {
    collected.push(line)
    if (collected.length < batch) continue
    yield collected
    collected = []
  }
  if (collected.length > 0) yield collected
}

async function report(outcomes: readonly LineOutcome[], counts: Counts, { output }: ImportContext): Promise<void> {
  const { printable } = await import('../../lib/printable.ts')
  const before = sum(counts)
  for (const outcome of outcomes) {
    counts[outcome.outcome] += 1
    const { line, email, message } = outcome
    if (message === null) continue
    const text = `line ${line}: ${outcome.outcome}${email === null ? '' : `, ${email}`}: ${message}`
    output.record('import-users-line/v1', outcome, printable(text))
  }
  await output.drained()
  const after = sum(counts)
  if (Math.floor(after / 50_000) > Math.floor(before / 50_000)) output.info(`${after} lines so far`)
}

const sum = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0)

function conclude(counts: Counts, fromLine: number, { options, output }: ImportContext): ExitCode {
  const { dryRun } = options
  const { created, unchanged, conflict, invalid } = counts
  output.result(
    'import-users/v1',
    { dryRun, fromLine, ...counts },
    `${dryRun ? 'Would be: ' : ''}${created} created, ${unchanged} unchanged, ${conflict} in conflict, ${invalid} invalid`,
  )
  if (conflict + invalid === 0) return exitCodes.done
  output.failure('Some lines were not imported: mend them and run it again. Those that are there stay unchanged.')
  return exitCodes.failed
}

export const importGroup: CommandGroup = {
  name: 'import',
  summary: 'Move in: create users from lines of JSON',
  examples: [
    'latchkey import users users.ndjson --dry-run',
    'latchkey import users users.ndjson',
    'latchkey import users users.ndjson --resume',
  ],
  commands: [importPeople],
}

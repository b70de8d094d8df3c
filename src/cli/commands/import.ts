import type { LineOutcome } from '../../features/transfer/index.ts'
import type { CommandGroup, Context } from '../command.ts'
import { command } from '../command.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { CliFailure } from '../failure.ts'
import { flag, seconds, waitForDatabaseOption } from '../inputs.ts'
import type { Line } from '../read-lines.ts'

interface ImportInput {
  readonly file?: string | undefined
  readonly dryRun: boolean
  readonly waitForDb: number
}
type Counts = Record<LineOutcome['outcome'], number>

/** Lines that are read, and written in one transaction. */
const batch = 500

const importPeople = command<ImportInput>({
  name: 'users',
  summary: 'Create users from lines of JSON, with password hashes of many kinds',
  description:
    'One JSON document per line (NDJSON), as `export users` writes it; docs/importing.md describes it. Users who are there already are compared and never changed, so a file may be read again, and a run that was ended is taken up by running it again. Lines that are wrong are shown with their numbers, and the others are imported. Hooks of the configuration are not called.',
  examples: [
    'latchkey import users users.ndjson --dry-run',
    'latchkey import users users.ndjson',
    'gunzip < users.ndjson.gz | latchkey import users -',
  ],
  arguments: [{ syntax: '[file]', description: 'The file; without it, or with -, standard input' }],
  options: [{ flags: '-n, --dry-run', description: 'Only check each line' }, waitForDatabaseOption],
  exitCodes: [6, 8],
  deadline: 86_400,
  input: (z) => z.object({ file: z.string().min(1).optional(), dryRun: flag(z), waitForDb: seconds(z).default(0) }),
  action: async (context) => {
    const { options } = context
    const chunks = await openInput(context)
    const [{ openReadyApp }, { importUsers }, { readLines }] = await Promise.all([
      import('../operate.ts'),
      import('../../features/transfer/index.ts'),
      import('../read-lines.ts'),
    ])
    const app = await openReadyApp(context, options.waitForDb)
    const importLines = importUsers(app, options)
    const counts: Counts = { created: 0, unchanged: 0, conflict: 0, invalid: 0 }
    for await (const lines of batches(readLines(chunks))) {
      context.signal.throwIfAborted()
      await report(await importLines(lines), counts, context)
    }
    return conclude(counts, context)
  },
})

async function openInput({ options, cwd }: Context<ImportInput>): Promise<AsyncIterable<Buffer>> {
  if (options.file !== undefined && options.file !== '-') {
    const [{ open }, { resolve }] = await Promise.all([import('node:fs/promises'), import('node:path')])
    return (await open(resolve(cwd, options.file))).createReadStream()
  }
  if (!process.stdin.isTTY) return process.stdin
  throw new CliFailure('USAGE', '[file]: expected a file, or lines on standard input', { exitCode: exitCodes.usage })
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

async function report(outcomes: readonly LineOutcome[], counts: Counts, { output }: Context<ImportInput>): Promise<void> {
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

function conclude(counts: Counts, { options, output }: Context<ImportInput>): ExitCode {
  const { dryRun } = options
  const { created, unchanged, conflict, invalid } = counts
  output.result(
    'import-users/v1',
    { dryRun, ...counts },
    `${dryRun ? 'Would be: ' : ''}${created} created, ${unchanged} unchanged, ${conflict} in conflict, ${invalid} invalid`,
  )
  if (conflict + invalid === 0) return exitCodes.done
  output.failure('Some lines were not imported: mend them and run it again. Those that are there stay unchanged.')
  return exitCodes.failed
}

export const importGroup: CommandGroup = {
  name: 'import',
  summary: 'Move in: create users from lines of JSON',
  examples: ['latchkey import users users.ndjson --dry-run', 'latchkey import users users.ndjson'],
  commands: [importPeople],
}

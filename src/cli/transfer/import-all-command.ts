import type { Checked, Problem } from '../../features/export-all/index.ts'
import { counted } from '../../lib/text.ts'
import { type ExitCode, exitCodes, usageError } from '../../project/failure.ts'
import { argument, type Context, command, flag, type ValuesOf } from '../command.ts'

const importAllArguments = { file: argument('<file>', 'File that `export all` has written', (z) => z.string().min(1)) }
const importAllOptions = { dryRun: flag('-n, --dry-run', 'Only check the file') }
type ImportContext = Context<ValuesOf<typeof importAllArguments & typeof importAllOptions>>

/** A line may have 100 passkeys and several tokens. */
const longestLine = 33_554_432

export const importAllCommand = command('all', 'Import a complete export', {
  description:
    'Reads a file that `export all --confirm secrets` has written; see docs/moving-out.md. First checks the whole file: each line, the hash of the file, and values that the database has already. With any problem it writes nothing, and lists line and field. Never changes existing rows, so an import that was interrupted is run again and goes on. Reports what cannot be used here, such as API keys that were hashed with another secret.',
  examples: ['latchkey import all all.ndjson --dry-run', 'latchkey import all all.ndjson'],
  arguments: importAllArguments,
  options: importAllOptions,
  usesDatabase: true,
  exitCodes: [5],
  deadline: 86_400,
  action: async (context) => {
    const { resolve } = await import('node:path')
    const { open } = await import('node:fs/promises')
    const handle = await open(resolve(context.cwd, context.options.file))
    try {
      if (!(await handle.stat()).isFile()) throw usageError('<file>: expected a file, which is read twice')
      const { readLines } = await import('../../lib/lines.ts')
      const read = () => readLines(handle.createReadStream({ start: 0, autoClose: false }), undefined, longestLine)
      return await importFrom(context, read)
    } finally {
      await handle.close()
    }
  },
})

type ReadLines = () => AsyncIterable<{ readonly number: number; readonly text: string | null }>

async function importFrom(context: ImportContext, read: ReadLines): Promise<ExitCode> {
  const { options, signal, output } = context
  const { app } = await context.openReadyApp({ mode: options.dryRun ? 'read' : 'write' })
  const { checkExport, importExport } = await import('../../features/export-all/index.ts')
  const { createSeenKeys } = await import('../../adapters/seen-keys.ts')
  const seen = createSeenKeys()
  const problems = createProblems(context)
  let checked: Checked
  try {
    const lines = read()
    checked = await checkExport(app, interruptible(lines, signal), { seen, report: problems.report })
  } finally {
    seen.close()
  }
  await output.drained()
  const isImported = problems.count() === 0 && !options.dryRun
  if (isImported) await importExport(app, read(), { signal, progress: progressOf(context) })
  return conclude(context, checked, { problems: problems.count(), isImported })
}

async function* interruptible<T>(lines: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  for await (const line of lines) {
    signal.throwIfAborted()
    yield line
  }
}

/** Lines of a report; a file of another kind would fill the screen. */
const mostProblems = 1000

function createProblems({ output }: ImportContext) {
  let count = 0
  return {
    count: () => count,
    report: (problem: Problem) => {
      count += 1
      if (count > mostProblems) return
      const { line, type, field, message } = problem
      const place = [line === null ? 'file' : `line ${line}`, type, field].filter((part) => part !== null)
      output.record('import-all-problem/v1', problem, `${place.join(', ')}: ${message}`)
    },
  }
}

function progressOf({ output }: ImportContext): (lines: number) => void {
  let shown = 0
  return (lines) => {
    if (Math.floor(lines / 50_000) === shown) return
    shown = Math.floor(lines / 50_000)
    output.info(`${lines} lines so far`)
  }
}

interface Outcome {
  readonly problems: number
  readonly isImported: boolean
}

async function conclude({ options, output }: ImportContext, checked: Checked, outcome: Outcome): Promise<ExitCode> {
  const { losses } = await import('../../features/export-all/losses.ts')
  const { counts, lost } = checked
  const { problems, isImported } = outcome
  const parts = Object.entries(counts).map(([type, { created, unchanged, changed }]) => {
    const kept = [unchanged > 0 && `${unchanged} unchanged`, changed > 0 && `${changed} changed here since, left as they are`]
    return `${type}: ${[`${created} ${isImported ? 'created' : 'to create'}`, ...kept].filter(Boolean).join(', ')}`
  })
  output.result('import-all/v1', { dryRun: options.dryRun, isImported, problems, counts, lost }, parts)
  for (const [name, reason] of Object.entries(losses)) {
    const count = lost[name as keyof typeof lost]
    if (count > 0) output.warn(`${count} ${reason}`)
  }
  if (problems === 0) return exitCodes.done
  if (problems > mostProblems) output.warn(`${problems - mostProblems} more problems are not listed`)
  output.failure(`Nothing was written: the file has ${counted(problems, 'problem')}`)
  return exitCodes.failed
}

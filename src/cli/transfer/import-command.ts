import type { LineOutcome } from '../../features/transfer/index.ts'
import { streamBatches } from '../../lib/async.ts'
import type { Line } from '../../lib/lines.ts'
import { errorReason } from '../../lib/redact.ts'
import { counted } from '../../lib/text.ts'
import { type ExitCode, exitCodes, usageError } from '../../project/failure.ts'
import { argument, type Context, command, flag, group, option, text, type ValuesOf } from '../command.ts'
import { importAllCommand } from './import-all-command.ts'
import type { Checkpoint, Counts, Progress } from './import-checkpoint.ts'
import type { ImportSource } from './import-source.ts'
import { askPassphrase, passphraseOption, readPassphrase } from './passphrase.ts'

const importArguments = {
  file: argument('[file]', 'File to import, or - for standard input [-]', (z) => z.string().min(1).optional()),
}
const importOptions = {
  dryRun: flag('-n, --dry-run', 'Only check the lines'),
  resume: flag('--resume', 'Continue an interrupted import of this file'),
  weak: option('--weak <choice>', 'Weak hashes: "wrap" them in argon2id, or "drop" them', (z) =>
    z.enum(['wrap', 'drop']).optional(),
  ),
  ignoreSignUpPolicy: flag('--ignore-sign-up-policy', 'Also import users whom the sign-up policy rejects'),
  passphraseFile: passphraseOption,
  formerSecret: text('--former-secret <file>', 'File with the secret of better-auth, which encrypted second factors'),
}
type ImportContext = Context<ValuesOf<typeof importArguments & typeof importOptions>>

/** Lines per transaction. */
const batchSize = 500
/** Hashing one takes about 25 ms, so a batch takes about a second; with ten backup codes for each user, ten seconds. */
const hashingBatchSize = 50

const importUsersCommand = command('users', 'Import users from a file', {
  description:
    'Reads one JSON document per line (NDJSON), the format of `export users`; see docs/importing.md. Accepts password hashes of many systems; weak ones, such as MD5, only with --weak. Asks for the passphrase of an encrypted export, or reads it from --passphrase-file. Never changes existing users, so importing a file twice is safe. Reports invalid lines by number and imports the others. Does not call databaseHooks.',
  examples: [
    'latchkey import users users.ndjson --dry-run',
    'latchkey import users users.ndjson',
    'latchkey import users users.ndjson --resume',
    'latchkey import users wordpress.ndjson --weak wrap',
    'latchkey import users users.ndjson --former-secret better-auth-secret',
    'latchkey import users users.ndjson --passphrase-file phrase',
    'gunzip < users.ndjson.gz | latchkey import users -',
  ],
  arguments: importArguments,
  options: importOptions,
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 86_400,
  action: async (context) => {
    const { options } = context
    const { openSource } = await import('./import-source.ts')
    const name = options.passphraseFile
    const passphrase = () => (name === undefined ? askPassphrase(context) : readPassphrase(context, name))
    const source = await openSource(options.file, context, passphrase)
    try {
      if (!source.isEncrypted && options.passphraseFile !== undefined)
        throw usageError('--passphrase-file: the lines are not encrypted')
      return await importFrom(source, context)
    } finally {
      await source.file?.handle.close()
    }
  },
})

async function importFrom(source: ImportSource, context: ImportContext): Promise<ExitCode> {
  const { options } = context
  checkResume(options, source)
  const { importUsers } = await import('../../features/transfer/index.ts')
  const formerSecrets = options.formerSecret === undefined ? [] : await readFormerSecrets(context, options.formerSecret)
  const { createCheckpoint } = await import('./import-checkpoint.ts')
  const { app, loaded } = await context.openReadyApp({ mode: options.dryRun ? 'read' : 'write' })
  const isKept = source.file !== null && !options.dryRun
  const checkpoint = isKept ? createCheckpoint(source.file, loaded.directory, loaded.config.database.url) : null
  const resumed = options.resume ? await findProgress(context, checkpoint) : null
  const counts = await importAll(context, {
    source,
    checkpoint,
    resumed,
    importLines: importUsers(app, { ...options, formerSecrets }),
  })
  return conclude(counts, (resumed?.number ?? 0) + 1, context)
}

/** Never an option with the secret itself: every user of the machine can read the arguments of a process. */
async function readFormerSecrets({ cwd }: ImportContext, name: string): Promise<string[]> {
  const { resolve } = await import('node:path')
  const { readFile } = await import('node:fs/promises')
  const lines = (await readFile(resolve(cwd, name), 'utf8')).split(/\r?\n/).filter(Boolean)
  if (lines.length > 0) return lines
  throw usageError(`--former-secret: ${name} is empty`, 'Write one secret per line into the file, the newest first.')
}

function checkResume({ resume, dryRun }: ImportContext['options'], { file }: ImportSource): void {
  if (!resume || (file && !dryRun)) return
  const message = dryRun ? '--resume cannot be used with --dry-run' : '--resume needs a regular file'
  throw usageError(message)
}

async function findProgress({ output }: ImportContext, checkpoint: Checkpoint | null): Promise<Progress | null> {
  const resumed = (await checkpoint?.find()) ?? null
  output.info(
    resumed ? `Resuming after line ${resumed.number}` : 'There is no interrupted import of this file: starting at line 1',
  )
  return resumed
}

interface Work {
  readonly source: ImportSource
  readonly checkpoint: Checkpoint | null
  readonly resumed: Progress | null
  readonly importLines: (lines: readonly Line[]) => Promise<LineOutcome[]>
}

/** @returns the counts of the whole file, including those of the interrupted run */
async function importAll(context: ImportContext, { source, checkpoint, resumed, importLines }: Work): Promise<Counts> {
  const { readLines } = await import('../../lib/lines.ts')
  const counts: Counts = { created: 0, unchanged: 0, conflict: 0, invalid: 0, ...resumed?.counts }
  const { output, signal } = context
  let kept = checkpoint
  let savedLine: number | null = null
  const { weak, formerSecret } = context.options
  const size = weak === 'wrap' || formerSecret !== undefined ? hashingBatchSize : batchSize
  const start = { number: resumed?.number ?? 0, end: resumed?.end ?? 0 }
  try {
    for await (const lines of streamBatches(readLines(source.read(start.end), start), size)) {
      signal.throwIfAborted()
      await report(await importLines(lines), counts, context)
      const last = lines.at(-1)
      if (!last || !kept) continue
      try {
        await kept.save({ number: last.number, end: last.end, counts })
        savedLine = last.number
      } catch (error) {
        kept = null
        output.warn(`If interrupted, this import cannot be resumed: ${errorReason(error)}`)
      }
    }
  } catch (error) {
    if (kept && savedLine !== null) output.info(`Stopped after line ${savedLine}. Continue with --resume`)
    throw error
  }
  await kept?.delete()
  return counts
}

async function report(outcomes: readonly LineOutcome[], counts: Counts, { output }: ImportContext): Promise<void> {
  const { printable } = await import('../../lib/redact.ts')
  const before = sum(counts)
  for (const outcome of outcomes) {
    counts[outcome.outcome] += 1
    const { line, email, message, passkeysOfOtherDomains = 0 } = outcome
    counts.passkeysOfOtherDomains = (counts.passkeysOfOtherDomains ?? 0) + passkeysOfOtherDomains
    if (message === null) continue
    const text = `line ${line}: ${outcome.outcome}${email === null ? '' : `, ${email}`}: ${message}`
    output.record('import-users-line/v1', outcome, printable(text))
  }
  await output.drained()
  const after = sum(counts)
  if (Math.floor(after / 50_000) > Math.floor(before / 50_000)) output.info(`${after} lines so far`)
}

const sum = ({ created, unchanged, conflict, invalid }: Counts): number => created + unchanged + conflict + invalid

function conclude(counts: Counts, fromLine: number, { options, output }: ImportContext): ExitCode {
  const { dryRun } = options
  const { passkeysOfOtherDomains: unusable = 0, ...lines } = counts
  const { created, unchanged, conflict, invalid } = lines
  output.result(
    'import-users/v1',
    { dryRun, fromLine, ...lines, ...(unusable > 0 && { passkeysOfOtherDomains: unusable }) },
    `${dryRun ? 'Would import: ' : ''}${created} created, ${unchanged} unchanged, ${conflict} in conflict, ${invalid} invalid`,
  )
  if (unusable > 0) output.warn(`${counted(unusable, 'passkey')} of another domain than passkey.rpID cannot be used here`)
  if (conflict + invalid === 0) return exitCodes.done
  output.failure('Some lines were not imported. Fix them and import the file again; existing users stay unchanged.')
  return exitCodes.failed
}

export const importGroup = group('import', 'Import users, or a complete export', {
  examples: [
    'latchkey import users users.ndjson --dry-run',
    'latchkey import users users.ndjson',
    'latchkey import users users.ndjson --resume',
    'latchkey import all all.ndjson',
  ],
  commands: [importUsersCommand, importAllCommand],
})

/** Moves users in from the export of another system: two readings, and the importer of `latchkey import users`. */
import { resolve } from 'node:path'
import type { App } from '../../core/app.ts'
import {
  findFieldFault,
  isSourceError,
  linesOf,
  type MoveLine,
  type MoveOptions,
  type SourceItem,
  type Survey,
  type SystemName,
  surveyUsers,
} from '../../features/move/index.ts'
import { meanings, presets, systems } from '../../features/move/readers/index.ts'
import { measureFailedCheck } from '../../features/password-hashes/index.ts'
import { userRules } from '../../features/second-factor/index.ts'
import { importUsers } from '../../features/transfer/index.ts'
import { streamBatches } from '../../lib/async.ts'
import { isZone } from '../../lib/zone-clock.ts'
import { type ExitCode, exitCodes, Failure, usageError } from '../../project/failure.ts'
import { checkAbsent, writeNewFile } from '../transfer/new-file.ts'
import type { MoveContext } from './system-commands.ts'
import { createReport, type Report } from './system-report.ts'
import { openMoveSource } from './system-source.ts'
import { growYoungGeneration } from './young-generation.ts'

interface Move {
  readonly app: App
  readonly context: MoveContext
  readonly options: MoveOptions
  readonly survey: Survey
  readonly report: Report
  /** Reads the export from its start. */
  readonly items: () => AsyncIterable<SourceItem>
}

/** @throws Failure USAGE, SOURCE_UNREADABLE, HASH_SECRET_MISSING, SIGN_IN_TOO_SLOW, and what opening the app throws */
export async function moveFrom(name: string, context: MoveContext): Promise<ExitCode> {
  growYoungGeneration()
  const system = name as SystemName
  const { options, output } = context
  const readerOptions = readReaderOptions(system, context)
  const moveOptions = readMoveOptions(system, context)
  const { names, items, close } = await openMoveSource(system, context, readerOptions)
  try {
    const { app } = await context.openReadyApp({ mode: options.apply ? 'write' : 'read' })
    checkOptions(app, moveOptions)
    const report = createReport(context, { title: systems[system].title, files: names })
    const survey = await surveyUsers(app, items(), moveOptions, report.note)
    const move = { app, context, options: moveOptions, survey, report, items }
    const seconds = await measureFailedCheck(app, survey.costs)
    if (options.toNdjson !== undefined) return await writeLines(move, options.toNdjson)
    if (options.apply) checkSafety(move, seconds)
    await importAll(move)
    return report.conclude(survey, seconds)
  } catch (error) {
    if (!isSourceError(error)) throw error
    throw new Failure('SOURCE_UNREADABLE', error.message, { ...(error.hint !== undefined && { hint: error.hint }), cause: error })
  } finally {
    await close()
    await output.drained()
  }
}

/** @throws Failure USAGE */
function checkOptions(app: App, options: MoveOptions): void {
  const fault = findFieldFault(app, options)
  if (fault !== null) throw usageError(`--field: ${fault}`)
  const { twoFactor } = app.config
  if (!options.requireFactors || (twoFactor.enabled && userRules(app.config).some(({ moved }) => moved))) return
  throw usageError('--require-mfa-setup needs a rule in the configuration', 'Set twoFactor: { required: [{ moved: true }] }.')
}

function readReaderOptions(system: SystemName, { options }: MoveContext) {
  const { sourceTimeZone: timeZone, preset, columns, pepper, tablePrefix = '' } = options
  if (!isZone(timeZone))
    throw usageError(`--source-time-zone: there is no zone ${timeZone}`, 'Write a zone such as Europe/Berlin, or UTC.')
  if (system === 'csv' && preset === undefined && columns === undefined)
    throw usageError('Expected --preset or --columns', `Presets: ${Object.keys(presets).join(', ')}.`)
  return { timeZone, preset, pepper, tablePrefix, columns: columns === undefined ? undefined : readColumns(columns) }
}

function readColumns(list: string): Record<string, string> {
  const entries = pairs('--columns', list.split(','))
  const unknown = [...entries.keys()].find((name) => !meanings.includes(name as (typeof meanings)[number]))
  if (unknown !== undefined) throw usageError(`--columns: unknown ${unknown}`, `Known: ${meanings.join(', ')}.`)
  return Object.fromEntries(entries)
}

const readMoveOptions = (system: SystemName, { options }: MoveContext): MoveOptions => ({
  system,
  ...{ weak: options.weak, merge: options.merge, newIds: options.newIds, requireFactors: options.requireMfaSetup },
  fields: pairs('--field', options.field),
  roles: pairs('--role', options.role, true),
})

/** @param isLast split at the last equals sign: a group may contain one */
function pairs(name: string, texts: readonly string[], isLast = false): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const at = isLast ? text.lastIndexOf('=') : text.indexOf('=')
      if (at < 1 || at === text.length - 1) throw usageError(`${name}: expected name=value, received ${text}`)
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const
    }),
  )
}

/** Seconds of a failed sign-in above which users and operators notice. */
const slowSignIn = 1

/** @throws Failure HASH_SECRET_MISSING, SIGN_IN_TOO_SLOW */
function checkSafety({ survey, context }: Move, seconds: number): void {
  const [missing] = survey.missingSecrets
  if (missing !== undefined) {
    const hint = 'Set it in the configuration, from an environment variable, and run the command again. Nothing was written.'
    throw new Failure('HASH_SECRET_MISSING', `Hashes of the export need ${missing}`, { exitCode: exitCodes.refused, hint })
  }
  if (seconds <= slowSignIn || context.options.acceptSlowSignIn) return
  const message = `A failed sign-in would take about ${seconds.toFixed(1)} s, because it does the work of every form of hash`
  const hint = 'Leave out expensive forms, or add --accept-slow-sign-in. Nothing was written.'
  throw new Failure('SIGN_IN_TOO_SLOW', message, { exitCode: exitCodes.refused, hint })
}

async function writeLines({ app, context, options, survey, report, items }: Move, name: string): Promise<ExitCode> {
  const file = resolve(context.cwd, name)
  checkAbsent(file)
  let count = 0
  await writeNewFile(file, async (append) => {
    for await (const lines of streamBatches(linesOf(app, items(), options, survey), batchSize)) {
      context.signal.throwIfAborted()
      await append(lines.map(({ value }) => `${JSON.stringify(value)}\n`).join(''))
      count += lines.length
    }
  })
  return report.concludeLines(survey, name, count)
}

/** Lines per transaction: more of them are fewer commits, and hold locks for longer. */
const batchSize = 2000
/** Hashing one takes about 25 ms. */
const hashingBatchSize = 50

async function importAll({ app, context, options, survey, report, items }: Move): Promise<void> {
  const { apply, ignoreSignUpPolicy } = context.options
  const importLines = importUsers(app, { dryRun: !apply, weak: options.weak, ignoreSignUpPolicy })
  const size = apply && report.hasWeakHashes() ? hashingBatchSize : batchSize
  const importBatch = async (lines: readonly MoveLine[]) => {
    const outcomes = await importLines(lines)
    const byNumber = new Map(lines.map((line) => [line.number, line]))
    for (const outcome of outcomes) report.outcome(outcome, byNumber.get(outcome.line))
    await context.output.drained()
  }
  // One batch is written while the next one is read, so that the database and this process work at the same time.
  let written = Promise.resolve()
  try {
    for await (const lines of streamBatches(linesOf(app, items(), options, survey), size)) {
      await written
      context.signal.throwIfAborted()
      written = importBatch(lines)
      // It is thrown by the next `await`.
      written.catch(() => {})
    }
  } finally {
    await written
  }
}

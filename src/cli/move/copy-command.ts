/** The copy of `latchkey move from-better-auth`, and what its last run does. */
import type { App } from '../../core/app.ts'
import type { ConflictChoice, KindCounts, Move, RunOptions, SameSchemaPlan } from '../../features/move/index.ts'
import { type ExitCode, exitCodes } from '../../project/failure.ts'
import type { MoveCommandContext } from './from-better-auth.ts'
import type { Reasons } from './move-report.ts'
import { isSwitching, type Target, withNames } from './same-schema.ts'
import type { OpenedSource } from './source-options.ts'
import { growYoungGeneration } from './young-generation.ts'

type RunParts = Pick<RunOptions, 'writes' | 'excluded' | 'onLeft'>

/** Users with one email address. */
export async function duplicatesOf(
  { options }: MoveCommandContext,
  { source, recognized }: Pick<OpenedSource, 'source' | 'recognized'>,
) {
  const { findDuplicates } = await import('../../features/move/index.ts')
  return findDuplicates(source, recognized.tables, options.onConflict satisfies ConflictChoice)
}

export async function run(
  { options, signal, output }: MoveCommandContext,
  opened: OpenedSource,
  app: App,
  parts: RunParts,
): Promise<KindCounts[]> {
  growYoungGeneration()
  const { runAll } = await import('../../features/move/index.ts')
  const { kindNames } = await import('../../features/move/better-auth/shapes.ts')
  const { setTimeout: pause } = await import('node:timers/promises')
  const skipped = kindNames.filter(
    (kind) => options.skip.includes(kind) || (options.only.length > 0 && !options.only.includes(kind)),
  )
  return runAll({
    ...parts,
    ...{ app, skipped, signal, batch: options.batch },
    ...{ source: opened.source, tables: opened.recognized.tables, settings: opened.settings },
    pause: async (aborted) => {
      if (options.pauseMs > 0) await pause(options.pauseMs, undefined, { signal: aborted })
    },
    onKind: ({ kind, rows, inserted, updated, removed }) => {
      if (parts.writes) output.info(`${kind}: ${rows} rows, ${inserted} new, ${updated} changed, ${removed} removed`)
    },
  })
}

export async function apply(context: MoveCommandContext, opened: OpenedSource): Promise<ExitCode> {
  const { app, database } = await context.openReadyApp({ mode: 'write' })
  return withLease(context, { app, database }, (held) => copy(held, opened, app, null))
}

/** @param opened the same database @throws Failure MOVE_SWITCHING, MOVE_NAMES_TAKEN, MOVE_ORPHANS */
export async function applySameSchema(context: MoveCommandContext, opened: OpenedSource, target: Target): Promise<ExitCode> {
  const { createTables, planOf, requireFreeNames, requireSameDatabase } = await import('./same-schema.ts')
  await requireSameDatabase(target, opened)
  if (isSwitching(target)) return withLease(context, target, (held) => completeSwitch(held, opened, target))
  const { plan } = await planOf(target.app, opened)
  requireFreeNames(plan)
  await createTables(target)
  return withLease(context, target, (held) => copy(held, opened, target.app, { target, plan }))
}

async function withLease(
  context: MoveCommandContext,
  { app, database }: Pick<Target, 'app' | 'database'>,
  work: (context: MoveCommandContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { holdLease } = await import('./apply-move.ts')
  const lease = await holdLease(app, database)
  try {
    const signal = AbortSignal.any([context.signal, lease.lost])
    return await work({ ...context, signal })
  } finally {
    await lease.release()
  }
}

interface SameSchema {
  readonly target: Target
  readonly plan: SameSchemaPlan
}

async function copy(
  context: MoveCommandContext,
  source: OpenedSource,
  app: App,
  sameSchema: SameSchema | null,
): Promise<ExitCode> {
  const { output } = context
  const { noReasons } = await import('./move-report.ts')
  const { prepareMove, recordRun, checkRun, finalize } = await import('./apply-move.ts')
  const { duplicates, excluded } = await duplicatesOf(context, source)
  const move: Move = await prepareMove(context, { app, opened: source, duplicates })
  const opened = withChoices(source, move)
  const started = performance.now()
  const reasons = noReasons()
  const counts = await runWriting(context, opened, app, excluded, reasons)
  const seconds = (performance.now() - started) / 1000
  const applied = await recordRun(app, { move, counts, seconds })
  const { final } = context.options
  if (final && !(await checkRun(output, app, opened)))
    return printRun(context, { seconds, counts, reasons, exit: exitCodes.failed })
  if (final && sameSchema) {
    const { renameTables } = await import('./switch-tables.ts')
    const { signal } = context
    const switching = await renameTables({ ...sameSchema, opened, move: applied, signal })
    return completeSwitch(context, renamedSource(opened, sameSchema.plan), { ...sameSchema.target, move: switching })
  }
  if (final) await finalize(output, app, applied, counts)
  return printRun(context, { seconds, counts, reasons, exit: exitCodes.done })
}

/** What was chosen in an earlier run holds for later ones. */
const withChoices = (opened: OpenedSource, { details }: Move): OpenedSource => ({
  ...opened,
  settings: { ...opened.settings, verifyEmails: details.verifyEmails ?? false },
})

async function runWriting(
  context: MoveCommandContext,
  opened: OpenedSource,
  app: App,
  excluded: RunParts['excluded'],
  reasons: Reasons,
): Promise<KindCounts[]> {
  const { addReason } = await import('./move-report.ts')
  return run(context, opened, app, { writes: true, excluded, onLeft: async (row) => addReason(reasons, row) })
}

function renamedSource(opened: OpenedSource, { renames }: Pick<SameSchemaPlan, 'renames'>): OpenedSource {
  const tables = withNames(opened.recognized.tables, renames)
  return { ...opened, recognized: { ...opened.recognized, tables } }
}

/**
 * After the tables were renamed the old application can write no row of them: what it wrote until then is copied, and the foreign keys of
 * its own tables are set. Also the rest of a run that was killed.
 */
async function completeSwitch(
  context: MoveCommandContext,
  source: OpenedSource,
  { app, database, move }: Target,
): Promise<ExitCode> {
  const { output, signal } = context
  const { noReasons } = await import('./move-report.ts')
  const { finalize, recordRun } = await import('./apply-move.ts')
  const { settleKeys, warnAboutKeys } = await import('./switch-tables.ts')
  if (!move?.details.sameSchema) throw new Error('The switch has no plan')
  const opened = withChoices(source, move)
  const started = performance.now()
  const reasons = noReasons()
  const { excluded } = await duplicatesOf(context, opened)
  const counts = await runWriting(context, opened, app, excluded, reasons)
  const keys = move.details.sameSchema.keys
  const outcomes = await settleKeys({ app, database }, opened, { keys, wanted: 'after', signal })
  const seconds = (performance.now() - started) / 1000
  const applied = await recordRun(app, { move, counts, seconds })
  await finalize(output, app, applied, counts)
  warnAboutKeys(output, outcomes)
  return printRun(context, { seconds, counts, reasons, exit: exitCodes.done, foreignKeys: outcomes })
}

interface Printed {
  readonly seconds: number
  readonly counts: readonly KindCounts[]
  readonly reasons: Reasons
  readonly exit: ExitCode
  readonly foreignKeys?: readonly object[]
}

async function printRun({ options, output }: MoveCommandContext, printed: Printed): Promise<ExitCode> {
  const { seconds, counts, reasons, exit, foreignKeys } = printed
  const { countLines } = await import('./move-report.ts')
  const lines = [
    ...countLines(counts, reasons, output),
    '',
    `Done in ${seconds.toFixed(1)} s. A run that changes nothing takes about as long as it takes to read the old database`,
  ]
  const more = foreignKeys === undefined ? {} : { foreignKeys }
  output.result('move-run/v1', { final: options.final, seconds: Number(seconds.toFixed(3)), counts, ...more }, lines)
  return exit
}

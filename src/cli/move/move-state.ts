/** `latchkey move check`, `status` and `finish`. */
import type { OpenApp } from '../../app.ts'
import type { App } from '../../core/app.ts'
import { movePrefix, type TablePrefix } from '../../core/table-prefix.ts'
import type { Move } from '../../features/move/index.ts'
import { exitCodes, Failure } from '../../project/failure.ts'
import { type Context, command, flag, option, wholeNumber } from '../command.ts'
import { type OpenedSource, openMoveSource, sourceOptions } from './source-options.ts'

/** On a database whose tables have a prefix until the switch of a move in the same database. */
async function openMoveApp(context: Context, mode: 'read' | 'write' | 'end') {
  const { hasPrefixedTables } = await import('../../features/move/index.ts')
  const { config } = await context.loadConfig()
  const isPrefixed = config.database.url?.startsWith('mysql:') && (await hasPrefixedTables((await context.openApp()).app))
  const prefix: TablePrefix = { value: isPrefixed ? movePrefix : '' }
  // Those of a copy that is given up may be of earlier migrations.
  if (mode === 'end' && isPrefixed) return { ...(await context.openApp({ tablePrefix: prefix })), prefix }
  return { ...(await context.openReadyApp({ mode: mode === 'read' ? 'read' : 'write', tablePrefix: prefix })), prefix }
}

/** How the old database is read, with the choices of the copy. */
async function sourceUse(context: Context, { prefix }: { readonly prefix: TablePrefix }, move: Move) {
  const { renamedMapping } = await import('../../features/move/index.ts')
  const { mapping, sameSchema, verifyEmails } = move.details
  const isRenamed = sameSchema !== undefined && prefix.value === ''
  const isShared = isRenamed || prefix.value !== ''
  return {
    verifyEmails,
    ...(isShared && { fallback: (await context.loadConfig()).config.database.url }),
    mapping: isRenamed ? renamedMapping(mapping, sameSchema) : mapping,
    ...(isRenamed && { isOwn: (table: string) => sameSchema.own.includes(table) }),
  }
}

/** @throws Failure MOVE_NOT_FOUND */
async function getMove(app: App): Promise<Move> {
  const { findMove } = await import('../../features/move/index.ts')
  const move = await findMove(app)
  if (move) return move
  throw new Failure('MOVE_NOT_FOUND', 'There is no move', { hint: 'Start one: latchkey move from-better-auth --apply' })
}

const check = command('check', 'Compare the old database with Latchkey', {
  description:
    'Compares the number of rows of each table, and samples of them column by column; opens sealed values; signs and verifies with each signing key. Writes nothing.',
  examples: ['latchkey move check --database-env OLD_DATABASE_URL'],
  options: {
    ...sourceOptions,
    samples: option('--samples <n>', 'Rows of each table to compare [200]', (z) => wholeNumber(z, 20, 100_000).default(200)),
  },
  usesDatabase: true,
  deadline: 3600,
  action: async (context) => {
    const { checkMove } = await import('../../features/move/index.ts')
    const target = await openMoveApp(context, 'read')
    const { app } = target
    const move = await getMove(app)
    const { source, recognized, settings } = await openMoveSource(context, await sourceUse(context, target, move))
    try {
      const checks = await checkMove({ app, source, tables: recognized.tables, settings, samples: context.options.samples })
      const differences = checks.flatMap((one) => one.differences)
      context.output.result('move-check/v1', { checks }, [
        ...checks.map(({ kind, rows, moved, compared, differences: own }) => {
          const rest = own.length > 0 ? `, ${own.length} differences` : ''
          return `${kind}: ${rows} rows, ${moved} moved, ${compared} compared${rest}`
        }),
        ...differences.slice(0, 50),
      ])
      return differences.length > 0 ? exitCodes.failed : exitCodes.done
    } finally {
      await source.close()
    }
  },
})

const status = command('status', 'Show the state of the move', {
  examples: ['latchkey move status', 'latchkey move status --json'],
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { findChanges } = await import('../../features/move/index.ts')
    const { app } = await openMoveApp(context, 'read')
    const move = await getMove(app)
    const changes = (await findChanges(app, move)).filter(({ made, changed }) => made + changed > 0)
    const { state, startedAt, appliedAt, details } = move
    const { generation, seconds, counts = {} } = details
    context.output.result('move-status/v1', { state, startedAt, appliedAt, generation, seconds, counts, changes }, [
      `better-auth ${generation}, since ${startedAt}: ${state === 'final' ? 'final, Latchkey serves' : state}`,
      appliedAt === null ? 'No run was completed' : `Last run: ${appliedAt}, ${(seconds ?? 0).toFixed(1)} s`,
      ...Object.entries(counts).map(
        ([kind, { rows, moved, left }]) => `${kind}: ${rows} rows, ${moved} moved, ${left} not moved`,
      ),
      ...changes.map(({ kind, made, changed }) => `${kind}: ${made} made and ${changed} changed at Latchkey since`),
    ])
  },
})

const finish = command('finish', 'End the move, and remove its tables', {
  description: 'After it, neither a further copy nor a way back is possible. The data of users stay as they are.',
  examples: ['latchkey move finish --confirm finish'],
  options: {
    confirm: option('--confirm <word>', 'Confirm with "finish"', (z) => z.string().optional()),
    unfinished: flag('--unfinished', 'Although the last run was not final'),
  },
  usesDatabase: true,
  deadline: 600,
  exitCodes: [4, 5],
  action: async (context) => {
    const { dropMoveTables } = await import('../../features/move/index.ts')
    const target = await openMoveApp(context, 'end')
    const { app } = target
    const move = await getMove(app)
    requireNoSwitch(move, target.prefix)
    if (move.state !== 'final' && !context.options.unfinished)
      throw new Failure('MOVE_NOT_FINAL', 'The move is not final', {
        exitCode: exitCodes.refused,
        hint: 'Complete it with --apply --final, or give it up with --unfinished.',
      })
    const message = 'The tables of the move are removed: no further copy and no way back is possible.'
    await context.prompt.confirmName({ message, name: 'finish', given: context.options.confirm })
    const { dropTables } = await import('./switch-tables.ts')
    await (target.prefix.value === '' ? dropMoveTables(app) : dropTables(target, context.signal))
    const kept = target.prefix.value === '' ? (move.details.sameSchema?.renames.map(([, to]) => to) ?? []) : []
    context.output.result('move-finish/v1', { finished: true, kept }, [
      'The move is finished',
      ...(kept.length === 0 ? [] : [`The old tables stay until you drop them: ${kept.join(', ')}`]),
    ])
  },
})

const back = command('back', 'Move back to better-auth', {
  description:
    'Writes what users have changed since the move into the old database: new rows, changed columns, deleted rows. Stop the daemon first. With move.trial in the configuration, passwords and sessions from since then work there too; without it, their users set a new password and sign in again.',
  examples: ['latchkey move back --database-env OLD_DATABASE_URL'],
  options: {
    ...sourceOptions,
    confirm: option('--confirm <word>', 'Without a trial: confirm with "back"', (z) => z.string().optional()),
    ignoreDaemons: flag('--ignore-daemons', 'Although daemons use the database'),
  },
  usesDatabase: true,
  deadline: 86_400,
  exitCodes: [4, 5, 7],
  action: async (context) => {
    const { latestTimes, writeMove } = await import('../../features/move/index.ts')
    const { holdLease, sourceName } = await import('./apply-move.ts')
    const target = await openMoveApp(context, 'write')
    const { app, database } = target
    const move = await getMove(app)
    if (!context.options.ignoreDaemons) await requireNoDaemon(app, database)
    const message = 'Without move.trial, passwords and sessions from since the move do not work in better-auth.'
    if (!app.config.move.trial) await context.prompt.confirmName({ message, name: 'back', given: context.options.confirm })
    const opened = await openMoveSource(context, { ...(await sourceUse(context, target, move)), writes: true })
    const { source, url, sessionsAreInRedis } = opened
    if (sessionsAreInRedis) context.output.warn('Sessions in Redis stay as they were; those from since the move end')
    const lease = await holdLease(app, database)
    try {
      if (move.source !== sourceName(url))
        throw new Failure('MOVE_OTHER_SOURCE', 'The users came from another database', { exitCode: exitCodes.refused })
      const counts = await mergeBack(target, opened, move, context.signal)
      // What users wrote is in both databases now, so that a further copy overwrites nothing.
      const returned = { ...move, details: { ...move.details, latest: await latestTimes(app) } }
      const foreignKeys = await restoreNames(target, opened, returned, context)
      if (!foreignKeys) await writeMove(app, { ...returned, state: 'copying' })
      const lines = counts.flatMap(({ kind, inserted, updated, removed, left }) => [
        `${kind}: ${inserted} new, ${updated} changed, ${removed} removed`,
        ...left.slice(0, 20).map(({ id, reason }) => `  not moved: ${id}: ${reason}`),
      ])
      context.output.result('move-back/v1', { counts, ...(foreignKeys && { foreignKeys }) }, [
        ...lines,
        'The old application may serve again',
      ])
      return exitCodes.done
    } finally {
      await lease.release()
      await source.close()
    }
  },
})

type MoveTarget = Awaited<ReturnType<typeof openMoveApp>>

/** Nothing when the tables have their former names already: a killed run is continued. */
async function mergeBack(
  { app, prefix }: MoveTarget,
  { source, recognized, settings, sessionsAreInRedis }: OpenedSource,
  move: Move,
  signal: AbortSignal,
) {
  const { moveBack } = await import('../../features/move/index.ts')
  if (move.state === 'returning' && prefix.value !== '') return []
  const tables = new Map([...recognized.tables].filter(([kind]) => kind !== 'session' || !sessionsAreInRedis))
  return moveBack({ app, source, tables, settings, signal })
}

/** @returns the keys of the application; null for a move to another database */
async function restoreNames(target: MoveTarget, opened: OpenedSource, move: Move, { output, signal }: Context) {
  const { renameBack, warnAboutKeys } = await import('./switch-tables.ts')
  const isRenamed = target.prefix.value === '' && move.details.sameSchema !== undefined
  if (!isRenamed && move.state !== 'returning') return null
  const outcomes = await renameBack(target, opened, move, signal)
  warnAboutKeys(output, outcomes)
  return outcomes
}

/** @throws Failure MOVE_SWITCHING, MOVE_BACK_UNFINISHED */
function requireNoSwitch({ state }: Move, prefix: TablePrefix): void {
  // A switch that was ended before the renaming has changed nothing.
  const isSwitch = state === 'switching' && prefix.value === ''
  if (!isSwitch && state !== 'returning') return
  throw new Failure(
    isSwitch ? 'MOVE_SWITCHING' : 'MOVE_BACK_UNFINISHED',
    isSwitch ? 'The switch is not complete' : 'The way back is not complete',
    { exitCode: exitCodes.refused, hint: isSwitch ? 'Complete it with --apply --final.' : 'Complete it: latchkey move back.' },
  )
}

/** @throws Failure DAEMON_RUNNING */
async function requireNoDaemon(app: App, { dialect }: OpenApp['database']): Promise<void> {
  const { findServing } = await import('../../migrate/index.ts')
  const [serving] = await findServing(app.db, dialect)
  if (!serving) return
  throw new Failure('DAEMON_RUNNING', `A daemon uses this database: process ${serving.process} on ${serving.host}`, {
    exitCode: exitCodes.refused,
    hint: 'Stop it first: latchkey stop. What it writes from now on would be lost.',
  })
}

export const moveState = [check, status, back, finish]

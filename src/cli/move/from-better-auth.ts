/** `latchkey move from-better-auth`: a report, a configuration, and the copy. */
import type { AuthOptions, Mapping } from '../../features/move/index.ts'
import { type ExitCode, exitCodes, usageError } from '../../project/failure.ts'
import { type Context, command, flag, list, option, text, type ValuesOf, wholeNumber } from '../command.ts'
import type { Target } from './same-schema.ts'
import { type OpenedSource, openMoveSource, sourceOptions } from './source-options.ts'

/** Of better-auth, in the order in which they are copied. */
const tableNames =
  'user, account, organization, team, member, teamMember, organizationRole, invitation, apikey, jwks, twoFactor, passkey, session, verification'

const options = {
  ...sourceOptions,
  auth: text('--auth <file>', 'File of the application that exports auth: names and options are read from it'),
  mappingOut: text('--mapping-out <file>', 'Write the names that were recognized to a file'),
  configOut: text('--config-out <file>', 'Write the configuration to a new file'),
  apply: flag('--apply', 'Copy; a later run copies what has changed since'),
  final: flag('--final', 'With --apply: the last run, after which Latchkey serves'),
  ids: option('--ids <kind>', 'With number IDs: "digits" or "text" for new rows', (z) => z.enum(['digits', 'text']).optional()),
  onConflict: option('--on-conflict <choice>', 'Users with one email address: "stop", "skip" or "newest" [stop]', (z) =>
    z.enum(['stop', 'skip', 'newest']).default('stop'),
  ),
  skip: list('--skip <table>', `Leave out a table: ${tableNames}; repeatable`),
  only: list('--only <table>', 'Copy these tables only; repeatable'),
  batch: option('--batch <rows>', 'Rows in a transaction [1000]', (z) => wholeNumber(z, 1, 10_000).default(1000)),
  pauseMs: option('--pause-ms <n>', 'Pause between two transactions [0]', (z) => wholeNumber(z, 0, 60_000).default(0)),
  discardChanges: flag('--discard-changes', 'Delete what was written at Latchkey since the last run'),
  sameSchema: flag('--same-schema', 'In the MySQL database of the old application, whose tables are renamed'),
  verifyEmails: flag('--verify-emails', 'Mark the email addresses of all users as verified'),
  views: flag('--views', 'Print views with the old names over the tables of Latchkey'),
  ignoreConnections: flag('--ignore-connections', 'With --final: although other connections to the old database are open'),
  showAddresses: flag('--show-addresses', 'Print whole email addresses'),
}
type MoveValues = ValuesOf<typeof options>
export type MoveCommandContext = Context<MoveValues>

export const fromBetterAuth = command('from-better-auth', 'Move the data of better-auth', {
  description:
    'Without --apply it prints a report and writes nothing. It reads versions 1.2 to 1.7 on MySQL, MariaDB, PostgreSQL (with the package pg) and SQLite, and never writes to the old database. The secret is read from BETTER_AUTH_SECRET, several from BETTER_AUTH_SECRETS. See docs/moving-from-better-auth.md.',
  examples: [
    'latchkey move from-better-auth --database-env OLD_DATABASE_URL',
    'latchkey move from-better-auth --database-env OLD_DATABASE_URL --apply',
    'latchkey move from-better-auth --database-env OLD_DATABASE_URL --apply --final',
    'latchkey move from-better-auth --database sqlite:./app.db --auth src/auth.ts',
    'latchkey move from-better-auth --same-schema --apply',
  ],
  options,
  usesDatabase: true,
  deadline: 86_400,
  exitCodes: [5, 7],
  action: async (context) => {
    if (context.options.final && !context.options.apply) throw usageError('--final needs --apply')
    const auth = await readAuth(context)
    const target = context.options.sameSchema ? await openSameSchema(context) : null
    const given = target ? await (await import('./same-schema.ts')).sourceUseOf(target) : {}
    const { verifyEmails } = context.options
    const opened = await openMoveSource(context, { mapping: auth?.mapping, verifyEmails, ...given })
    try {
      if (context.options.mappingOut !== undefined) await writeMapping(context, opened)
      if (context.options.views) return await (await import('./views-report.ts')).printViews(context, opened, target)
      if (!context.options.apply) return await report(context, opened, auth?.options ?? null, target)
      const { apply, applySameSchema } = await import('./copy-command.ts')
      return await (target ? applySameSchema(context, opened, target) : apply(context, opened))
    } finally {
      await opened.source.close()
    }
  },
})

async function openSameSchema(context: MoveCommandContext): Promise<Target> {
  const { openTarget, requireUnfinished } = await import('./same-schema.ts')
  const target = await openTarget(context)
  if (!context.options.views) requireUnfinished(target, context.options.final)
  return target
}

async function readAuth({ options: { auth }, cwd, env }: MoveCommandContext) {
  if (auth === undefined) return null
  const { readAuthFile, mappingOf } = await import('./auth-file.ts')
  const read = await readAuthFile(auth, cwd, env)
  return { options: read as AuthOptions, mapping: mappingOf(read) satisfies Mapping }
}

async function writeMapping({ options: { mappingOut = '' }, cwd, output }: MoveCommandContext, { recognized }: OpenedSource) {
  const { writeFile } = await import('node:fs/promises')
  const { resolve } = await import('node:path')
  const { mappingOf } = await import('../../features/move/index.ts')
  await writeFile(resolve(cwd, mappingOut), `${JSON.stringify(mappingOf(recognized), null, 2)}\n`, { flag: 'wx' })
  output.info(`Wrote the names to ${mappingOut}`)
}

async function readWhole(
  context: MoveCommandContext,
  { source, recognized, settings }: OpenedSource,
  auth: AuthOptions | null,
  target: Target | null,
) {
  const { derive, readFacts } = await import('../../features/move/index.ts')
  const { duplicatesOf } = await import('./copy-command.ts')
  const found = await readFacts({ source, tables: recognized.tables, settings })
  // The plan has their foreign keys.
  const facts = target ? { ...found, referringTables: [] } : found
  return { facts, derived: derive(recognized, facts, auth, new Date()), ...(await duplicatesOf(context, { source, recognized })) }
}

async function report(
  context: MoveCommandContext,
  opened: OpenedSource,
  auth: AuthOptions | null,
  target: Target | null,
): Promise<ExitCode> {
  const { addReason, noReasons, reportDocument, reportLines } = await import('./move-report.ts')
  const { openReportApp } = await import('./report-app.ts')
  const { facts, derived, duplicates, excluded } = await readWhole(context, opened, auth, target)
  await warnAbout(context, opened, facts.newestTime)
  const reasons = noReasons()
  const { run } = await import('./copy-command.ts')
  const plan = target && (await (await import('./same-schema.ts')).planOf(target.app, opened)).document
  const { app, close } = await openReportApp(derived.options)
  try {
    const counts = await run(context, opened, app, { writes: false, excluded, onLeft: async (row) => addReason(reasons, row) })
    const from = opened.source.label
    const { showAddresses, verifyEmails } = context.options
    const data = { ...opened, from, counts, reasons, derived, facts, duplicates, showAddresses, verifyEmails, plan }
    context.output.result('move-report/v1', reportDocument(data), reportLines(data, context.output))
    if (context.options.configOut !== undefined) await writeConfig(context, derived)
    return exitCodes.done
  } finally {
    await close()
  }
}

async function writeConfig(
  { options: { configOut = '' }, cwd, output }: MoveCommandContext,
  derived: Awaited<ReturnType<typeof readWhole>>['derived'],
) {
  const { writeFile } = await import('node:fs/promises')
  const { resolve } = await import('node:path')
  const { configText } = await import('../../features/move/index.ts')
  await writeFile(resolve(cwd, configOut), configText(derived.options, derived.notes), { flag: 'wx' })
  output.info(`Wrote the configuration to ${configOut}`)
}

/** The newest row was written a moment ago, or the clock of the application has another zone. */
async function warnAbout({ output, options }: MoveCommandContext, opened: OpenedSource, newestTime: Date | null): Promise<void> {
  const { findWrongSecret } = await import('../../features/move/index.ts')
  const slackMs = 300_000
  if (newestTime !== null && newestTime.getTime() > Date.now() + slackMs)
    output.warn(
      `The newest row is from ${newestTime.toISOString()}, which is later than now. Is ${options.sourceTimeZone} the zone of the application? See --source-time-zone`,
    )
  const { source, recognized, settings } = opened
  const wrong = await findWrongSecret({ source, tables: recognized.tables, settings })
  const { wrongSecret } = await import('./apply-move.ts')
  if (wrong.length > 0) output.warn(wrongSecret(wrong).message)
}

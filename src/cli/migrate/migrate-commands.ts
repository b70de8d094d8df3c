import { relative } from 'node:path'
import { counted } from '../../lib/text.ts'
import { exitCodes } from '../../project/failure.ts'
import { command, flag, group, list, option, seconds, text, wholeNumber } from '../command.ts'

const planOptions = {
  dryRun: flag('-n, --dry-run', 'Only print the plan'),
  sql: flag('--sql', 'Also print the SQL statements'),
}

/** Options of the commands that run migrations. */
const runOptions = {
  ...planOptions,
  lockTimeout: option('--lock-timeout <seconds>', 'Wait for another run that holds the lock [60]', (z) => seconds(z).default(60)),
}

const acknowledgeUse = list(
  '--acknowledge <use>',
  'Drop what a running daemon uses, by its name in the error, such as in-use:user.nickname; repeatable',
)

export const up = command('up', 'Apply pending migrations', {
  description:
    'Asks before it applies them; without a terminal it needs --yes. Only one run at a time changes a database; other runs wait, also on other machines. Records every statement, so that the next run can resume an interrupted one. Stops before a statement that drops what a running daemon uses.',
  examples: ['latchkey migrate up --dry-run --sql', 'latchkey migrate up', 'latchkey migrate up --yes --wait-for-db 60 --json'],
  options: {
    to: option('--to <number>', 'Number of the last migration to apply [all]', (z) => wholeNumber(z, 1, 9999).optional()),
    acknowledge: acknowledgeUse,
    ...runOptions,
  },
  usesDatabase: true,
  exitCodes: [4, 5, 6, 7],
  deadline: 3600,
  action: async ({ options, output, prompt, signal, openApp }) => {
    const { to, dryRun, sql, lockTimeout, acknowledge } = options
    const { app, database, loaded } = await openApp()
    const { requireSupported } = await import('../../project/open-app.ts')
    await requireSupported(database)
    const { migrationRun, appliedLines, nextSteps } = await import('./migrate-output.ts')
    const { up: apply } = await import('../../migrate/index.ts')
    const run = { ...migrationRun({ actor: app.actor, database, loaded, output, lockTimeout, acknowledge, signal }), to }
    const plan = await apply({ ...run, dryRun: true })
    const show = (applied: typeof plan.applied, lines: string | readonly string[]) =>
      output.result('migrate-up/v1', { dryRun, applied }, lines)
    if (plan.applied.length === 0) return show([], 'Nothing to do: all migrations are applied')
    const planLines = appliedLines(plan.applied, output.paint, sql)
    if (dryRun) {
      show(plan.applied, [...planLines, `Would apply ${counted(plan.applied.length, 'migration')}`])
      return output.info('Next: latchkey migrate up')
    }
    if (!output.json) output.info(planLines.join('\n'))
    if (!(await prompt.confirm('Apply?'))) return show([], 'Nothing was changed')
    const { applied } = await apply(run)
    show(applied, `Applied ${counted(applied.length, 'migration')}`)
    for (const line of await nextSteps(database, applied)) output.info(line)
  },
})

export const down = command('down', 'Roll back migrations', {
  description:
    'Drops the columns and tables that the migrations created, with their data, and nothing else: what existed before stays. Confirm by typing the name of the oldest migration to roll back, or with --confirm; --yes is not enough.',
  examples: ['latchkey migrate down --dry-run', 'latchkey migrate down', 'latchkey migrate down --steps 2 --confirm 0003_teams'],
  options: {
    steps: option('--steps <n>', 'Number of migrations to roll back [1]', (z) => wholeNumber(z, 1, 9999).default(1)),
    confirm: text('--confirm <name>', 'Name of the oldest migration to roll back'),
    acknowledge: acknowledgeUse,
    ...runOptions,
  },
  usesDatabase: true,
  exitCodes: [4, 5, 6, 7],
  deadline: 3600,
  action: async ({ options, output, prompt, signal, openApp }) => {
    const { steps, confirm, dryRun, sql, lockTimeout, acknowledge } = options
    const { app, database, loaded } = await openApp()
    const { migrationRun, appliedLines } = await import('./migrate-output.ts')
    const { down: rollBack } = await import('../../migrate/index.ts')
    const run = { ...migrationRun({ actor: app.actor, database, loaded, output, lockTimeout, acknowledge, signal }), steps }
    const plan = await rollBack({ ...run, dryRun: true })
    const oldest = plan.applied.at(-1)
    if (!oldest) return output.result('migrate-down/v1', { dryRun, applied: [] }, 'Nothing to roll back: no migration is applied')
    const lines = appliedLines(plan.applied, output.paint, sql)
    if (dryRun) return output.result('migrate-down/v1', { dryRun, applied: plan.applied }, lines)
    if (!output.json) output.info(lines.join('\n'))
    await prompt.confirmName({ message: 'This deletes data.', name: oldest.name, given: confirm })
    // Rolls back exactly the printed plan, even if another process has changed the migrations since.
    const { applied } = await rollBack({ ...run, expected: plan.applied.map(({ name }) => name) })
    output.result('migrate-down/v1', { dryRun, applied }, `Rolled back ${counted(applied.length, 'migration')}`)
  },
})

export const adopt = command('adopt', 'Record migrations whose tables exist', {
  description:
    'For a database that has the tables but no journal, such as a restored dump. Records pending migrations as applied, without executing them, if the database has exactly the tables that they declare. Rolling back an adopted migration drops nothing.',
  examples: ['latchkey migrate adopt --dry-run', 'latchkey migrate adopt', 'latchkey migrate adopt --yes --json'],
  options: { dryRun: runOptions.dryRun, lockTimeout: runOptions.lockTimeout },
  usesDatabase: true,
  exitCodes: [4, 5, 6, 7],
  deadline: 120,
  action: async ({ options, output, prompt, signal, openApp }) => {
    const { dryRun, lockTimeout } = options
    const { app, database, loaded } = await openApp()
    const { migrationRun } = await import('./migrate-output.ts')
    const { adopt: record, adoptEmbedded } = await import('../../migrate/index.ts')
    if (!database.dialect.keepsMigrationFiles) {
      const { declaredSchema } = await import('../../project/schema-check.ts')
      const embedded = { ...database, schema: declaredSchema(loaded) }
      const tables = await adoptEmbedded({ ...embedded, dryRun: true })
      const shown = (text: string) => output.result('migrate-adopt/v1', { dryRun, adopted: [], tables }, text)
      if (tables.length === 0) return shown('Nothing to do: all tables are recorded')
      if (dryRun) return shown(`Would adopt ${tables.join(', ')}`)
      if (!(await prompt.confirm(`Record as created by Latchkey: ${tables.join(', ')}?`)))
        return output.info('Nothing was changed')
      await adoptEmbedded(embedded)
      return shown(`Adopted ${tables.join(', ')}`)
    }
    const run = migrationRun({ actor: app.actor, database, loaded, output, lockTimeout, acknowledge: [], signal })
    const plan = await record({ ...run, dryRun: true })
    const show = (adopted: typeof plan.adopted, lines: string | readonly string[]) =>
      output.result('migrate-adopt/v1', { dryRun, adopted, tables: [] }, lines)
    if (plan.adopted.length === 0) return show([], 'Nothing to do: no migration is pending')
    const lines = plan.adopted.flatMap(({ name, byHand }) => [
      `= ${name}`,
      ...byHand.map((statement) => `  not executed, written by hand: ${statement.replaceAll(/\s+/g, ' ')}`),
    ])
    if (dryRun) return show(plan.adopted, [...lines, `Would adopt ${counted(plan.adopted.length, 'migration')}`])
    if (!output.json) output.info(lines.join('\n'))
    if (!(await prompt.confirm('Record as applied?'))) return show([], 'Nothing was changed')
    const { adopted } = await record(run)
    show(adopted, `Adopted ${counted(adopted.length, 'migration')}`)
  },
})

export const generate = command('generate', 'Generate a migration from the configuration', {
  description:
    'Compares the configuration with the newest migration in the folder migrations and writes the SQL for MySQL and MariaDB to apply and to roll back the changes. Needs no database, and no secret or URL of the configuration.',
  examples: [
    'latchkey migrate generate',
    'latchkey migrate generate --check',
    'latchkey migrate generate --name teams',
    'latchkey migrate generate --acknowledge drop-column:user.nickname',
  ],
  options: {
    name: option('--name <name>', 'Name of the migration [from its changes]', (z) =>
      z
        .string()
        .max(60, 'expected 60 characters at most')
        .regex(/[a-z0-9]/i, 'expected a letter or a digit')
        .optional(),
    ),
    acknowledge: list('--acknowledge <change>', 'Accept a change that may lose data, by its name in the plan; repeatable'),
    ...planOptions,
    check: flag('--check', 'Only print the plan, and exit with 3 if it has changes'),
  },
  exitCodes: [3, 5, 8],
  deadline: 60,
  action: async ({ options, output, cwd, loadConfig }) => {
    const { name, acknowledge, check } = options
    const dryRun = options.dryRun || check
    const loaded = await loadConfig({ needs: [] })
    const { declaredSchema, migrationsFolder } = await import('../../project/schema-check.ts')
    const { generate: write } = await import('../../migrate/index.ts')
    const { changeLines, renameLines, sqlLines, writtenLines } = await import('./migrate-output.ts')
    const request = { schema: declaredSchema(loaded), dir: migrationsFolder(loaded.directory), name, acknowledge }
    const plan = await write({ ...request, write: false })
    const { changes, sql, renames } = plan
    const lines = [...changeLines(changes, output.paint), ...renameLines(renames), ...(options.sql ? sqlLines(sql) : [])]
    const show = (written: typeof plan.written, text: readonly string[]) =>
      output.result('migrate-generate/v1', { dryRun, changes, sql, renames, written }, text)
    if (changes.length === 0 || dryRun) {
      show(null, changes.length === 0 ? ['Nothing to do: the migrations match the configuration'] : lines)
      return check && changes.length > 0 ? exitCodes.pending : exitCodes.done
    }
    // Print the plan after a failure too, because it lists the names to acknowledge.
    const { written } = await write(request).catch((error: unknown) => {
      if (!output.json) output.info(lines.join('\n'))
      throw error
    })
    show(written, [...lines, '', ...(written?.paths ?? []).map((path) => `Wrote ${relative(cwd, path)}`)])
    for (const line of writtenLines(loaded, written?.obsolete.map((path) => relative(cwd, path)) ?? [])) output.info(line)
    return exitCodes.done
  },
})

export const status = command('status', 'Show pending, changed and drifted migrations', {
  description:
    'Finds schema changes without a migration, pending and interrupted migrations, applied files that were edited or deleted, and tables that differ from the applied migrations. Changes nothing.',
  examples: ['latchkey migrate status', 'latchkey migrate status --exit-code --json'],
  options: { exitCode: flag('--exit-code', 'Exit with 3 if anything is found') },
  usesDatabase: true,
  exitCodes: [3],
  deadline: 120,
  action: async ({ options, output, openApp }) => {
    const { database, loaded } = await openApp()
    const { declaredSchema, migrationsFolder } = await import('../../project/schema-check.ts')
    const { isClean, status: find } = await import('../../migrate/index.ts')
    const { statusLines } = await import('./migrate-output.ts')
    const { db, dialect } = database
    const found = await find({ db, dialect, dir: migrationsFolder(loaded.directory), schema: declaredSchema(loaded) })
    const clean = isClean(found)
    const isEmbedded = !dialect.keepsMigrationFiles
    const lines = statusLines(found, { clean, isEmbedded, paint: output.paint })
    output.result('migrate-status/v1', { clean, ...found }, lines.map(output.typed))
    return options.exitCode && !clean ? exitCodes.pending : exitCodes.done
  },
})

export const migrate = group('migrate', 'Manage database migrations', {
  description:
    'Migrations are SQL files for MySQL and MariaDB, in the folder migrations: generate them from the configuration, review them, then apply them. An embedded database needs no migrations: the daemon updates its schema.',
  examples: [
    'latchkey migrate generate',
    'latchkey migrate up --dry-run',
    'latchkey migrate up',
    'latchkey migrate status --exit-code',
  ],
  commands: [generate, up, down, adopt, status],
})

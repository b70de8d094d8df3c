import { command } from '../command.ts'
import { flag, lockTimeoutOption, seconds, waitForDatabaseOption, wholeNumber } from '../inputs.ts'

export const up = command({
  name: 'up',
  summary: 'Apply the migrations that are pending',
  description:
    'One run at a time, on any number of machines; the others wait and find nothing to do. Each statement is noted, so that a run that was killed goes on where it stopped.',
  examples: ['latchkey migrate up --dry-run --sql', 'latchkey migrate up', 'latchkey migrate up --yes --wait-for-db 60 --json'],
  options: [
    { flags: '--to <number>', description: 'The last one to apply; default: all' },
    { flags: '-n, --dry-run', description: 'Only show what would be done' },
    { flags: '--sql', description: 'Show the statements too' },
    lockTimeoutOption,
    waitForDatabaseOption,
  ],
  exitCodes: [6, 7, 8],
  deadline: 3600,
  input: (z) =>
    z.object({
      to: wholeNumber(z, 1, 9999).optional(),
      dryRun: flag(z),
      sql: flag(z),
      lockTimeout: seconds(z).default(60),
      waitForDb: seconds(z).default(0),
    }),
  action: async ({ options, output, prompt, signal, openApp }) => {
    const { to, dryRun, sql, lockTimeout, waitForDb } = options
    const { database, loaded } = await openApp({ waitForDatabase: waitForDb })
    const [{ migrationRun }, { up: apply }, { appliedLines, counted }] = await Promise.all([
      import('../migration-run.ts'),
      import('../../migrate/index.ts'),
      import('../migration-view.ts'),
    ])
    const run = { ...migrationRun({ database, loaded, output, lockTimeout, signal }), to }
    if (!dryRun && prompt.isAllowed) {
      const { applied } = await apply({ ...run, dryRun: true })
      if (applied.length > 0) {
        output.info(appliedLines(applied, output.paint, sql).join('\n'))
        if (!(await prompt.confirm('Apply?')))
          return output.result('migrate-up/v1', { dryRun, applied: [] }, 'Nothing was changed')
      }
    }
    const { applied } = await apply({ ...run, dryRun })
    const nothing = 'Nothing to do: all migrations are applied'
    const summary = dryRun
      ? `Would apply ${counted(applied.length, 'migration')}`
      : `Applied ${counted(applied.length, 'migration')}`
    output.result(
      'migrate-up/v1',
      { dryRun, applied },
      applied.length === 0 ? nothing : [...appliedLines(applied, output.paint, sql), summary],
    )
    if (applied.length > 0) output.info(dryRun ? 'Next: latchkey migrate up' : 'Next: latchkey seed')
  },
})

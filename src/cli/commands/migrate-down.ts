import { command } from '../command.ts'
import { flag, lockTimeoutOption, seconds, waitForDatabaseOption, wholeNumber } from '../inputs.ts'

export const down = command({
  name: 'down',
  summary: 'Take back the newest migrations, with the data in what they made',
  description:
    'What a migration has created is dropped with all rows in it. So the name of the oldest migration that is taken back has to be typed, or given with --confirm; --yes does not answer that.',
  examples: ['latchkey migrate down --dry-run', 'latchkey migrate down', 'latchkey migrate down --steps 2 --confirm 0003_teams'],
  options: [
    { flags: '--steps <n>', description: 'How many; default: 1' },
    { flags: '--confirm <name>', description: 'Name of the oldest migration to take back' },
    { flags: '-n, --dry-run', description: 'Only show what would be done' },
    { flags: '--sql', description: 'Show the statements too' },
    lockTimeoutOption,
    waitForDatabaseOption,
  ],
  exitCodes: [4, 5, 6, 7, 8],
  deadline: 3600,
  input: (z) =>
    z.object({
      steps: wholeNumber(z, 1, 9999).default(1),
      confirm: z.string().optional(),
      dryRun: flag(z),
      sql: flag(z),
      lockTimeout: seconds(z).default(60),
      waitForDb: seconds(z).default(0),
    }),
  action: async ({ options, output, prompt, signal, openApp }) => {
    const { steps, confirm, dryRun, sql, lockTimeout, waitForDb } = options
    const { database, loaded } = await openApp({ waitForDatabase: waitForDb })
    const [{ migrationRun }, { down: takeBack }, { appliedLines, counted }] = await Promise.all([
      import('../migration-run.ts'),
      import('../../migrate/index.ts'),
      import('../migration-view.ts'),
    ])
    const run = { ...migrationRun({ database, loaded, output, lockTimeout, signal }), steps }
    const plan = await takeBack({ ...run, dryRun: true })
    const oldest = plan.applied.at(-1)
    if (!oldest) return output.result('migrate-down/v1', { dryRun, applied: [] }, 'Nothing to take back: no migration is applied')
    const lines = appliedLines(plan.applied, output.paint, sql)
    if (dryRun) return output.result('migrate-down/v1', { dryRun, applied: plan.applied }, lines)
    if (!output.json) output.info(lines.join('\n'))
    await prompt.confirmName({ message: 'Data will be lost.', name: oldest.name, given: confirm })
    // What is taken back is what was shown, even when somebody else was quicker.
    const { applied } = await takeBack({ ...run, expected: plan.applied.map(({ name }) => name) })
    output.result('migrate-down/v1', { dryRun, applied }, `Took back ${counted(applied.length, 'migration')}`)
  },
})

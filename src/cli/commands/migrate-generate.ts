import { relative } from 'node:path'
import { command } from '../command.ts'
import { flag } from '../inputs.ts'

export const generate = command({
  name: 'generate',
  summary: 'Write the next migration from the configuration',
  description:
    'Compares what the configuration needs with the newest file in the folder migrations, and writes the SQL that leads from one to the other, forth and back. No database is needed.',
  examples: [
    'latchkey migrate generate',
    'latchkey migrate generate --name teams',
    'latchkey migrate generate --acknowledge drop-column:user.nickname',
  ],
  options: [
    { flags: '--name <name>', description: 'Goes into the name of the file' },
    {
      flags: '--acknowledge <change>',
      description: 'A change that may lose data, by its name in the plan; as often as needed',
      repeatable: true,
    },
    { flags: '-n, --dry-run', description: 'Only show the plan' },
    { flags: '--sql', description: 'Show the statements too' },
  ],
  exitCodes: [5, 8],
  deadline: 60,
  input: (z) =>
    z.object({
      name: z
        .string()
        .max(60, 'expected 60 characters at most')
        .regex(/[a-z0-9]/i, 'expected a letter or a digit')
        .optional(),
      acknowledge: z.array(z.string()).default([]),
      dryRun: flag(z),
      sql: flag(z),
    }),
  action: async ({ options, output, cwd, loadConfig }) => {
    const { name, acknowledge, dryRun } = options
    const loaded = await loadConfig()
    const [{ declaredSchema, migrationsFolder }, { generate: write }, { changeLines, sqlLines }] = await Promise.all([
      import('../schema.ts'),
      import('../../migrate/index.ts'),
      import('../migration-view.ts'),
    ])
    const request = { schema: declaredSchema(loaded), dir: migrationsFolder(loaded.directory), name, acknowledge }
    const plan = await write({ ...request, write: false })
    const lines = [...changeLines(plan.changes, output.paint), ...(options.sql ? sqlLines(plan.sql) : [])]
    const show = (written: typeof plan.written, text: readonly string[]) =>
      output.result('migrate-generate/v1', { dryRun, changes: plan.changes, sql: plan.sql, written }, text)
    if (plan.changes.length === 0) return show(null, ['Nothing to do: the newest migration is what the configuration needs'])
    if (dryRun) return show(null, lines)
    // A refused plan is shown all the same: it has the names to acknowledge.
    const { written } = await write(request).catch((error: unknown) => {
      if (!output.json) output.info(lines.join('\n'))
      throw error
    })
    show(written, [...lines, '', ...(written?.paths ?? []).map((path) => `Wrote ${relative(cwd, path)}`)])
    output.info('Next: read the SQL, then latchkey migrate up')
  },
})

import { command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { flag, seconds, waitForDatabaseOption } from '../inputs.ts'

export const status = command({
  name: 'status',
  summary: 'Show what is not as it should be',
  description:
    'Finds a configuration that needs what no migration makes, migrations that are not applied or were interrupted, applied ones that were edited or are gone, and tables that differ from what was applied. It only reads.',
  examples: ['latchkey migrate status', 'latchkey migrate status --exit-code --json'],
  options: [{ flags: '--exit-code', description: 'End with 3 when something is not as it should be' }, waitForDatabaseOption],
  exitCodes: [3, 6, 8],
  deadline: 120,
  input: (z) => z.object({ exitCode: flag(z), waitForDb: seconds(z).default(0) }),
  action: async ({ options, output, openApp }) => {
    const { database, loaded } = await openApp({ waitForDatabase: options.waitForDb })
    const [{ declaredSchema, migrationsFolder }, { isClean, status: find }, { statusLines }] = await Promise.all([
      import('../schema.ts'),
      import('../../migrate/index.ts'),
      import('../migration-status.ts'),
    ])
    const { db, dialect } = database
    const found = await find({ db, dialect, dir: migrationsFolder(loaded.directory), schema: declaredSchema(loaded) })
    const clean = isClean(found)
    const isEmbedded = dialect.name === 'sqlite'
    output.result('migrate-status/v1', { clean, ...found }, statusLines(found, { clean, isEmbedded, paint: output.paint }))
    return options.exitCode && !clean ? exitCodes.pending : exitCodes.done
  },
})

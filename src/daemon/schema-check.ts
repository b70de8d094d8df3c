/** That the database has what the configuration needs; needs the right to read only. */
import type { OpenApp } from '../app.ts'
import { CliFailure } from '../cli/failure.ts'
import { migrationsFolder } from '../cli/schema.ts'
import { declareSchema, generate, pendingMigrations } from '../migrate/index.ts'

/**
 * Nothing to ask of an embedded database, which follows the configuration at the next start.
 * @throws CliFailure MIGRATIONS_NOT_GENERATED, MIGRATIONS_PENDING; MigrationFault FILES_INVALID
 */
export async function checkSchema(directory: string, { app, database }: Pick<OpenApp, 'app' | 'database'>): Promise<void> {
  const { db, dialect } = database
  if (dialect.name === 'sqlite') return
  const dir = migrationsFolder(directory)
  const { changes } = await generate({ schema: declareSchema(app.features), dir, write: false })
  // What is no longer declared may stay for as long as its owner likes.
  const missing = changes.filter(({ name }) => !name.startsWith('drop-'))
  if (missing.length > 0) {
    const what = missing.length === 1 ? 'a change' : `${missing.length} changes`
    throw new CliFailure('MIGRATIONS_NOT_GENERATED', `The configuration declares ${what} that no migration makes`, {
      hint: 'Type `latchkey migrate generate`, read the SQL, then `latchkey migrate up`.',
    })
  }
  const pending = await pendingMigrations({ db, dialect, dir })
  if (pending.length === 0) return
  throw new CliFailure('MIGRATIONS_PENDING', `Migrations are pending: ${pending.join(', ')}`, {
    hint: 'Type `latchkey migrate up`, or start with --migrate.',
  })
}

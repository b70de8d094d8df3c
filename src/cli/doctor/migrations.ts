/** Whether the tables are those which the configuration needs. */
import type { OpenApp } from '../../app.ts'
import { type Status, status } from '../../migrate/index.ts'
import type { LoadedConfig } from '../load-config.ts'
import { counted } from '../migration-view.ts'
import { declaredSchema, migrationsFolder } from '../schema.ts'
import { type Finding, failed, ok, skipped } from './finding.ts'

export async function checkMigrations(loaded: LoadedConfig, { db, dialect }: OpenApp['database']): Promise<Finding[]> {
  const found = await status({ db, dialect, dir: migrationsFolder(loaded.directory), schema: declaredSchema(loaded) })
  if (dialect.name === 'sqlite') {
    const tables =
      found.drift.length === 0
        ? ok('drift', 'Tables', 'As declared')
        : skipped('drift', 'Tables', 'They follow the configuration when the daemon starts')
    return [tables]
  }
  return [describeMigrations(found), describeDrift(found)]
}

function describeMigrations({ ungenerated, pending, interrupted, edited, missing, applied }: Status): Finding {
  const [id, title] = ['migrations', 'Migrations']
  const wrong = [...edited, ...missing]
  if (wrong.length > 0)
    return failed(id, title, `Applied, but edited or gone since: ${wrong.join(', ')}`, 'Restore the files from version control.')
  if (ungenerated.length > 0)
    return failed(
      id,
      title,
      `${counted(ungenerated.length, 'change')} in no migration`,
      'latchkey migrate generate, read the SQL, latchkey migrate up',
    )
  if (interrupted.length > 0)
    return failed(
      id,
      title,
      `Interrupted, or under way: ${interrupted.map(({ name }) => name).join(', ')}`,
      'latchkey migrate up',
    )
  if (pending.length > 0) return failed(id, title, `Pending: ${pending.join(', ')}`, 'latchkey migrate up')
  return ok(id, title, `${applied} applied, none pending`)
}

function describeDrift({ drift, interrupted }: Status): Finding {
  const [id, title] = ['drift', 'Tables']
  if (interrupted.length > 0) return skipped(id, title, 'In the middle of a migration')
  const [first] = drift
  if (!first) return ok(id, title, 'As the migrations made them')
  const others = drift.length === 1 ? '' : `, and ${drift.length - 1} more`
  return failed(
    id,
    title,
    `${first.message}${others}`,
    'latchkey migrate status shows all; put the database back, or declare what it should be.',
  )
}

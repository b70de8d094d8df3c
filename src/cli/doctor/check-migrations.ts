/** Checks that the migrations are applied, and that the tables match them. */
import type { OpenApp } from '../../app.ts'
import { counted } from '../../lib/text.ts'
import { describeTaken, type Status } from '../../migrate/index.ts'
import type { LoadedConfig } from '../../project/load-config.ts'
import { readStatus } from '../../project/schema-check.ts'
import { check, type Finding } from './finding.ts'

export async function checkMigrations(loaded: LoadedConfig, { db, dialect }: OpenApp['database']): Promise<Finding[]> {
  const found = await readStatus(loaded, { db, dialect })
  if (found.taken.length > 0) {
    const message = `Exist, but were not created by Latchkey: ${found.taken.map(describeTaken).join(', ')}`
    return [check('migrations', 'Migrations').failed(message, 'See the ways out: `latchkey migrate status`.')]
  }
  if (!dialect.keepsMigrationFiles) {
    const { ok, skipped } = check('drift', 'Tables')
    if (found.drift.length === 0) return [ok('Match the configuration')]
    return [skipped('Older than the configuration; the daemon updates them when it starts')]
  }
  return [describeMigrations(found), describeDrift(found)]
}

function describeMigrations({ ungenerated, pending, interrupted, edited, missing, applied }: Status): Finding {
  const { ok, failed } = check('migrations', 'Migrations')
  const wrong = [...edited, ...missing]
  if (wrong.length > 0)
    return failed(`Applied, but edited or deleted since: ${wrong.join(', ')}`, 'Restore the files from version control.')
  if (ungenerated.length > 0)
    return failed(
      `${counted(ungenerated.length, 'schema change')} without a migration`,
      'Run `latchkey migrate generate`, review the SQL, then run `latchkey migrate up`.',
    )
  if (interrupted.length > 0)
    return failed(`Interrupted or running: ${interrupted.map(({ name }) => name).join(', ')}`, 'Run `latchkey migrate up`.')
  if (pending.length > 0) return failed(`Pending: ${pending.join(', ')}`, 'Run `latchkey migrate up`.')
  return ok(`${applied} applied, none pending`)
}

function describeDrift({ drift, interrupted }: Status): Finding {
  const { ok, skipped, failed } = check('drift', 'Tables')
  if (interrupted.length > 0) return skipped('A migration is interrupted or running')
  const [first] = drift
  if (!first) return ok('Match the applied migrations')
  const others = drift.length === 1 ? '' : `, and ${drift.length - 1} more`
  return failed(
    `${first.message}${others}`,
    'See all with `latchkey migrate status`. Restore the database, or declare the change in the configuration.',
  )
}

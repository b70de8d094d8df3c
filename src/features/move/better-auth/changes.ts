/** What was written at Latchkey since the last run of a move: tests of its operator, or users after the switch. */
import { sql } from 'kysely'
import type { App } from '../../../core/app.ts'
import { columnsOf, hasTable } from '../../../core/table.ts'
import type { Move } from './entries.ts'
import type { KindName } from './shapes.ts'

const watched: readonly KindName[] = ['user', 'account', 'session', 'organization', 'member', 'apikey', 'passkey']

export interface KindChanges {
  readonly kind: KindName
  readonly made: number
  readonly changed: number
}

const entries = sql.table('latchkey_move_entry')
const existing = (app: App): readonly KindName[] => watched.filter((kind) => hasTable(app, kind))
const hasUpdates = (app: App, kind: KindName): boolean => columnsOf(app, kind).updatedAt !== undefined

/** The newest `updatedAt` of each table: no clock is needed to know what was changed after it. */
export async function latestTimes(app: App): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const kind of existing(app).filter((one) => hasUpdates(app, one))) {
    const { latest } = await app.db
      .selectFrom(kind as 'user')
      .select((eb) => eb.fn.max('updatedAt').as('latest'))
      .executeTakeFirstOrThrow()
    if (latest) found[kind] = new Date(latest).toISOString()
  }
  return found
}

/** Rows that no run has written, since the move began: those from before it, such as a seeded administrator, are not part of it. */
const made = (kind: KindName, since: Date) => sql`from ${sql.table(kind)} where ${sql.ref('createdAt')} >= ${since}
  and not exists (select 1 from ${entries} e where e.${sql.ref('kind')} = ${kind} and e.${sql.ref('targetId')} = ${sql.ref(`${kind}.id`)})`

const changedSince = (
  kind: KindName,
  latest: string,
) => sql`from ${sql.table(kind)} where ${sql.ref('updatedAt')} > ${new Date(latest)}
  and exists (select 1 from ${entries} e where e.${sql.ref('kind')} = ${kind} and e.${sql.ref('targetId')} = ${sql.ref(`${kind}.id`)})`

export async function findChanges(app: App, { startedAt, details }: Move): Promise<KindChanges[]> {
  const count = async (query: ReturnType<typeof made>): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*) as count ${query}`.execute(app.db)
    return Number(rows[0]?.count ?? 0)
  }
  const changes: KindChanges[] = []
  for (const kind of existing(app)) {
    const latest = details.latest?.[kind]
    const isDated = hasUpdates(app, kind) && latest !== undefined
    changes.push({
      kind,
      made: await count(made(kind, new Date(startedAt))),
      changed: isDated ? await count(changedSince(kind, latest)) : 0,
    })
  }
  return changes
}

/** Deletes what was made, and marks what was changed, so that the next run writes it again. */
export async function discardChanges(app: App, { startedAt, details }: Move): Promise<void> {
  for (const kind of existing(app)) {
    await sql`delete ${made(kind, new Date(startedAt))}`.execute(app.db)
    const latest = details.latest?.[kind]
    if (!hasUpdates(app, kind) || latest === undefined) continue
    const { rows } = await sql<{ id: string }>`select ${sql.ref('id')} ${changedSince(kind, latest)}`.execute(app.db)
    for (const { id } of rows)
      await sql`update ${entries} set ${sql.ref('hash')} = '' where ${sql.ref('kind')} = ${kind} and ${sql.ref('targetId')} = ${id}`.execute(
        app.db,
      )
  }
}

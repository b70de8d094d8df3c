/** The lines of a complete export, a page at a time. */
import { createHash } from 'node:crypto'
import type { App } from '../../core/app.ts'
import { streamPages } from '../../core/pages.ts'
import { hasTable } from '../../core/table.ts'
import { version } from '../../core/version.ts'
import type { Header } from './line-schema.ts'
import { schemaName } from './line-schema.ts'
import { type LineType, lineTypes } from './line-types.ts'
import { type Members, membersOf, type Secrets } from './row-forms.ts'
import { readParts, userLine, userPageSize } from './user-form.ts'

export type Line = Members & { readonly type: string }

type Row = Readonly<Record<string, unknown>> & { readonly id: string }

/** The lines of rows of one table. */
export async function linesOf(app: App, { type, table }: LineType, rows: readonly Row[], secrets: Secrets): Promise<Line[]> {
  if (table !== 'user') return rows.map((row) => ({ type, ...membersOf(app, table, row, secrets) }))
  const ids = rows.map(({ id }) => id)
  const parts = ids.length > 0 ? await readParts(app, ids) : new Map()
  return rows.map((row) => ({ type, ...userLine(app, row, parts.get(row.id) ?? {}, secrets) }))
}

const readPages = (app: App, table: string): AsyncGenerator<Row[], void, undefined> =>
  streamPages(userPageSize, '', (after) =>
    app.db
      .selectFrom(table as 'user')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(userPageSize)
      .execute(),
  )

async function countLines(app: App, known: readonly LineType[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { type, table } of known) {
    const query = app.db.selectFrom(table as 'user').select((eb) => eb.fn.countAll().as('count'))
    counts[type] = Number((await query.executeTakeFirstOrThrow()).count)
  }
  return counts
}

/** Everything of one moment; call it within `readSnapshot`. Yields pages, of which the first is the header and the last the footer. */
export async function* exportLines(app: App, secrets: Secrets): AsyncGenerator<Line[], void, undefined> {
  const known = lineTypes.filter(({ table }) => hasTable(app, table))
  const header: Header = {
    type: 'header',
    schema: schemaName,
    version,
    createdAt: app.now().toISOString(),
    baseURL: app.config.baseURL ?? null,
    ...secrets,
    // With the secrets, so that an import can say which hashes it cannot verify.
    keyIds: [...app.keyring.ids()],
    counts: await countLines(app, known),
  }
  yield [header]
  const hash = createHash('sha256')
  let lines = 0
  for (const type of known)
    for await (const rows of readPages(app, type.table)) {
      const page = await linesOf(app, type, rows, secrets)
      for (const line of page) hash.update(textOf(line))
      lines += page.length
      yield page
    }
  yield [{ type: 'footer', lines, sha256: hash.digest('hex') }]
}

export const textOf = (line: Line): string => `${JSON.stringify(line)}\n`

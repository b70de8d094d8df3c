/** Lets users export everything that is stored about them (GDPR articles 15 and 20). Derived from the declared tables. */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { freshSession } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate, viewOf } from '../../core/schemas.ts'
import { mergeTables, type Tables } from '../../core/table.ts'
import { recordEvent } from '../audit/index.ts'
import type { DeclaredTables } from '../index.ts'
import { fullUser } from '../users/index.ts'

export const area = 'User profile'

/** The tables whose rows belong to one user, and end with them, with the column that refers to the user. */
const tablesOfUser = (tables: Tables): { readonly table: string; readonly column: string }[] =>
  Object.entries(tables).flatMap(([table, columns]) => {
    const [column] = Object.keys(columns).filter((name) => {
      const { table: target, onDelete } = columns[name]?.references ?? {}
      return target === 'user' && onDelete === 'cascade'
    })
    return column === undefined ? [] : [{ table, column }]
  })

/** Visible columns only: no hash, no token, and nothing that the configuration does not return. */
const exportView = (tables: Tables) => {
  const rows = tablesOfUser(tables).map(({ table }) => [table, z.array(viewOf(tables[table]))])
  const view = z.object({ exportedAt: isoDate, user: fullUser(tables), ...Object.fromEntries(rows) })
  // The shape is built from data, so the compiler cannot check that it matches the type.
  return view as unknown as z.ZodType<DataExport<string>, DataExport<Date>>
}

interface DataExport<T> {
  readonly exportedAt: T
  readonly user: object
  /** The rows of each table that belong to the user. */
  readonly [table: string]: unknown
}

const exportedTables = memo(({ features }: App) => tablesOfUser(mergeTables(features)))

async function readData(app: App, user: UserRow): Promise<DataExport<Date>> {
  const rows: [string, unknown][] = []
  for (const { table, column } of exportedTables(app)) {
    const owned = app.db.selectFrom(table as keyof DeclaredTables).selectAll()
    rows.push([table, await owned.where(column as never, '=', user.id as never).execute()])
  }
  return { exportedAt: app.now(), user, ...Object.fromEntries(rows) }
}

export const auditActions = { 'user.exported': 'All data about a user was exported' }

export const routes = {
  'GET /export-data': route({
    summary: 'Export the data of the user',
    description:
      'Returns everything that is stored about the current user as one JSON document: the user, their sessions and their sign-in methods. Contains no password hash and no token. Requires a fresh session.',
    access: freshSession(),
    sensitive: true,
    returns: (_config, tables) => exportView(tables),
    rateLimit: { window: 60, max: 3 },
    handler: async (ctx) => {
      await recordEvent(ctx, { action: 'user.exported', target: { type: 'user', id: ctx.user.id } })
      ctx.headers['content-disposition'] = 'attachment; filename="data-export.json"'
      return readData(ctx, ctx.user)
    },
  }),
}

/** The job that writes exports, a page of the list in each transaction. */
import { type App, isUnavailable, reportFailure } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { sweep } from '../../core/sweep.ts'
import { transaction } from '../../core/transaction.ts'
import { workInTurn } from '../../core/turns.ts'
import { recordEvent } from '../audit/index.ts'
import { findUserById } from '../users/index.ts'
import { type FormatName, formats, partsOf } from './formats.ts'
import type { ListExport } from './model.ts'
import { checkAllowed, readFilter, sourceOf, subjectOf } from './sources.ts'

/** Rows that are read and written together. */
const pageSize = 500

/** Works on all running exports. */
export const runExports = (app: App, signal: AbortSignal): Promise<void> =>
  workInTurn(app, signal, {
    what: 'An export',
    idName: 'listExportId',
    find: () => app.db.selectFrom('listExport').selectAll().where('state', '=', 'running').orderBy('createdAt').execute(),
    step: (one) => writePage(app, one),
  })

/** Writes the next page of a running export. @throws Error when the database is unavailable: the page is left for the next run */
export async function writePage(app: App, one: ListExport): Promise<void> {
  try {
    const { rows, nextCursor, total = null, names } = await readPage(app, one)
    const columns = one.columns ?? names
    const { encode } = formats[one.format as FormatName]
    const content = rows.length === 0 ? '' : encode(rows, columns ?? [], one.rows === 0)
    await transaction(app, (tx) =>
      append(tx, one, { content, rows: rows.length, nextCursor, columns, total: one.pages === 0 ? total : one.total }),
    )
  } catch (error) {
    if (isUnavailable(app, error)) throw error
    if (!(error instanceof ApiError)) reportFailure(app, error, 'An export', { listExportId: one.id })
    const { code } = error instanceof ApiError ? error.entry : kernelErrors.INTERNAL_SERVER_ERROR
    await transaction(app, (tx) => fail(tx, one, code))
  }
}

/** On behalf of the user, as long as they may read the list. */
async function readPage(app: App, { source: name, filter: given, createdBy, cursor }: ListExport) {
  const user = await findUserById(app, createdBy)
  if (!user || user.banned) throw new ApiError(kernelErrors.UNAUTHORIZED)
  const source = sourceOf(app, name)
  const filter = readFilter(source, given)
  await checkAllowed(app, user, source, filter)
  const view = source.view(app)
  const page = await source.readPage(app, filter, { cursor: cursor ?? undefined, limit: pageSize })
  const rows = page.rows.map((row) => Object(view.parse(row)) as object)
  return { ...page, rows, names: rows[0] ? Object.keys(rows[0]) : null }
}

interface Written {
  readonly content: string
  readonly rows: number
  readonly nextCursor: string | null
  readonly columns: readonly string[] | null
  readonly total: number | null
}

async function append(tx: App, one: ListExport, written: Written): Promise<void> {
  const { id, pages, parts } = one
  const { content, nextCursor, columns, total } = written
  const found = partsOf(content)
  const rows = one.rows + written.rows
  const changed = {
    ...{ cursor: nextCursor, columns: columns && JSON.stringify(columns), pages: pages + 1, parts: parts + found.length },
    ...{ rows, total, bytes: one.bytes + Buffer.byteLength(content) },
    ...(nextCursor === null && { state: 'completed', endedAt: tx.now() }),
  }
  const running = tx.db.updateTable('listExport').set(changed).where('id', '=', id).where('state', '=', 'running')
  const { numUpdatedRows } = await running.where('pages', '=', pages).executeTakeFirst()
  // It was paused or deleted, or another daemon was faster.
  if (numUpdatedRows === 0n) return
  const values = found.map((part, at) => ({ exportId: id, number: parts + at, content: part }))
  if (values.length > 0) await tx.db.insertInto('listExportPart').values(values).execute()
  if (nextCursor === null) await recordEnd(tx, { ...one, rows }, 'completed', null)
}

async function fail(tx: App, one: ListExport, code: string): Promise<void> {
  const running = tx.db.updateTable('listExport').set({ state: 'failed', code: code.slice(0, 100), endedAt: tx.now() })
  const { numUpdatedRows } = await running.where('id', '=', one.id).where('state', '=', 'running').executeTakeFirst()
  if (numUpdatedRows > 0n) await recordEnd(tx, one, 'failed', code)
}

function recordEnd(tx: App, one: ListExport, state: string, code: string | null): Promise<void> {
  const { source, rows, createdBy: userId } = one
  const details = { source, state, rows, ...(code !== null && { code }) }
  return recordEvent(tx, { action: 'list-export.ended', ...subjectOf(tx, one), userId, details })
}

/** Parts that one statement deletes: few, because each is long. */
const partsPerDelete = 100

/** Deletes the exports of which a day has passed, and their parts before them. */
export const sweepExports = (app: App, signal: AbortSignal): Promise<void> =>
  sweep(app, signal, 0, async (batch, limit, before) => {
    const expired = app.db.selectFrom('listExport').select('id').where('expiresAt', '<', before).orderBy('expiresAt')
    const filled = await expired.where('parts', '>', 0).limit(1).executeTakeFirst()
    if (filled) {
      await deleteParts(app, filled.id)
      return batch + 1
    }
    const ids = (await expired.limit(limit).execute()).map(({ id }) => id)
    if (ids.length > 0) await app.db.deleteFrom('listExport').where('id', 'in', ids).where('parts', '=', 0).execute()
    return ids.length < limit ? null : batch + 1
  })

async function deleteParts({ db }: App, exportId: string): Promise<void> {
  const parts = db.selectFrom('listExportPart').select('number').where('exportId', '=', exportId)
  const last = (await parts.orderBy('number').limit(partsPerDelete).execute()).at(-1)
  if (last) await db.deleteFrom('listExportPart').where('exportId', '=', exportId).where('number', '<=', last.number).execute()
  else await db.updateTable('listExport').set({ parts: 0 }).where('id', '=', exportId).execute()
}

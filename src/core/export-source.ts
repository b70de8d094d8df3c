/** Lists that can be exported as files of any size: what their features declare. */
import type { z } from 'zod'
import type { App } from './app.ts'
import type { Access } from './permissions.ts'
import type { UserRow } from './request.ts'

interface ExportPage {
  readonly rows: readonly object[]
  /** Null: this is the last page. */
  readonly nextCursor: string | null
  /** Of all rows, if it is known; it may be an estimate. */
  readonly total?: number | null
}

export interface ExportSource<F = unknown> {
  /** The same permissions as the calls that read the list; the session must be fresh when an export must be. */
  readonly access: Extract<Access, { readonly kind: 'session' }>
  readonly filter: z.ZodType<F>
  /** Rejects users who may not read the rows that match, although they have the permissions. @throws ApiError */
  readonly authorize?: (app: App, user: UserRow, filter: F) => Promise<void>
  /** The organization that the rows belong to: its audit log shows the export. */
  readonly organizationOf?: (filter: F) => string
  /** The rows of the file. The names of the members are the columns of a table. */
  readonly view: (app: App) => z.ZodType
  /** @param cursor the end of the page before; undefined: the first page */
  readonly readPage: (
    app: App,
    filter: F,
    page: { readonly cursor: string | undefined; readonly limit: number },
  ) => Promise<ExportPage>
}

/** Declares a list that can be exported; the type of its filter follows from the schema. */
export const exportSource = <F>(source: ExportSource<F>): ExportSource => source as unknown as ExportSource

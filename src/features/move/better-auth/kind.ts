/** What the files of this folder share: a kind of rows, how one becomes rows of Latchkey, and what they are mapped with. */
import type { App } from '../../../core/app.ts'
import { type Column, columnsOf, defaultRow, fitsColumn } from '../../../core/table.ts'
import { createId } from '../../../core/write.ts'
import { openFormerText } from '../../../lib/xchacha.ts'
import type { RecognizedTable } from './recognition.ts'
import type { KindName } from './shapes.ts'
import { numberOf, type SourceDatabase, type SourceRow, type SourceValue, textOf, timeOf, truthOf } from './source.ts'

export interface MoveSettings {
  /** Of times that are stored without one. */
  readonly zone: string
  /** Of the old application, newest first. */
  readonly formerSecrets: readonly string[]
  /** For RSA keys that do not name their algorithm. */
  readonly jwtAlgorithm: string | null
  /** Whether each email address counts as verified. */
  readonly verifyEmails: boolean
}

export interface MoveContext extends MoveSettings {
  readonly app: App
  readonly source: SourceDatabase
  readonly now: Date
  readonly tables: ReadonlyMap<KindName, RecognizedTable>
  /** IDs that could not stay, by kind and former ID. */
  readonly newIds: Map<string, string>
  /** What `prepare` of a kind has found for its batch. */
  readonly found: Map<string, string>
}

/** Why a row is not moved. */
export interface Left {
  readonly left: string
  readonly field: string | null
}
export const left = (reason: string, field: string | null = null): Left => ({ left: reason, field })

/** A row of Latchkey's table. */
export interface Draft {
  readonly id: string
  readonly columns: Readonly<Record<string, unknown>>
  /** What else belongs to it, for the functions of its kind. */
  readonly more?: unknown
}

/** What rows of a kind are read with: a row has the names of better-auth. */
export interface Kind {
  readonly name: KindName
  /** The columns that name a row of another kind; `optional`: null when that row is not moved. */
  readonly references: Readonly<Record<string, { readonly kind: KindName; readonly optional?: true }>>
  /** Called for each batch before its rows are mapped, for what they need of other tables. */
  readonly prepare?: (context: MoveContext, rows: readonly SourceRow[]) => Promise<void>
  readonly map: (context: MoveContext, row: SourceRow) => Draft | Left
  /** What takes long, for rows that are written: it is called outside a transaction. */
  readonly complete?: (context: MoveContext, draft: Draft) => Promise<Draft>
  readonly insert: (tx: App, drafts: readonly Draft[], context: MoveContext) => Promise<void>
  readonly update: (tx: App, draft: Draft, context: MoveContext) => Promise<void>
  /** @param ids of Latchkey */
  readonly remove: (tx: App, ids: readonly string[]) => Promise<void>
}

/** @returns null when none of the secrets encrypted it */
export function openFormer(context: Pick<MoveSettings, 'formerSecrets'>, sealed: string): string | null {
  for (const secret of context.formerSecrets) {
    const text = openFormerText(secret, sealed)
    if (text !== null) return text
  }
  return null
}

const keptId = /^[\x21-\x7e]{1,36}$/

/** The ID of a row at Latchkey: its own when it fits, otherwise a new one that stays the same in later runs. */
export function idFor({ app, newIds }: MoveContext, kind: KindName, row: SourceRow): string {
  const id = textOf(row.id) ?? ''
  if (keptId.test(id)) return id
  const key = `${kind} ${id}`
  const known = newIds.get(key) ?? createId(app, 'user')
  newIds.set(key, known)
  return known
}

export const referredId = ({ newIds }: MoveContext, kind: KindName, id: string): string => newIds.get(`${kind} ${id}`) ?? id

function convert(column: Column, name: string, value: SourceValue | undefined, { zone }: MoveSettings): unknown {
  if (column.kind === 'timestamp') return timeOf(value, zone, /^(expires|.*Expires)/.test(name) ? 'later' : 'earlier')
  if (column.kind === 'boolean') return truthOf(value)
  if (column.kind === 'integer' || column.kind === 'bigint') return numberOf(value)
  return textOf(value)
}

/**
 * The columns that both tables have, converted, and the defaults of the others.
 * @param given in place of what the row has
 * @returns why not, when a value is missing or does not fit
 */
export function draftRow(
  context: MoveContext,
  kind: KindName,
  row: SourceRow,
  given: Readonly<Record<string, unknown>> = {},
): Draft | Left {
  const { app, tables } = context
  const id = idFor(context, kind, row)
  const own = tables.get(kind)?.columns ?? {}
  const columns: Record<string, unknown> = { ...defaultRow(app, kind), ...given, id }
  for (const [name, column] of Object.entries(columnsOf(app, kind))) {
    if (!(name in given) && name !== 'id' && (name in own || name in row)) {
      const value = convert(column, name, row[name], context)
      if (value !== null || column.nullable) columns[name] = value
    }
    const value = columns[name]
    if (!fitsColumn(column, value)) return left('a value is too long', name)
    if (value === null && !column.nullable) return left('a value is missing or not understood', name)
  }
  return { id, columns }
}

/** A part of a table's columns that a second run writes again. */
export const changedColumns = ({ columns }: Draft, kept: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => name !== 'id' && !kept.includes(name)))

/** The functions of a kind with one table, and nothing else. */
export function plainTable(table: string, kept: readonly string[] = []): Pick<Kind, 'insert' | 'update' | 'remove'> {
  return {
    insert: async (tx, drafts) => {
      await tx.db
        .insertInto(table as 'team')
        .values(drafts.map(({ columns }) => columns) as never)
        .execute()
    },
    update: async (tx, draft) => {
      const columns = changedColumns(draft, kept)
      await tx.db
        .updateTable(table as 'team')
        .set(columns as never)
        .where('id', '=', draft.id)
        .execute()
    },
    remove: async (tx, ids) => {
      await tx.db
        .deleteFrom(table as 'team')
        .where('id', 'in', ids)
        .execute()
    },
  }
}

/** Role names as Latchkey stores them. */
export const rolesOf = (value: SourceValue | undefined): string | null =>
  textOf(value)
    ?.split(',')
    .map((role) => role.trim())
    .filter(Boolean)
    .join(',') || null

/** zod pieces that routes share. */
import { z } from 'zod'
import { isEmailAddress } from '../lib/email.ts'
import type { Column, Columns, VisibleRow } from './table.ts'

/**
 * A date in, an ISO 8601 text in UTC with milliseconds out: JSON Schema cannot say "date", and clients see a text. The text
 * is described and not checked again: checking seven dates by pattern costs an answer more than all the rest of its schema.
 */
export const isoDate = z
  .date()
  .transform((date) => date.toISOString())
  .meta({ type: 'string', format: 'date-time' })

/** An address to be redirected to. Whether it is trusted is decided before the input is parsed (contract 00 §6). */
export const callbackURL = z.string().max(2048)

/** A text column holds 65,535 bytes: 16,000 characters fit whatever they are. */
export const longText = z.string().max(16_000)

const kinds = {
  id: z.string(),
  string: z.string(),
  text: z.string(),
  boolean: z.boolean(),
  integer: z.int(),
  bigint: z.int(),
  timestamp: isoDate,
  json: z.unknown(),
} satisfies Record<Column['kind'], z.ZodType>

/** A row as JSON has it: times are texts. */
type OnTheWire<T> = { [K in keyof T]: Date extends T[K] ? string | Exclude<T[K], Date> : T[K] }

/**
 * The schema of what may leave the server of a row; `T` are the columns known to the compiler, `columns` those of this installation.
 * @param extra members that no column holds
 */
export function viewOf<T, E extends object = object>(
  columns: Columns = {},
  extra?: { readonly [K in keyof E]: z.ZodType<E[K]> },
): z.ZodType<OnTheWire<VisibleRow<T>> & E, VisibleRow<T> & E> {
  const visible = Object.entries(columns).filter(([, column]) => !column.hidden)
  const shape = Object.fromEntries(visible.map(([name, column]) => [column.shownAs ?? name, viewOfColumn(column)]))
  const view = z.object({ ...shape, ...extra })
  const renamed = visible.flatMap(([name, { shownAs }]) => (shownAs ? [[name, shownAs] as const] : []))
  // The shape is made from data, so the compiler cannot see that it is the one promised.
  return (renamed.length > 0 ? z.preprocess((row) => rename(row, renamed), view) : view) as unknown as ReturnType<
    typeof viewOf<T, E>
  >
}

function viewOfColumn({ kind, nullable, output }: Column): z.ZodType {
  const view = output ? z.unknown().transform(output) : kinds[kind]
  return nullable ? view.nullable() : view
}

function rename(row: unknown, renamed: readonly (readonly [name: string, shownAs: string])[]): unknown {
  if (typeof row !== 'object' || row === null) return row
  return { ...row, ...Object.fromEntries(renamed.map(([name, shownAs]) => [shownAs, Reflect.get(row, name)])) }
}

/** An address as contract 00 §12 has it. */
export const emailAddress = z.string().refine(isEmailAddress).meta({ format: 'email' })

/** Schemas that routes share, with each other and with forms in a browser: without imports of Node. */
import type { JSONColumnType } from 'kysely'
import { z } from 'zod'
import { createTimeFormat } from '../lib/iso-time.ts'
import { isObject } from '../lib/objects.ts'
import type { Column, Columns } from './table.ts'

/**
 * Converts a date to an ISO 8601 string in UTC with milliseconds, because JSON has no dates. The string is not validated: matching
 * seven dates with a pattern would take longer than the rest of a response schema.
 */
export const isoDate = z.date().transform(createTimeFormat()).meta({ type: 'string', format: 'date-time' })

/** A URL to redirect to. Whether it is trusted is checked before the input is parsed (contract 00 §6). */
export const callbackURL = z.string().max(2048)

/** 16,000 characters always fit into the 65,535 bytes of a text column. */
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

type Selected<C> = C extends Column<infer S, unknown> ? (S extends JSONColumnType<infer T> ? T : S) : never
/** The columns of a row that responses may contain. */
export type VisibleRow<T> = { -readonly [C in keyof T as T[C] extends { readonly hidden: true } ? never : C]: Selected<T[C]> }
/** The visible columns, of which only `R` are always present. */
type View<T, R extends keyof T> = VisibleRow<Pick<T, R>> & Partial<VisibleRow<Omit<T, R>>>
/** A row as JSON: times are strings. */
type OnTheWire<T> = { [K in keyof T]: Date extends T[K] ? string | Exclude<T[K], Date> : T[K] }

/**
 * The schema of a row in responses; `T` has the columns known to the compiler, `columns` those of this configuration.
 * @param extra members that are not columns
 * @param required columns that are always present; default: all
 */
export function viewOf<T, E extends object = object, R extends keyof T = keyof T>(
  columns: Columns = {},
  extra?: { readonly [K in keyof E]: z.ZodType<E[K]> },
  required: readonly string[] = Object.keys(columns),
): z.ZodType<OnTheWire<View<T, R>> & E, View<T, R> & E> {
  const visible = Object.entries(columns).filter(([, column]) => !column.hidden)
  const shape = Object.fromEntries(
    visible.map(([name, column]) => {
      const view = viewOfColumn(column)
      return [column.outputName ?? name, required.includes(name) ? view : view.optional()]
    }),
  )
  const view = z.object({ ...shape, ...extra })
  const renamed = visible.flatMap(([name, { outputName }]) => (outputName ? [[name, outputName] as const] : []))
  // The shape is built from data, so the compiler cannot check that it matches the return type.
  return (renamed.length > 0 ? z.preprocess((row) => rename(row, renamed), view) : view) as unknown as ReturnType<
    typeof viewOf<T, E, R>
  >
}

function viewOfColumn({ kind, nullable, output }: Column): z.ZodType {
  const view = output ? z.unknown().transform(output) : kinds[kind]
  return nullable ? view.nullable() : view
}

function rename(row: unknown, renamed: readonly (readonly [name: string, outputName: string])[]): unknown {
  if (!isObject(row)) return row
  return { ...row, ...Object.fromEntries(renamed.map(([name, outputName]) => [outputName, Reflect.get(row, name)])) }
}

/** A parameter of a query that is on when it is `true`. */
export const flag = z
  .string()
  .optional()
  .transform((value) => value === 'true')

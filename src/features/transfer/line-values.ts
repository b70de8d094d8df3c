/** The forms of values in a line of an import file, as databases and spreadsheets write them. */
import { z } from 'zod'
import { comparableTime } from '../../core/pages.ts'
import type { Column } from '../../core/table.ts'
import { suggest } from '../../lib/input-errors.ts'
import { roleInput } from '../roles/index.ts'
import { imageURL } from '../users/index.ts'

const databaseForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d{0,6}(?: ?(?:Z|UTC|([+-]\d\d):?(\d\d)?))?$/i
/** Times of MySQL, which have no zone and are in UTC, and of PostgreSQL: `2024-01-31 13:00:00.5+01`. */
const databaseTime = z
  .string()
  .regex(databaseForm)
  .transform((text) => {
    const [, day, clock, fraction = '', hours, minutes = '00'] = databaseForm.exec(text) ?? []
    return `${day}T${clock}${fraction}${hours ? `${hours}:${minutes}` : 'Z'}`
  })
  .pipe(z.iso.datetime({ offset: true }))
/** Seconds since 1970 have at most ten digits until the year 2286, milliseconds more since 1973. */
const epoch = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{9,16}$/)
      .transform(Number),
  ])
  .pipe(z.number().min(0).max(8.64e15))
  .transform((given) => (given < 1e11 ? given * 1000 : given))
export const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date(), databaseTime, epoch], 'expected a time such as 2026-01-31T12:00:00Z')
  .transform((given) => new Date(given))
  .refine((date) => comparableTime.safeParse(date).success, 'expected a year from 1000 to 9999')
/** Rejects unknown members, with the most similar known one. */
export const lineObject = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .slice(0, 5)
            .map((key) => unknownMember(key, Object.keys(shape)))
            .join('; ')
        : undefined,
  })

const unknownMember = (key: string, known: readonly string[]): string =>
  [`Unknown member ${JSON.stringify(key.slice(0, 100))}`, suggest(key.slice(0, 100), known).hint].filter(Boolean).join('. ')

/** Databases and spreadsheets write 1, "1", "true" or "t". */
const truths: ReadonlyMap<unknown, boolean> = new Map([
  ...['1', 'true', 't'].map((text) => [text, true] as const),
  ...['0', 'false', 'f'].map((text) => [text, false] as const),
])
export const truth = z.preprocess((given) => {
  const text = typeof given === 'number' ? String(given) : typeof given === 'string' ? given.toLowerCase() : given
  return truths.get(text) ?? given
}, z.boolean())

/** Columns whose values have the form that the API requires. */
export const formOf: Readonly<Record<string, z.ZodType>> = { image: imageURL, role: roleInput }

export function columnSchema({ kind, length = 255 }: Column): z.ZodType {
  if (kind === 'boolean') return truth
  if (kind === 'integer') return z.int32()
  if (kind === 'bigint') return z.int()
  if (kind === 'timestamp') return time
  if (kind === 'json') return z.unknown()
  return z.string().max(kind === 'text' ? 16_000 : length)
}

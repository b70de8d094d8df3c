/** `additionalFields` of the configuration (contract 07): custom columns, and the values that requests write into them. */
import { z } from 'zod'
import { ApiError, type ErrorEntry, errors, errorWithValue, parameterError } from '../../core/errors.ts'
import {
  bigint,
  boolean,
  type Column,
  type Columns,
  type Index,
  index,
  integer,
  json,
  nullable,
  string,
  text,
  timestamp,
} from '../../core/table.ts'
import { isWellFormed } from '../../lib/text.ts'
import type { AdditionalField, AdditionalFields } from './options.ts'

export { describeFields, fieldDescriptions } from './form-fields.ts'
export { type AdditionalFields, additionalFieldIssues, additionalFields, type Validator } from './options.ts'

/** Always nullable, because rows that are older than the field, or were not created at sign-up, have no value. */
export function additionalColumns(fields: AdditionalFields): Columns {
  const columns = Object.entries(fields).map(([name, field]): [string, Column] => {
    const { fieldName = name, unique, returned, transform } = field
    const output = transform?.output
    const column = { ...nullable(kindOf(field)), unique, hidden: !returned }
    return [
      fieldName,
      {
        ...column,
        ...(fieldName !== name && { outputName: name }),
        ...(output && { output: (value: unknown) => output(value as never) }),
      },
    ]
  })
  return Object.fromEntries(columns)
}

/** An index for each field that lists are sorted and filtered by. */
export const additionalIndexes = (fields: AdditionalFields): Index[] =>
  Object.entries(fields).flatMap(([name, { fieldName = name, type, sortable, unique }]) =>
    sortable && !unique && type !== 'string[]' && type !== 'number[]' ? [index(fieldName, 'id')] : [],
  )

function kindOf({ type, unique, sortable, bigint: isBig }: AdditionalField): Column {
  if (type === 'string') return unique || sortable ? string() : text()
  if (type === 'number') return isBig ? bigint() : integer()
  if (type === 'boolean') return boolean()
  if (type === 'date') return timestamp()
  return type === 'string[]' || type === 'number[]' ? json() : string()
}

const maxNumber = { integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER }
/** Every database can store times in these years. */
const [firstYear, lastYear] = [1000, 9999]

/** Accepts values that fit into the column. A date may be a string, because JSON has no dates. */
export function fieldSchema({ type, unique, sortable, bigint: isBig }: AdditionalField): z.ZodType {
  const max = isBig ? maxNumber.bigint : maxNumber.integer
  const number = z.int().min(-max).max(max)
  const word = wellFormed(z.string().max(unique || sortable ? 255 : 16_000))
  if (Array.isArray(type)) return z.enum(type)
  return {
    string: word,
    number,
    boolean: z.boolean(),
    date: z
      .union([z.date(), z.iso.datetime({ offset: true }), z.iso.date()])
      .transform((value) => new Date(value))
      .refine(hasCommonYear),
    'string[]': z.array(wellFormed(z.string().max(16_000))).max(1000),
    'number[]': z.array(z.number()).max(1000),
  }[type as Exclude<AdditionalField['type'], string[]>]
}

const wellFormed = (text: z.ZodString) => text.refine(isWellFormed, 'expected well-formed Unicode')

const hasCommonYear = (date: Date) => date.getUTCFullYear() >= firstYear && date.getUTCFullYear() <= lastYear

/** Describes values in the API reference. They are checked later, in the order of the contract. */
const jsonTypes = {
  string: { type: 'string' },
  number: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  'string[]': { type: 'array', items: { type: 'string' } },
  'number[]': { type: 'array', items: { type: 'number' } },
} as const

/** The members of a body for the fields. `readFields` checks their values after other checks. */
export function fieldShape(fields: AdditionalFields): Record<never, z.ZodType> {
  const given = Object.entries(fields).filter(([, { input }]) => input)
  return Object.fromEntries(given.map(([name, { type }]) => [name, z.unknown().meta(describeType(type)).optional()]))
}

const describeType = (type: AdditionalField['type']) =>
  Array.isArray(type) ? { type: 'string' as const, enum: type } : jsonTypes[type as keyof typeof jsonTypes]

/**
 * Reads the columns to write from a body. Fields that are not inputs are ignored.
 * @param mode `create` needs all required fields; `update` leaves absent ones unchanged
 * @throws ApiError `<field> is required`, VALIDATION_ERROR
 */
export async function readFields(fields: AdditionalFields, given: object, mode: 'create' | 'update'): Promise<object> {
  const columns: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!field.input) continue
    const value: unknown = Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined
    const isMissing = value === null || (value === undefined && mode === 'create' && field.defaultValue === undefined)
    if (field.required && isMissing) throw new ApiError(fieldRequired(name))
    if (value !== undefined) columns[field.fieldName ?? name] = value === null ? null : await readValue(name, field, value)
  }
  return columns
}

/**
 * The columns for values that a function of the configuration returns, such as `mapProfileToUser`: also for fields that no request
 * may set. Other members are ignored.
 * @throws ApiError VALIDATION_ERROR when a value does not fit its column
 */
export function readMappedFields(fields: AdditionalFields, given: Readonly<Record<string, unknown>>): object {
  const columns: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(given, name)) continue
    const parsed = fieldSchema(field).nullish().safeParse(given[name])
    if (!parsed.success) throw parameterError(errors.VALIDATION_ERROR, [name], parsed.error)
    columns[field.fieldName ?? name] = parsed.data ?? null
  }
  return columns
}

/** A required field is missing. */
export const fieldRequired = (name: string): ErrorEntry => errorWithValue('FIELD_IS_REQUIRED', 400, `${name} is required`)

/** Runs either the validator or the transformation, as better-auth does; the result must fit the column. */
async function readValue(name: string, field: AdditionalField, value: unknown): Promise<unknown> {
  const { validator, transform } = field
  const read = validator
    ? validate(name, validator.input, value)
    : transform?.input
      ? await transform.input(value as never)
      : value
  if (read === null || read === undefined) return null
  const parsed = fieldSchema(field).safeParse(read)
  if (!parsed.success) throw parameterError(errors.VALIDATION_ERROR, [name])
  return parsed.data
}

function validate(name: string, validator: { parse(value: unknown): unknown }, value: unknown): unknown {
  try {
    return validator.parse(value)
  } catch (error) {
    throw parameterError(errors.VALIDATION_ERROR, [name], error)
  }
}

/** The default columns of a new row. */
export function defaultFields(fields: AdditionalFields): object {
  const made = Object.entries(fields).filter(([, { defaultValue }]) => defaultValue !== undefined)
  return Object.fromEntries(
    made.map(([name, { fieldName = name, defaultValue }]) => [
      fieldName,
      typeof defaultValue === 'function' ? defaultValue() : defaultValue,
    ]),
  )
}

/** Encodes lists as JSON for the database. */
export function encodeLists<R extends object>(row: R): R {
  // Most rows have none, and an import has many rows.
  if (!Object.values(row).some(Array.isArray)) return row
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]),
  ) as R
}

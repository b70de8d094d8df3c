/** What is written into columns of an installation's own: read from bodies, made by default, and as the database takes it. */
import { z } from 'zod'
import type { AdditionalField, AdditionalFields } from './additional-fields.ts'
import { ApiError, codeOf, errors } from './errors.ts'

const largest = { integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER }
/** What every database can hold as a time. */
const [firstYear, lastYear] = [1000, 9999]

/** What fits into the column. A date may come as a text, since JSON has no dates. */
export function fieldSchema({ type, unique, sortable, bigint: isBig }: AdditionalField): z.ZodType {
  const most = isBig ? largest.bigint : largest.integer
  const number = z.int().min(-most).max(most)
  const word = z.string().max(unique || sortable ? 255 : 16_000)
  if (Array.isArray(type)) return z.enum(type)
  return {
    string: word,
    number,
    boolean: z.boolean(),
    date: z
      .union([z.date(), z.iso.datetime({ offset: true }), z.iso.date()])
      .transform((value) => new Date(value))
      .refine(hasCommonYear),
    'string[]': z.array(z.string().max(16_000)).max(1000),
    'number[]': z.array(z.number()).max(1000),
  }[type as Exclude<AdditionalField['type'], string[]>]
}

const hasCommonYear = (date: Date) => date.getUTCFullYear() >= firstYear && date.getUTCFullYear() <= lastYear

/** How the value of a field is described to callers; whether it is right is decided later, in the order of the contract. */
const jsonTypes = {
  string: { type: 'string' },
  number: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  'string[]': { type: 'array', items: { type: 'string' } },
  'number[]': { type: 'array', items: { type: 'number' } },
} as const

/** Members of a body that may carry the fields. What they hold is looked at by `readFields`, after other checks. */
export function fieldShape(fields: AdditionalFields): Record<never, z.ZodType> {
  const given = Object.entries(fields).filter(([, { input }]) => input)
  return Object.fromEntries(given.map(([name, { type }]) => [name, z.unknown().meta(describeType(type)).optional()]))
}

const describeType = (type: AdditionalField['type']) =>
  Array.isArray(type) ? { type: 'string' as const, enum: type } : jsonTypes[type as keyof typeof jsonTypes]

/**
 * The columns that a body asks to be written. Fields that are not for callers are passed over in silence.
 * @param mode `create`: what is required must be there; `update`: what is absent stays as it is
 * @throws ApiError `<field> is required`, VALIDATION_ERROR
 */
export async function readFields(fields: AdditionalFields, given: object, mode: 'create' | 'update'): Promise<object> {
  const columns: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!field.input) continue
    const value: unknown = Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined
    const isMissing = value === null || (value === undefined && mode === 'create' && field.defaultValue === undefined)
    if (field.required && isMissing) throw requiredFault(name)
    if (value !== undefined) columns[field.fieldName ?? name] = value === null ? null : await readValue(field, value)
  }
  return columns
}

function requiredFault(name: string): ApiError {
  const message = `${name} is required`
  return new ApiError({ status: 400, code: codeOf(message), message })
}

/** Either the validator or the transformation, as in the reference; then whatever came out must fit the column. */
async function readValue(field: AdditionalField, value: unknown): Promise<unknown> {
  const { validator, transform } = field
  const read = validator ? validate(validator.input, value) : transform?.input ? await transform.input(value as never) : value
  if (read === null || read === undefined) return null
  const parsed = fieldSchema(field).safeParse(read)
  if (!parsed.success) throw new ApiError(errors.VALIDATION_ERROR)
  return parsed.data
}

function validate(validator: { parse(value: unknown): unknown }, value: unknown): unknown {
  try {
    return validator.parse(value)
  } catch (error) {
    throw new ApiError(errors.VALIDATION_ERROR, { cause: error })
  }
}

/** What a new row has unless it is given. */
export function defaultFields(fields: AdditionalFields): object {
  const made = Object.entries(fields).filter(([, { defaultValue }]) => defaultValue !== undefined)
  return Object.fromEntries(
    made.map(([name, { fieldName = name, defaultValue }]) => [
      fieldName,
      typeof defaultValue === 'function' ? defaultValue() : defaultValue,
    ]),
  )
}

/** The row as the database takes it: lists are JSON. */
export const encodeLists = <R extends object>(row: R): R =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]),
  ) as R

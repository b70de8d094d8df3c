/** Columns that the configuration adds to a user (contract 01 §1): what they are kept as, and what may be written into them. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, codeOf, errors } from '../../core/errors.ts'
import { bigint, boolean, type Column, integer, json, nullable, string, type Tables, text, timestamp } from '../../core/table.ts'
import type { Config } from '../index.ts'
import type { UserField } from './config.ts'

/** Always nullable: users who were there before, or came by other ways, have no value. */
export function configuredTables({ user }: Pick<Config, 'user'>): Tables {
  const columns = Object.entries(user.additionalFields).map(([name, field]): [string, Column] => {
    const { fieldName = name, unique, returned, input, transform } = field
    const output = transform?.output
    const column = { ...nullable(kindOf(field)), unique, hidden: !returned, readOnly: !input }
    return [
      fieldName,
      {
        ...column,
        ...(fieldName !== name && { shownAs: name }),
        ...(output && { output: (value: unknown) => output(value as never) }),
      },
    ]
  })
  return columns.length > 0 ? { user: Object.fromEntries(columns) } : {}
}

function kindOf({ type, unique, sortable, bigint: isBig }: UserField): Column {
  if (type === 'string') return unique || sortable ? string() : text()
  if (type === 'number') return isBig ? bigint() : integer()
  if (type === 'boolean') return boolean()
  if (type === 'date') return timestamp()
  return type === 'string[]' || type === 'number[]' ? json() : string()
}

const largest = { integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER }
/** What every database can hold as a time. */
const [firstYear, lastYear] = [1000, 9999]

/** What fits into the column. A date may come as a text, since JSON has no dates. */
export function userFieldSchema({ type, unique, sortable, bigint: isBig }: UserField): z.ZodType {
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
  }[type as Exclude<UserField['type'], string[]>]
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

/** Members of a body that may carry the fields. What they hold is looked at by `readUserFields`, after other checks. */
export function userFieldShape({ user }: Config): Record<never, z.ZodType> {
  const given = Object.entries(user.additionalFields).filter(([, { input }]) => input)
  return Object.fromEntries(given.map(([name, { type }]) => [name, z.unknown().meta(describeType(type)).optional()]))
}

const describeType = (type: UserField['type']) =>
  Array.isArray(type) ? { type: 'string' as const, enum: type } : jsonTypes[type as keyof typeof jsonTypes]

/**
 * The columns that a body asks to be written. Fields that are not for callers are passed over in silence.
 * @param mode `create`: what is required must be there; `update`: what is absent stays as it is
 * @throws ApiError `<field> is required`, VALIDATION_ERROR
 */
export async function readUserFields(app: App, given: object, mode: 'create' | 'update'): Promise<object> {
  const columns: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(app.config.user.additionalFields)) {
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
async function readValue(field: UserField, value: unknown): Promise<unknown> {
  const { validator, transform } = field
  const read = validator ? validate(validator.input, value) : transform?.input ? await transform.input(value as never) : value
  if (read === null || read === undefined) return null
  const parsed = userFieldSchema(field).safeParse(read)
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

/** What a new user has unless it is given. */
export function defaultUserFields({ config }: App): object {
  const fields = Object.entries(config.user.additionalFields).filter(([, { defaultValue }]) => defaultValue !== undefined)
  return Object.fromEntries(
    fields.map(([name, { fieldName = name, defaultValue }]) => [
      fieldName,
      typeof defaultValue === 'function' ? defaultValue() : defaultValue,
    ]),
  )
}

/** The row as the database takes it: lists are JSON. */
export const encodeUserFields = <R extends object>(row: R): R =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]),
  ) as R

/** `additionalFields` of the configuration (contract 07): columns of an installation's own, in the table of a model. */
import { z } from 'zod'
import { type ConfigFault, callback } from './config.ts'
import { bigint, boolean, type Column, type Columns, integer, json, nullable, string, text, timestamp } from './table.ts'

/** What checks a value and returns it, perhaps changed: a zod schema, or anything with the same method. */
export interface Validator {
  parse(value: unknown): unknown
}
const validator = z.custom<Validator>(
  (value) => typeof Reflect.get(Object(value), 'parse') === 'function',
  'Expected a zod schema',
)

const field = z.strictObject({
  type: z.union([
    z.enum(['string', 'number', 'boolean', 'date', 'string[]', 'number[]']),
    z.array(z.string().min(1).max(255)).min(1),
  ]),
  required: z.boolean().default(true),
  input: z.boolean().default(true),
  returned: z.boolean().default(true),
  unique: z.boolean().default(false),
  sortable: z.boolean().default(false),
  bigint: z.boolean().default(false),
  defaultValue: z.unknown().optional(),
  validator: z.strictObject({ input: validator }).optional(),
  transform: z
    .strictObject({
      input: callback<(value: never) => unknown>().optional(),
      output: callback<(value: never) => unknown>().optional(),
    })
    .optional(),
  fieldName: z.string().optional(),
})
export type AdditionalField = z.output<typeof field>
export type AdditionalFields = Readonly<Record<string, AdditionalField>>

/** The option, in the section of the model. */
export const additionalFields = () =>
  z
    .record(z.string(), field)
    .default({})
    .describe(
      'Columns of your own, by name: `{ type, required, input, returned, unique, sortable, bigint, defaultValue, validator, transform, fieldName }`; `type` is "string", "number", "boolean", "date", "string[]", "number[]" or a list of texts',
    )

const isColumnName = (name: string) => /^[a-zA-Z]\w{0,63}$/.test(name) && !(name in {})

/**
 * @param at where the fields stand in the configuration: `user.additionalFields`
 * @param taken names of columns and of other members that callers send or see
 */
export function additionalFieldFaults(at: string, fields: AdditionalFields, taken: readonly string[]): ConfigFault[] {
  const names = new Set(taken.map((name) => name.toLowerCase()))
  return Object.entries(fields).flatMap(([name, { type, unique, fieldName = name }]) => {
    const path = `${at}.${name}`
    const faults: ConfigFault[] = []
    if (![name, fieldName].every(isColumnName)) {
      faults.push({
        id: 'field-form',
        path,
        message:
          'Expected a letter, then letters, digits and underscores, 64 at most, and no name that every object of JavaScript has.',
      })
    }
    const wanted = new Set([name, fieldName].map((text) => text.toLowerCase()))
    if ([...wanted].some((text) => names.has(text))) {
      faults.push({ id: 'field-name', path, message: 'There is something of this name already.' })
    }
    for (const text of wanted) names.add(text)
    if (unique && (type === 'boolean' || type === 'string[]' || type === 'number[]')) {
      faults.push({ id: 'field-unique', path, message: 'A value of this type cannot be unique.' })
    }
    return faults
  })
}

/** Always nullable: rows that were there before, or came by other ways, have no value. */
export function additionalColumns(fields: AdditionalFields): Columns {
  const columns = Object.entries(fields).map(([name, field]): [string, Column] => {
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
  return Object.fromEntries(columns)
}

function kindOf({ type, unique, sortable, bigint: isBig }: AdditionalField): Column {
  if (type === 'string') return unique || sortable ? string() : text()
  if (type === 'number') return isBig ? bigint() : integer()
  if (type === 'boolean') return boolean()
  if (type === 'date') return timestamp()
  return type === 'string[]' || type === 'number[]' ? json() : string()
}

/** The option `additionalFields`, and the faults of its values that no schema finds. */
import { z } from 'zod'
import { type ConfigIssue, callback } from '../../core/config.ts'
import type { Feature } from '../../core/feature.ts'

/** Checks a value and returns it, possibly changed: a zod schema, or any object with the same method. */
export interface Validator {
  parse(value: unknown): unknown
}
const validator = z.custom<Validator>(
  (value) => typeof Reflect.get(Object(value), 'parse') === 'function',
  'Expected a zod schema',
)

const field = z.strictObject({
  type: z
    .union([z.enum(['string', 'number', 'boolean', 'date', 'string[]', 'number[]']), z.array(z.string().min(1).max(255)).min(1)])
    .describe('Type of the values, or a list of allowed strings'),
  required: z.boolean().default(true).describe('Require a value when the row is created'),
  input: z.boolean().default(true).describe('Accept values from clients; `false` ignores them'),
  returned: z.boolean().default(true).describe('Return the value in responses'),
  unique: z.boolean().default(false).describe('Reject a value that another row has'),
  sortable: z.boolean().default(false).describe('Limit strings to 255 characters, so that lists can be sorted by them'),
  bigint: z.boolean().default(false).describe('Accept integers up to 9,007,199,254,740,991 instead of 2,147,483,647'),
  defaultValue: z.unknown().optional().describe('Value of a new row that has none, or a function that returns it'),
  validator: z
    .strictObject({ input: validator.describe('Schema that checks values of clients') })
    .optional()
    .describe('Schema of zod for values of clients'),
  transform: z
    .strictObject({
      input: callback<(value: never) => unknown>().optional().describe('Function that returns the value to store'),
      output: callback<(value: never) => unknown>().optional().describe('Function that returns the value of responses'),
    })
    .optional()
    .describe('Functions that change values when they are stored and returned'),
  fieldName: z.string().optional().describe('Name of the column; default: the name of the field'),
  label: z
    .union([z.string().min(1), z.record(z.string(), z.string().min(1))])
    .optional()
    .describe('Name in forms: a text, or one for each language'),
})
export type AdditionalField = z.output<typeof field>
export type AdditionalFields = Readonly<Record<string, AdditionalField>>

/** The option, in the section of the table. */
export const additionalFields = () =>
  z
    .record(z.string(), field)
    .default({})
    .describe(
      'Custom columns by name: `{ type, required, input, returned, unique, sortable, bigint, defaultValue, validator, transform, fieldName, label }`; `type` is "string", "number", "boolean", "date", "string[]", "number[]" or a list of allowed strings; `label` is the name in forms, a text or one per language',
    )

const isColumnName = (name: string) => /^[a-zA-Z]\w{0,63}$/.test(name) && !(name in {})

/**
 * @param table the section with the fields, and their table
 * @param taken names of its own columns and of other members of requests and responses; other features add theirs
 */
export function additionalFieldIssues(
  table: 'user' | 'session',
  fields: AdditionalFields,
  taken: readonly string[],
  enabled: readonly Feature[],
): ConfigIssue[] {
  // The feature that owns the table has these fields in it already.
  const others = enabled.filter(({ tables }) => !tables?.[table]?.id)
  const columns = others.flatMap(({ tables }) => Object.keys(tables?.[table] ?? {}))
  const names = new Set([...taken, ...columns].map((name) => name.toLowerCase()))
  return Object.entries(fields).flatMap(([name, { type, unique, fieldName = name }]) => {
    const path = `${table}.additionalFields.${name}`
    const issues: ConfigIssue[] = []
    if (![name, fieldName].every(isColumnName)) {
      issues.push({
        id: 'field-form',
        path,
        message:
          'Expected a letter, then letters, digits and underscores, 64 at most, and not the name of a built-in JavaScript property.',
      })
    }
    const claimed = new Set([name, fieldName].map((text) => text.toLowerCase()))
    if ([...claimed].some((text) => names.has(text))) {
      issues.push({ id: 'field-name', path, message: 'This name is already in use.' })
    }
    for (const text of claimed) names.add(text)
    if (unique && (type === 'boolean' || type === 'string[]' || type === 'number[]')) {
      issues.push({ id: 'field-unique', path, message: 'A value of this type cannot be unique.' })
    }
    return issues
  })
}

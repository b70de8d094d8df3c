import { z } from 'zod'
import { type ConfigFault, callback, group } from '../../core/config.ts'
import type { Feature } from '../../core/feature.ts'
import type { Config } from '../index.ts'
import { tables } from './tables.ts'

/** What checks a value and returns it, perhaps changed: a zod schema, or anything with the same method. */
interface Validator {
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
export type UserField = z.output<typeof field>

export const config = {
  user: group('People', {
    additionalFields: z
      .record(z.string(), field)
      .default({})
      .describe(
        'Columns of your own, by name: `{ type, required, input, returned, unique, sortable, bigint, defaultValue, validator, transform, fieldName }`; `type` is "string", "number", "boolean", "date", "string[]", "number[]" or a list of texts',
      ),
  }),
}

/** Keys of sign-up that mean something else. */
const reserved = ['password', 'callbackurl', 'rememberme', 'token']

const isColumnName = (text: string) => /^[a-zA-Z]\w{0,63}$/.test(text) && !(text in {})

export function checkConfig({ user }: Config, enabled: readonly Feature[]): ConfigFault[] {
  // Those of this feature hold the configured columns already.
  const others = enabled.filter(({ configuredTables }) => !configuredTables)
  const known = [tables.user, ...others.map((feature) => feature.tables?.user ?? {})].flatMap(Object.keys)
  const taken = [...reserved, ...known.map((name: string) => name.toLowerCase())]
  const names = new Set<string>()
  return Object.entries(user.additionalFields).flatMap(([name, { type, unique, fieldName = name }]) => {
    const path = `user.additionalFields.${name}`
    const faults: ConfigFault[] = []
    if (![name, fieldName].every(isColumnName)) {
      faults.push({
        id: 'user-field-form',
        path,
        message:
          'Expected a letter, then letters, digits and underscores, 64 at most, and no name that every object of JavaScript has.',
      })
    }
    const wanted = new Set([name, fieldName].map((text) => text.toLowerCase()))
    if ([...wanted].some((text) => taken.includes(text) || names.has(text))) {
      faults.push({ id: 'user-field-name', path, message: 'There is something of this name already.' })
    }
    for (const text of wanted) names.add(text)
    if (unique && (type === 'boolean' || type === 'string[]' || type === 'number[]')) {
      faults.push({ id: 'user-field-unique', path, message: 'A value of this type cannot be unique.' })
    }
    return faults
  })
}

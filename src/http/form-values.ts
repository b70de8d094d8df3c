/** Values of a form as those of a call: forms send texts only. */
import { z } from 'zod'
import { isRecord } from '../lib/objects.ts'

/** The schema inside of those that only add a default, null or a transformation. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod as unknown as {
    readonly def: { readonly innerType?: z.core.$ZodType; readonly in?: z.core.$ZodType }
  }
  const inner = def.innerType ?? def.in
  return inner ? innerOf(inner) : schema
}

type Kind = 'boolean' | 'number' | 'array' | 'object' | 'text'

/** Additional fields are checked later, and say in their description what they take. */
function kindOf(schema: z.core.$ZodType): Kind {
  const inner = innerOf(schema)
  const described = inner instanceof z.ZodUnknown ? String(z.globalRegistry.get(inner)?.type) : ''
  if (inner instanceof z.ZodBoolean || described === 'boolean') return 'boolean'
  if (inner instanceof z.ZodNumber || /^(number|integer)$/.test(described)) return 'number'
  if (inner instanceof z.ZodRecord) return 'object'
  return inner instanceof z.ZodArray || described === 'array' ? 'array' : 'text'
}

const booleans: Readonly<Record<string, boolean>> = { true: true, on: true, false: false, '': false }
const number = /^\s*[+-]?\d{1,15}(\.\d{1,15})?\s*$/

/** A text that is not of the kind stays as it is, so that the schema rejects it. */
const readers: Readonly<Record<Kind, (text: string, schema: z.core.$ZodType) => unknown>> = {
  boolean: (text) => booleans[text] ?? text,
  number: (text) => (number.test(text) ? Number(text) : text),
  array: (text, schema) => {
    const inner = innerOf(schema)
    const element = inner instanceof z.ZodArray ? kindOf(inner.element) : 'text'
    return text.split(',').map((part) => readers[element](part.trim(), schema))
  },
  object: parseObject,
  text: (text) => text,
}

/** What the script of a page writes into a field as JSON, such as the response of an authenticator. */
function parseObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * @param schema of the body of a call
 * @param values those of a form; what is empty is left out, but for what the schema requires: usernames and additional fields are checked later
 */
export function formValues(schema: z.ZodType | undefined, values: unknown): unknown {
  const inner = schema && innerOf(schema)
  if (!(inner instanceof z.ZodObject) || !isRecord(values)) return values
  const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const member = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (typeof value !== 'string') return [[name, value]]
      const isOptional = !member || z.safeParse(member, undefined).success
      if (value.trim() === '' && isOptional) return []
      return [[name, member ? readers[kindOf(member)](value, member) : value]]
    }),
  )
}

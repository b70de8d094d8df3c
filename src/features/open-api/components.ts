/** JSON Schemas of the document: those with a title are components, by this name. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isObject } from '../../lib/objects.ts'

export type JSONObject = Readonly<Record<string, unknown>>

/** Members whose values are data, not schemas. */
const data: ReadonlySet<string> = new Set(['examples', 'const', 'enum', 'default', 'required'])
/** What a reference may say in addition to its schema. */
const annotations = ['description', 'examples', 'default', 'deprecated'] as const

/** A JSON Schema without references, for examples. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JSONObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Zod leaves out the examples of a schema that transforms anything in its input. Ours are always of the input.
    override: ({ zodSchema, jsonSchema }) => {
      const { examples } = z.globalRegistry.get(zodSchema) ?? {}
      if (Array.isArray(examples)) jsonSchema.examples = examples
    },
  })
  return rest
}

export interface Components {
  /** Replaces each schema that has a title by a reference, and adds the schema to the components. */
  readonly refer: (schema: JSONObject) => JSONObject
  /** The schemas, by name. */
  readonly schemas: Readonly<Record<string, JSONObject>>
}

/** A schema stays where it is if another one already has its name: the configuration can add members to one of them only. */
export function createComponents(): Components {
  const schemas: Record<string, JSONObject> = {}
  const refer = (schema: JSONObject): JSONObject => {
    const members = Object.entries(schema).map(([name, value]) => {
      if (name === 'properties') return [name, mapValues(value as JSONObject, referAll)]
      return [name, data.has(name) ? value : referAll(value)]
    })
    const { title, ...rest }: JSONObject = Object.fromEntries(members)
    if (typeof title !== 'string') return title === undefined ? rest : { title, ...rest }
    const own = annotations.filter((name) => name in rest).map((name) => [name, rest[name]])
    const bare = Object.fromEntries(Object.entries(rest).filter(([name]) => !annotations.some((known) => known === name)))
    schemas[title] ??= bare
    if (!isDeepStrictEqual(schemas[title], bare)) return rest
    return { $ref: `#/components/schemas/${title}`, ...Object.fromEntries(own) }
  }
  const referAll = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referAll)
    return isObject(value) ? refer(value) : value
  }
  return { refer, schemas }
}

const mapValues = (record: JSONObject, change: (value: unknown) => unknown): JSONObject =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

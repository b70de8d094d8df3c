/** Schemas as rows of a table: a row for each member, also of objects inside. */
import { type Schema, schemaName } from './document.ts'

export interface Row {
  /** With the members around it: `user.email`, `members[].role`. */
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Schema
}

/** Objects inside objects: deeper ones are in the example. */
const deepest = 3

/** The type of a value, as TypeScript writes it. */
export function typeOf(schema: Schema): string {
  const named = schemaName(schema)
  if (named !== null) return named
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (schema.type === 'array') return arrayOf(schema.items ? typeOf(schema.items) : 'any')
  const { additionalProperties: values } = schema
  if (schema.type === 'object' && typeof values === 'object' && !schema.properties) return `Record<string, ${typeOf(values)}>`
  return typeof schema.type === 'string' ? schema.type : 'any'
}

const arrayOf = (type: string): string => (type.includes(' | ') ? `(${type})[]` : `${type}[]`)

/** The named schemas in a type, which have a section of their own. */
export const namesIn = (schema: Schema): readonly string[] => {
  const named = schemaName(schema)
  if (named !== null) return [named]
  return [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap(namesIn)
}

/** The one object in a schema that has members, with what stands behind its name in a path. */
function objectIn(schema: Schema): { readonly object: Schema; readonly mark: string } | null {
  if (schema.properties) return { object: schema, mark: '' }
  const item = schema.items && objectIn(schema.items)
  if (item) return { object: item.object, mark: `[]${item.mark}` }
  return schema.anyOf?.map(objectIn).find((found) => found !== null) ?? null
}

/** @param schema of an object, a list of objects, or one of them and another type; no rows for any other */
export function rowsOf(schema: Schema, prefix = '', depth = 0): readonly Row[] {
  const found = objectIn(schema)
  if (!found || depth > deepest) return []
  const { properties = {}, required = [] } = found.object
  const start = prefix === '' ? (found.mark === '' ? '' : `${found.mark}.`) : `${prefix}${found.mark}.`
  return Object.entries(properties).flatMap(([key, member]) => [
    { name: `${start}${key}`, isRequired: required.includes(key), schema: member },
    ...rowsOf(member, `${start}${key}`, depth + 1),
  ])
}

/** Without the null that it may be in place of its value. */
function valueSchema(schema: Schema): Schema {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return only && others.length === 0 ? { ...only, ...schema } : schema
}

/** Limits of a schema, or of the items of a list. Those that every number has are left out. */
export function limitsOf(given: Schema) {
  const schema = valueSchema(given)
  const { minLength, maxLength, minItems, maxItems, exclusiveMinimum, pattern, format } = schema
  const [minimum, maximum] = [schema.minimum, schema.maximum].map((limit) =>
    limit === undefined || Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? undefined : limit,
  )
  return {
    values: schema.enum ?? schema.items?.enum ?? [],
    characters: [minLength, maxLength] as const,
    items: [minItems, maxItems] as const,
    range: [minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1), maximum] as const,
    // A format says the same in a word.
    pattern: format === undefined ? pattern : undefined,
  }
}

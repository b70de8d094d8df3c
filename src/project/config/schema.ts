/** The zod schemas of a configuration, derived from the declared options. */
import { z } from 'zod'
import { type ConfigShape, group, type Section } from '../../core/config.ts'
import { isObject, isRecord } from '../../lib/objects.ts'

const isSection = (option: z.ZodType | Section): option is Section => 'kind' in option && option.kind === 'section'

/** Merges sections that several features declare. @throws Error when two declare the same option */
export function mergeShapes(shapes: readonly ConfigShape[]): ConfigShape {
  const merged: Record<string, z.ZodType | Section> = {}
  for (const shape of shapes) {
    for (const [name, option] of Object.entries(shape)) {
      const known = merged[name]
      if (!known) merged[name] = option
      else if (isSection(known) && isSection(option)) merged[name] = { ...known, shape: mergeShapes([known.shape, option.shape]) }
      else throw new Error(`The option ${name} is declared twice`)
    }
  }
  return merged
}

function switched(mode: Section['mode'], value: unknown): unknown {
  if (mode === 'always') return value === undefined ? {} : value
  if (value === undefined || value === false) return { enabled: false }
  if (value === true) return { enabled: true }
  if (mode === 'presence' && isObject(value) && !Array.isArray(value) && !('enabled' in value)) return { ...value, enabled: true }
  return value
}

/** The schema that validates a configuration: strict at every depth; its output has all defaults. */
export const configSchema = (shape: ConfigShape): z.ZodType => sectionSchema(group('', shape))

function sectionSchema({ mode, shape }: Section): z.ZodType {
  const members = Object.entries(shape).map(([name, option]) => [name, isSection(option) ? sectionSchema(option) : option])
  const enabled = mode === 'always' ? {} : { enabled: z.boolean().default(false) }
  const schema = z.strictObject({ ...enabled, ...Object.fromEntries(members) })
  let names: readonly string[] = []
  const read = (value: unknown) => {
    const given = switched(mode, value)
    names = isRecord(given) ? Object.keys(given) : []
    return given
  }
  // Zod sorts members by the schema; that of the file is the order of the buttons for providers.
  const sort = (parsed: object) => {
    const first = names.filter((name) => Object.hasOwn(parsed, name)).map((name) => [name, null])
    return { ...Object.fromEntries(first), ...parsed }
  }
  return z.preprocess(read, schema.transform(sort))
}

/** The schema as it is documented: the accepted input, without the steps that fill in defaults. */
export const documentedSchema = (shape: ConfigShape): z.ZodType => documentedSection(group('', shape))

function documentedSection({ mode, shape, description }: Section): z.ZodType {
  const members = Object.entries(shape).map(([name, option]) => {
    const schema = isSection(option) ? documentedSection(option) : option
    return [name, schema.optional()]
  })
  const enabled = mode === 'always' ? {} : { enabled: z.boolean().optional() }
  const object = z.strictObject({ ...enabled, ...Object.fromEntries(members) })
  const schema = mode === 'presence' ? z.union([z.boolean(), object]) : object
  return description ? schema.describe(description) : schema
}

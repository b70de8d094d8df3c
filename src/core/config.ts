/** Functions that declare options. The zod schema and the types of the configuration are derived from the declarations. */
import leven from 'leven'
import { z } from 'zod'
import { isObject, isRecord } from '../lib/objects.ts'

/** An error in a configuration. `id` is stable and explained in docs/configuration.md. */
export interface ConfigIssue {
  readonly id: string
  /** The option, such as `session.expiresIn`. */
  readonly path: string
  readonly message: string
  /** How to fix it. */
  readonly hint?: string
}

/**
 * `always`: a plain group of options. `presence`: off when absent or `false`, on when `true` or an object.
 * `flag`: on only if its member `enabled` is true, as the wire contract requires for `emailAndPassword`.
 */
type Mode = 'always' | 'presence' | 'flag'

export interface Section<S extends ConfigShape = ConfigShape, M extends Mode = Mode> {
  readonly kind: 'section'
  readonly mode: M
  readonly shape: S
  readonly description: string
}
export interface ConfigShape {
  readonly [option: string]: z.ZodType | Section
}

const sectionOf =
  <const M extends Mode>(mode: M) =>
  <const S extends ConfigShape>(description: string, shape: S): Section<S, M> => ({ kind: 'section', mode, shape, description })

/** Options that belong together and are always enabled. */
export const group = sectionOf('always')
/** Options that can be enabled: absent or `false` disables, `true` enables with defaults, an object enables with these options. */
export const section = sectionOf('presence')
/** Options that are enabled only by `enabled: true` among them. */
export const flagged = sectionOf('flag')

/** An option that is a function. */
export const callback = <F extends (...args: never[]) => unknown>() =>
  z.custom<F>((value) => typeof value === 'function', 'Expected a function').meta({ function: true })

/** Marks an option whose value is never printed. */
export const secret = <T extends z.ZodType>(schema: T): T => schema.meta({ ...schema.meta(), secret: true })
/** Marks a URL whose password is never printed. */
export const addressWithPassword = <T extends z.ZodType>(schema: T): T => schema.meta({ ...schema.meta(), address: true })

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

function switched(mode: Mode, value: unknown): unknown {
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

/** A hint with the most similar known option, path or key; empty when none is similar. */
export function suggest(given: string, known: readonly string[]): Pick<ConfigIssue, 'hint'> {
  const [nearest] = known.map((name) => ({ name, distance: leven(name, given) })).sort((a, b) => a.distance - b.distance)
  if (!nearest || nearest.distance > Math.max(2, given.length / 3)) return {}
  return { hint: `Did you mean \`${nearest.name}\`?` }
}

/** `Invalid input: expected number, received string` → `Expected number, received string`. */
export const plainMessage = (message: string): string => message.replace(/^[A-Z][\w ]+: expected /, 'Expected ')

/** How options are declared, merged, checked and typed: one zod schema, made from what the enabled features say. */
import { z } from 'zod'

/** A fault in a configuration. `id` is stable and explained in docs/configuration.md. */
export interface ConfigFault {
  readonly id: string
  /** Where, as in `session.expiresIn`. */
  readonly path: string
  readonly message: string
  /** What to write instead. */
  readonly hint?: string
}

/**
 * `always`: a plain group of options. `presence`: off when absent or `false`, on when `true` or an object.
 * `flag`: on only if its member `enabled` says so, as the wire contract has it for `emailAndPassword`.
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

/** Options that belong together and are always on. */
export const group = <const S extends ConfigShape>(description: string, shape: S): Section<S, 'always'> => ({
  kind: 'section',
  mode: 'always',
  shape,
  description,
})
/** Something that can be switched: absent or `false` is off, `true` is on with defaults, an object is on with these options. */
export const section = <const S extends ConfigShape>(description: string, shape: S): Section<S, 'presence'> => ({
  kind: 'section',
  mode: 'presence',
  shape,
  description,
})
/** Something that is on only with `enabled: true` inside. */
export const flagged = <const S extends ConfigShape>(description: string, shape: S): Section<S, 'flag'> => ({
  kind: 'section',
  mode: 'flag',
  shape,
  description,
})

/** An option that is a function of the installation's own. */
export const callback = <F extends (...args: never[]) => unknown>() =>
  z.custom<F>((value) => typeof value === 'function', 'Expected a function').meta({ function: true })

/** Marks an option whose value is never printed. */
export const secret = <T extends z.ZodType>(schema: T): T => schema.meta({ ...schema.meta(), secret: true })
/** Marks an address whose password is never printed. */
export const addressWithPassword = <T extends z.ZodType>(schema: T): T => schema.meta({ ...schema.meta(), address: true })

export type ConfigOutput<S> = { readonly [K in keyof S]: OptionOutput<S[K]> }
type OptionOutput<T> = T extends { kind: 'section'; mode: infer M; shape: infer S }
  ? M extends 'always'
    ? ConfigOutput<S>
    : { readonly enabled: boolean } & ConfigOutput<S>
  : T extends z.ZodType
    ? z.output<T>
    : never

export type ConfigInput<S> = { [K in keyof S]?: OptionInput<S[K]> | undefined }
type OptionInput<T> = T extends { kind: 'section'; mode: infer M; shape: infer S }
  ? M extends 'always'
    ? ConfigInput<S>
    : M extends 'flag'
      ? { enabled?: boolean } & ConfigInput<S>
      : boolean | ({ enabled?: boolean } & ConfigInput<S>)
  : T extends z.ZodType
    ? z.input<T>
    : never

const isSection = (option: z.ZodType | Section): option is Section => 'kind' in option && option.kind === 'section'

/** Merges what several features say of the same sections. @throws Error when two describe the same option */
export function mergeShapes(shapes: readonly ConfigShape[]): ConfigShape {
  const merged: Record<string, z.ZodType | Section> = {}
  for (const shape of shapes) {
    for (const [name, option] of Object.entries(shape)) {
      const known = merged[name]
      if (!known) merged[name] = option
      else if (isSection(known) && isSection(option)) merged[name] = { ...known, shape: mergeShapes([known.shape, option.shape]) }
      else throw new Error(`The option ${name} is described twice`)
    }
  }
  return merged
}

function switched(mode: Mode, value: unknown): unknown {
  if (mode === 'always') return value === undefined ? {} : value
  if (value === undefined || value === false) return { enabled: false }
  if (value === true) return { enabled: true }
  if (mode === 'presence' && typeof value === 'object' && value !== null && !('enabled' in value))
    return { ...value, enabled: true }
  return value
}

/** The schema that checks a configuration: strict at every depth, complete in its output. */
export const configSchema = (shape: ConfigShape): z.ZodType =>
  sectionSchema({ kind: 'section', mode: 'always', shape, description: '' })

function sectionSchema(declared: Section): z.ZodType {
  const members = Object.entries(declared.shape).map(([name, option]) => [
    name,
    isSection(option) ? sectionSchema(option) : option,
  ])
  const enabled = declared.mode === 'always' ? {} : { enabled: z.boolean().default(false) }
  return z.preprocess((value) => switched(declared.mode, value), z.strictObject({ ...enabled, ...Object.fromEntries(members) }))
}

/** The same schema in the form in which it is documented: what may be written, without the steps that complete it. */
export function documentedSchema(declared: ConfigShape | Section): z.ZodType {
  const described: Section = isSection(declared as Section)
    ? (declared as Section)
    : { kind: 'section', mode: 'always', shape: declared as ConfigShape, description: '' }
  const members = Object.entries(described.shape).map(([name, option]) => [
    name,
    isSection(option) ? documentedSchema(option) : option,
  ])
  const optional = Object.fromEntries(members.map(([name, option]) => [name, (option as z.ZodType).optional()]))
  const enabled = described.mode === 'always' ? {} : { enabled: z.boolean().optional() }
  const object = z.strictObject({ ...enabled, ...optional })
  const schema = described.mode === 'presence' ? z.union([z.boolean(), object]) : object
  return described.description ? schema.describe(described.description) : schema
}

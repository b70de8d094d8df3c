/** Functions that declare options. The zod schema and the types of the configuration are derived from the declarations. */
import { z } from 'zod'

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

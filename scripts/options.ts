/** What the generated pages and types say of an option. */
import { z } from 'zod'
import type { ConfigShape, Section } from '../src/core/config.ts'

export type Option = z.ZodType | Section
export const isSection = (option: Option): option is Section => 'kind' in option && option.kind === 'section'

export const modes = { always: '', presence: ' Off unless present.', flag: ' Off unless `enabled: true`.' }

/** The options that all sections of a group have in common, such as those of all providers; none if it has only one section. */
export function sharedOptions(shape: ConfigShape): Readonly<Record<string, z.ZodType>> {
  const sections = Object.values(shape).filter(isSection)
  const [first, ...others] = sections
  if (!first || others.length === 0) return {}
  const isShared = ([name, option]: [string, Option]): boolean =>
    !isSection(option) && others.every((section) => section.shape[name] === option)
  return Object.fromEntries(Object.entries(first.shape).filter(isShared)) as Record<string, z.ZodType>
}

export interface Described {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Described[]
  readonly items?: Described
  readonly properties?: Readonly<Record<string, Described>>
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly default?: unknown
  readonly description?: string
  readonly function?: boolean
}

export const describe = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described

export const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** `1 to 256`, `from 1`, `up to 50` or nothing. */
export function bounds({ minimum, maximum, exclusiveMinimum }: Described): string {
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1
  const low = least === undefined || least === Number.MIN_SAFE_INTEGER ? '' : String(least)
  const high = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : String(maximum)
  if (low && high) return `${low} to ${high}`
  return low ? `from ${low}` : high && `up to ${high}`
}

/** The range of a number, as a sentence without a full stop: `Integer 1 to 256`. */
export function rangeOf(schema: z.ZodType): string {
  const described = describe(schema)
  const range = bounds(described)
  return described.type === 'integer' ? `Integer ${range}`.trim() : range && `${range.charAt(0).toUpperCase()}${range.slice(1)}`
}

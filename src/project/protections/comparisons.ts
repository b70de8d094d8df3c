/** When a value of an option is weaker than another. */

/** Every option of a configuration by its path, such as `session.expiresIn`. Of a disabled section only `<section>.enabled`. */
export type Settings = ReadonlyMap<string, unknown>

/** Whether a protection is less. @param settings all settings that `to` is part of */
export type Comparison = (from: unknown, to: unknown, settings: Settings) => boolean

/** A protection is switched off. An absent value is the default, which is on. */
export const off: Comparison = (from, to) => to === false && from !== false
/** What is dangerous is switched on. */
export const on: Comparison = (from, to) => to === true && from !== true
export const more: Comparison = (from, to) => typeof to === 'number' && (typeof from !== 'number' || to > from)
export const less: Comparison = (from, to) => typeof to === 'number' && (typeof from !== 'number' || to < from)
/** The same for a number of which 0 means no limit. */
export const moreOrNone: Comparison = (from, to) =>
  from !== 0 && (to === 0 || (typeof from === 'number' && more(from, to, new Map())))
/** A value is set where there was none, or another one. Functions are compared by identity. */
export const replaced: Comparison = (from, to) => to !== undefined && to !== from
/** It has one of these values, and had another one. */
export const becomes =
  (...weak: readonly unknown[]): Comparison =>
  (from, to) =>
    weak.includes(to) && !weak.includes(from)
/** A list, or the keys of an object, has a member that it did not have. */
export const added: Comparison = (from, to) => membersOf(to).some((member) => !membersOf(from).includes(member))
/** A member of an object, or of one of the objects in a list, has this value. */
export const member =
  (name: string, weak: unknown): Comparison =>
  (from, to) =>
    valuesOf(to, name).includes(weak) && !valuesOf(from, name).includes(weak)

/** One of the objects in a list has this member, whatever its value. */
export const anyMember =
  (...names: readonly string[]): Comparison =>
  (_, to) =>
    [to]
      .flat()
      .some((one) => typeof one === 'object' && one !== null && names.some((name) => Reflect.get(one, name) !== undefined))
/** An object has a key that matches, whose value permits input of users. */
export const writable =
  (pattern: RegExp): Comparison =>
  (_, to) =>
    Object.entries(to ?? {}).some(([name, field]) => pattern.test(name) && Reflect.get(Object(field), 'input') !== false)

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? [value] : []
  return Object.keys(value)
}

const valuesOf = (value: unknown, name: string): readonly unknown[] =>
  [value].flat().flatMap((one) => (typeof one === 'object' && one !== null ? [lower(Reflect.get(one, name))] : []))

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

/** One kind of setting that protects less. */
export interface Weakening {
  /** Stable, for scripts and acknowledgements. */
  readonly id: string
  /** Options, in which `*` stands for one part, and for all parts at the end. */
  readonly paths: readonly string[]
  readonly isWeaker: Comparison
  /** What follows from it, in one sentence without a full stop. */
  readonly message: string
  /** Default: to remove the option. */
  readonly fix?: string
}

export const weakening = (
  id: string,
  paths: readonly string[],
  isWeaker: Comparison,
  message: string,
  fix?: string,
): Weakening => ({ id, paths, isWeaker, message, ...(fix !== undefined && { fix }) })

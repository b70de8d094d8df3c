/** Plain objects: checks of values of unknown type, and members without a value. */

/** True for objects and lists, not for null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** An object that is not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value) && !Array.isArray(value)

/** The members that have a value: neither JSON nor the database distinguishes an absent member from an undefined one. */
export const definedMembers = <T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** The same as parameters of a URL or a form. */
export const definedParameters = (parameters: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined))

/** Levels of a JSON value that a client may send to be stored. */
export const mostLevels = 100

/** Level by level instead of by recursion: JSON may be nested deeper than the stack, and could then not be written as text. */
function isNestedAtMost(value: unknown, levels: number): boolean {
  let level = [value].filter(isObject)
  for (let depth = 0; depth < levels; depth += 1) level = level.flatMap((one) => Object.values(one)).filter(isObject)
  return level.length === 0
}

/** Whether a JSON value has at most `mostLevels` levels, and as text at most `length` characters. An absent value fits. */
export const fitsAsJSON = (value: unknown, length: number): boolean =>
  isNestedAtMost(value, mostLevels) && (JSON.stringify(value)?.length ?? 0) <= length

/** The same for at most `bytes` bytes of UTF-8. */
export const fitsAsJSONBytes = (value: unknown, bytes: number, levels = mostLevels): boolean =>
  isNestedAtMost(value, levels) && Buffer.byteLength(JSON.stringify(value) ?? '') <= bytes

/** The metadata of a user in another system: what goes into fields, and what is dropped. */
import type { App } from '../../core/app.ts'
import type { MoveOptions } from './prepare-user.ts'
import { type SourceUser, systems } from './readers/index.ts'

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** @param path `app_metadata.plan`; a column of a table needs no `columns.` before it */
function read(metadata: Readonly<Record<string, unknown>>, path: string): unknown {
  const [first = '', ...rest] = path.split('.')
  const start = Object.hasOwn(metadata, first) ? metadata[first] : member(metadata.columns, first)
  return rest.reduce(member, start)
}

/** @returns the values of fields, and the keys that none takes */
export function takeMetadata({ metadata = {} }: SourceUser, { fields }: MoveOptions) {
  const values = [...fields].flatMap(([field, path]) => {
    const value = read(metadata, path)
    return value === undefined || value === null ? [] : [[field, value] as const]
  })
  const taken = new Set(fields.values())
  const dropped = Object.entries(metadata).flatMap(([name, keys]) =>
    Object.entries(Object(keys))
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([key]) => (name === 'columns' ? key : `${name}.${key}`).slice(0, 100))
      .filter((key) => !taken.has(key)),
  )
  return { fields: Object.fromEntries(values), dropped: dropped.slice(0, 50) }
}

/**
 * Metadata that only the operator of the other system could write must not become a field that users write.
 * @returns what is wrong with `--field`; null when nothing is
 */
export function findFieldFault({ config }: App, { system, fields }: Pick<MoveOptions, 'system' | 'fields'>): string | null {
  for (const [field, path] of fields) {
    const declared = config.user.additionalFields[field]
    if (!declared) return `there is no field ${field} in user.additionalFields`
    const isProtected = systems[system].protectedMetadata.includes(path.split('.')[0] ?? '')
    if (isProtected && declared.input !== false)
      return `${path} is written by operators only, and users may set ${field}: declare the field with input: false`
  }
  return null
}

/** Reads `--field name=value` for the fields of the configuration. */
import type { App } from '../../core/app.ts'
import { ApiError, errors } from '../../core/errors.ts'
import { readMappedUserFields, readUserFields } from '../../features/users/index.ts'
import { Failure, usageError } from '../../project/failure.ts'

type Field = App['config']['user']['additionalFields'][string]

/**
 * @returns columns of a new user; values that are not text are given as JSON
 * @throws Failure USAGE, VALIDATION_ERROR, `<NAME>_IS_REQUIRED`
 */
export async function readGivenFields(app: App, given: readonly string[]): Promise<object> {
  const values = Object.fromEntries(given.map((pair) => readPair(app, pair)))
  try {
    return await readUserFields(app, values, 'create')
  } catch (error) {
    throw error instanceof ApiError ? await nameIssue(app, values, error) : error
  }
}

/**
 * @returns fields to change, by their names; also those that users cannot set
 * @throws Failure USAGE, VALIDATION_ERROR
 */
export function readChangedFields(app: App, given: readonly string[]): Readonly<Record<string, unknown>> {
  const values = given.map((pair) => readPair(app, pair, true))
  for (const [name, value] of values) {
    try {
      readMappedUserFields(app, { [name]: value })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const message = `--field: expected ${name} to be ${describeType(getField(app, name, true))}`
      throw new Failure(error.entry.code, message, { cause: error })
    }
  }
  return Object.fromEntries(values)
}

function readPair(app: App, pair: string, isByOperator = false): [string, unknown] {
  const end = pair.indexOf('=')
  const [name, text] = [pair.slice(0, end), pair.slice(end + 1)]
  const field = getField(app, name, isByOperator)
  if (field.type === 'string' || field.type === 'date' || Array.isArray(field.type)) return [name, text]
  try {
    return [name, JSON.parse(text)]
  } catch {
    throw usageError(`--field: expected JSON for ${name}: ${describeType(field)}`)
  }
}

/** @param isAnyAllowed also a field that users cannot set */
function getField({ config }: App, name: string, isAnyAllowed: boolean): Field {
  const fields = config.user.additionalFields
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field && (field.input || isAnyAllowed)) return field
  if (field) throw usageError(`--field: ${name} cannot be set: user.additionalFields.${name}.input is false`)
  const names = Object.entries(fields).flatMap(([known, { input }]) => (input || isAnyAllowed ? [known] : []))
  const known = names.length > 0 ? `; known fields: ${names.join(', ')}` : '; user.additionalFields declares no field'
  throw usageError(`--field: unknown field ${name}${known}`)
}

/** The error of the API does not name the field; this one does. */
async function nameIssue(app: App, values: object, error: ApiError): Promise<Failure> {
  const { code, message } = error.entry
  const fields = Object.entries(app.config.user.additionalFields)
  if (error.entry !== errors.VALIDATION_ERROR) {
    const missing = fields.find(([name]) => message === `${name} is required`)
    const hint = missing && `Add --field ${missing[0]}=<value>: ${describeType(missing[1])}`
    return new Failure(code, message, { hint, cause: error })
  }
  for (const [name, field] of fields) {
    if (!Object.hasOwn(values, name)) continue
    const isRight = await readUserFields(app, { [name]: Reflect.get(values, name) }, 'update').then(
      () => true,
      () => false,
    )
    const more = field.validator ? ' that its validator accepts' : ''
    if (!isRight) return new Failure(code, `--field: expected ${name} to be ${describeType(field)}${more}`, { cause: error })
  }
  return new Failure(code, message, { cause: error })
}

const types = {
  string: 'a string',
  number: 'a whole number',
  boolean: 'true or false',
  date: 'a time such as 2026-01-31T12:00:00Z',
  'string[]': 'a list such as ["a","b"]',
  'number[]': 'a list such as [1,2]',
} as const

const describeType = ({ type }: Field): string =>
  Array.isArray(type) ? `one of ${type.join(', ')}` : types[type as keyof typeof types]

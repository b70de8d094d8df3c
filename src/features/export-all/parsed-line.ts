/** Reads a line of a file: its JSON, its type, its schema, and values that the schema cannot know. */
import { importJWK } from 'jose'
import type { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { mergeTables } from '../../core/table.ts'
import { plainMessage } from '../../lib/input-errors.ts'
import { missingHashSecret } from '../../lib/keyed-hashes.ts'
import { readPasswordFormat } from '../../lib/password-formats.ts'
import { isWellFormed } from '../../lib/text.ts'
import { lineSchemas } from './line-schema.ts'
import { findLineType, type LineName } from './line-types.ts'
import { type Members, rowOf } from './row-forms.ts'
import { type Rows, userRows } from './user-form.ts'

export interface Problem {
  /** From 1; null: of the whole file. */
  readonly line: number | null
  readonly type: string | null
  readonly field: string | null
  readonly message: string
}

export interface ParsedLine {
  readonly number: number
  readonly type: LineName
  readonly table: string
  readonly id: string
  readonly members: Members
  readonly rows: Rows
}

const schemasOf = memo((app: App) => {
  const fields = Object.entries(app.config.user.additionalFields).map(([name, { fieldName = name }]) => fieldName)
  return lineSchemas(mergeTables(app.features), fields)
})

export function parseJSON(text: string | null): Members | string {
  if (text === null) return 'the line is too long or not UTF-8'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'not valid JSON: the line was cut or changed'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not a JSON object'
  return isWellFormed(value) ? (value as Members) : 'a text has half of a surrogate pair'
}

const isNothing = (value: unknown): boolean => value === null || value === false

/** A feature that is off here has no columns. Nothing is lost when it was not used. */
function withoutUnused(members: Members, unknown: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => !(unknown.includes(name) && isNothing(value))))
}

function dropUnused(schema: z.ZodObject, members: Members): Members {
  const unknown = Object.keys(members).filter((name) => !Object.hasOwn(schema.shape, name))
  return unknown.length > 0 ? withoutUnused(members, unknown) : members
}

const off = 'this configuration has no such field: its feature may be off'

function describeIssue({ path, code, message, ...issue }: z.core.$ZodIssue): Fault[] {
  if (code === 'unrecognized_keys' && 'keys' in issue)
    return (issue.keys as string[]).map((key) => [[...path, key.slice(0, 100)].join('.'), off])
  return [[path.join('.') || null, plainMessage(message)]]
}

const mostIssues = 5

/** @returns the problems of the line, or its rows */
export async function parseLine(app: App, number: number, members: Members): Promise<ParsedLine | readonly Problem[]> {
  const given = typeof members.type === 'string' ? members.type.slice(0, 64) : null
  const problem = ([field, message]: Fault): Problem => ({ line: number, type: given, field, message })
  const known = given === null ? null : findLineType(given)
  if (!known) return [problem(['type', `unknown type ${JSON.stringify(given)}`])]
  const schema = schemasOf(app).get(known.type)
  if (!schema) return [problem(['type', 'this configuration has no such rows: their feature is off'])]
  const parsed = schema.safeParse(dropUnused(schema, members))
  if (!parsed.success) return parsed.error.issues.flatMap(describeIssue).slice(0, mostIssues).map(problem)
  const line = parsed.data as Members
  const fault = await findFault(app, known.type, line)
  if (fault) return [problem(fault)]
  const { type, table } = known
  const rows = table === 'user' ? userRows(app, line) : { [table]: [rowOf(app, table, line)] }
  return { number, type, table, id: String(rows[table]?.[0]?.id), members: line, rows }
}

type Fault = readonly [field: string | null, message: string]

async function findFault(app: App, type: LineName, line: Members): Promise<Fault | null> {
  if (type === 'user') return findUserFault(app, line)
  if (type === 'signingKey' && line.privateJwk !== undefined) {
    const isKey = await importJWK(line.privateJwk as object, String(line.alg)).then(
      () => true,
      () => false,
    )
    if (!isKey) return ['privateJwk', 'not a private key of this algorithm']
  }
  return null
}

const address = /^[^\s@]+@[^\s@]+$/

function findUserFault(app: App, line: Members): Fault | null {
  const email = String(line.email)
  if (!address.test(email) || email !== email.toLowerCase()) return ['email', 'expected an email address in lower case']
  if (typeof line.termsAccepted === 'string' && typeof parseJSON(line.termsAccepted) === 'string')
    return ['termsAccepted', 'expected a JSON object as text']
  const names = Object.keys(app.config.user.additionalFields)
  const unknown = Object.entries((line.fields ?? {}) as Members).find(
    ([name, value]) => !names.includes(name) && !isNothing(value),
  )
  if (unknown) return [`fields.${unknown[0].slice(0, 100)}`, 'not declared in user.additionalFields']
  return findHashFault(app, ((line.password ?? {}) as Members).hash)
}

function findHashFault({ config }: App, hash: unknown): Fault | null {
  if (typeof hash !== 'string') return null
  const missing = missingHashSecret(hash, config.passwordHash)
  if (missing !== null) return ['password.hash', `needs a secret that is not configured: ${missing}`]
  if (readPasswordFormat(hash) !== null || config.emailAndPassword.password.verify !== undefined) return null
  return ['password.hash', 'a hash of an unknown scheme, or one that is too expensive to verify']
}

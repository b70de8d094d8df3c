/** The schema of each line, made from the tables: imports check lines with it, and the package has it as JSON Schema. */
import { z } from 'zod'
import type { Column, Tables } from '../../core/table.ts'
import { findLineType, lineTypes, partsOfUser } from './line-types.ts'
import { exportedColumns, hashedTables } from './row-forms.ts'

export const schemaName = 'export-all/v1'

/** Fits into a column even if every character takes four bytes, and into a line. */
const longestText = 65_535
const count = z.int().min(0)
const id = z.string().regex(/^[\x21-\x7e]{1,36}$/, 'expected 36 printable ASCII characters at most')
const object = z.record(z.string(), z.unknown())
const time = z.iso.datetime({ precision: 3 })

function valueSchema({ kind, length = 255 }: Column): z.ZodType {
  if (kind === 'id') return id
  if (kind === 'boolean') return z.boolean()
  if (kind === 'integer') return z.int32()
  if (kind === 'bigint') return z.int()
  if (kind === 'timestamp') return time
  if (kind === 'json') return z.unknown()
  return z.string().max(kind === 'text' ? longestText : length)
}

/** Columns with a secret are absent without `--confirm secrets`. */
function memberSchema(column: Column, kind: 'object' | 'token' | null): z.ZodType {
  const value = kind === 'object' ? object : kind === 'token' ? z.string().max(longestText) : valueSchema(column)
  const written = column.nullable ? value.nullable() : value
  return column.nullable || column.default !== undefined || column.secret ? written.optional() : written
}

/** @param skipped columns that the configuration names, which have a member of their own */
function shapeOf(tables: Tables, table: string, isPart: boolean, skipped: readonly string[] = []): z.ZodRawShape {
  const columns = exportedColumns(tables[table] ?? {}, table, isPart).filter(({ name }) => !skipped.includes(name))
  const shape = Object.fromEntries(columns.map(({ member, column, kind }) => [member, memberSchema(column, kind)]))
  return hashedTables.includes(table) ? { ...shape, form: z.enum(['hmac-sha256', 'sha256']).optional() } : shape
}

const password = z.strictObject({
  hash: z.string().max(16_000).nullable().optional(),
  scheme: z.string().max(64).nullable().optional(),
  mustReplace: z.boolean(),
  ...{ id, createdAt: time, updatedAt: time },
})

/** RFC 4226 wants 16 bytes at least; imported secrets may have fewer. */
const totp = z.strictObject({
  secret: z.string().regex(/^[A-Z2-7]{8,1000}$/, 'expected Base32'),
  digits: z.int().min(6).max(8),
  period: z.int().min(10).max(300),
  algorithm: z.enum(['SHA1', 'SHA256', 'SHA512']),
})

function userShape(tables: Tables, fieldColumns: readonly string[]): z.ZodRawShape {
  const parts = partsOfUser.filter(({ table }) => tables[table])
  const members = parts.map(({ member, table, isOne }) => {
    const one = z.strictObject(shapeOf(tables, table, true))
    return [member, isOne ? one.optional() : z.array(one).max(1000).optional()] as const
  })
  return {
    ...shapeOf(tables, 'user', false, fieldColumns),
    fields: object.optional(),
    password: password.optional(),
    ...(tables.twoFactor && { totp: totp.optional() }),
    ...Object.fromEntries(members),
  }
}

export const headerSchema = z.looseObject({
  type: z.literal('header'),
  schema: z.literal(schemaName),
  version: z.string(),
  createdAt: time,
  baseURL: z.string().nullable(),
  secrets: z.boolean(),
  signingKeys: z.boolean(),
  keyIds: z.array(z.string()),
  counts: z.record(z.string(), count),
})
export type Header = z.output<typeof headerSchema>

export const footerSchema = z.strictObject({
  type: z.literal('footer'),
  lines: count,
  sha256: z.string().regex(/^[\da-f]{64}$/),
})

/** The schema of each type of line whose table exists. @param fieldColumns columns of `user.additionalFields` */
export function lineSchemas(tables: Tables, fieldColumns: readonly string[] = []): Map<string, z.ZodObject> {
  const known = lineTypes.filter(({ table }) => tables[table])
  return new Map(
    known.map(({ type, table }) => {
      const shape = type === 'user' ? userShape(tables, fieldColumns) : shapeOf(tables, table, false)
      return [type, z.strictObject({ type: z.literal(type), ...shape })]
    }),
  )
}

function definitionOf(schema: z.ZodType): object {
  const { $schema: _, ...definition } = z.toJSONSchema(schema, {
    io: 'input',
    // Readers know the format; the pattern of a calendar is long.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return definition
}

const descriptions: Readonly<Record<string, string>> = {
  header: 'The first line',
  footer: 'The last line: the number and the SHA-256 of the lines between header and footer',
}

/** @param tables of all features */
export function exportJSONSchema(tables: Tables): object {
  const all: [string, z.ZodType][] = [['header', headerSchema], ...lineSchemas(tables), ['footer', footerSchema]]
  const definitions = Object.fromEntries(
    all.map(([type, schema]) => {
      const description = findLineType(type)?.description ?? descriptions[type]
      return [type, { description, ...definitionOf(schema) }]
    }),
  )
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:latchkey:export-all:v1',
    title: 'A line of latchkey export all',
    oneOf: Object.keys(definitions).map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: definitions,
  }
}

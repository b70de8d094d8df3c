/** The schema at the moment a migration was generated, as a JSON file beside it. Pure. */
import { z } from 'zod'
import { type Schema, stableJSON } from './schema.ts'

const format = 1

const column = z.strictObject({
  type: z.enum(['varchar', 'text', 'boolean', 'integer', 'bigint', 'timestamp', 'json']),
  length: z.int().positive().exactOptional(),
  nullable: z.boolean(),
  primary: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
})
const index = z.strictObject({ columns: z.array(z.string()).min(1), unique: z.boolean() })
const foreignKey = z.strictObject({
  column: z.string(),
  references: z.string(),
  onDelete: z.enum(['cascade', 'set null', 'restrict']),
})
const table = z.strictObject({
  columns: z.record(z.string(), column),
  indexes: z.record(z.string(), index),
  foreignKeys: z.record(z.string(), foreignKey),
})
const snapshot = z.strictObject({ format: z.literal(format), tables: z.record(z.string(), table) })

/** The same schema is always the same text, whatever the order of the features. */
export const formatSnapshot = (schema: Schema): string => `${stableJSON({ format, ...schema }, 2)}\n`

/** @throws Error when the text is no snapshot of a known format */
export function parseSnapshot(text: string): Schema {
  const { tables } = snapshot.parse(JSON.parse(text))
  return { tables }
}

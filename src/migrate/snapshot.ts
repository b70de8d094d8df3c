/**
 * `snapshot.json` of a folder of migrations: the schema to which the newest one leads, and for each one the way back to the schema
 * before it. Every migration names the digest of its schema, so that a schema on the way is found and checked by its digest.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { applyMergePatch, createMergePatch } from '../lib/merge-patch.ts'
import { declaredTables, emptySchema, type Schema, stableJSON } from './schema.ts'

export const snapshotFile = 'snapshot.json'

/** Ignores the kind of line ends, which version control may change. */
export const checksumOf = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

/** Of one migration, as earlier versions wrote it: `0001_initial.json`. Its checksum is the digest of the schema. */
const formatEarlier = (schema: Schema): string => `${stableJSON({ format: 1, tables: schema.tables }, 2)}\n`
const earlierShape = z.strictObject({ format: z.literal(1), tables: declaredTables })

/** Equal schemas have equal digests, whatever the order of the features. */
export const digestOf = (schema: Schema): string => checksumOf(formatEarlier(schema))

/** @throws Error for an unsupported format */
export const parseEarlier = (text: string): Schema => ({ tables: earlierShape.parse(JSON.parse(text)).tables })

const shape = z.strictObject({
  format: z.literal(2),
  migrations: z
    .array(
      z.strictObject({
        /** For the reader, and so that version control finds a conflict when two branches add a migration. */
        name: z.string(),
        /** JSON Merge Patch from the tables after this migration to those before it; absent for the first one. */
        before: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .min(1),
  tables: declaredTables,
})

/** A migration, and the schema to which it leads. */
export interface Snapshot {
  readonly name: string
  readonly schema: Schema
}

/** @param snapshots of all migrations of the folder, in order */
export function formatSnapshot(snapshots: readonly Snapshot[]): string {
  const migrations = snapshots.map(({ name, schema }, index) => {
    const before = snapshots[index - 1]?.schema
    return { name, ...(before && { before: createMergePatch(schema.tables, before.tables) }) }
  })
  const { tables } = snapshots.at(-1)?.schema ?? emptySchema
  return `${stableJSON({ format: 2, migrations, tables }, 2)}\n`
}

/** @returns the schemas by their digest @throws Error for an unsupported format */
export function parseSnapshot(text: string): ReadonlyMap<string, Schema> {
  const { migrations, tables: newest } = shape.parse(JSON.parse(text))
  const schemas: Schema[] = [{ tables: newest }]
  for (const { before } of migrations.slice(1).toReversed()) {
    const { tables } = schemas.at(-1) ?? emptySchema
    schemas.push({ tables: declaredTables.parse(applyMergePatch(tables, before)) })
  }
  return new Map(schemas.map((schema) => [digestOf(schema), schema]))
}

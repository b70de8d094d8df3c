/** Exports of lists: their rows, and the parts of their files. */
import type { Selectable } from 'kysely'
import { defineErrors } from '../../core/errors.ts'
import {
  bigint,
  id,
  index,
  integer,
  internal,
  json,
  nullable,
  primary,
  references,
  string,
  text,
  timestamp,
} from '../../core/table.ts'
import type { Database } from '../index.ts'

/** `failed`: see its code; of an error, or of the refusal when the user lost the permission. */
export const states = ['running', 'paused', 'completed', 'failed'] as const

/**
 * A page is added in one transaction, on the condition that no other was added since the one before it was read: two daemons write no
 * row twice. An export has the user by ID only and without a foreign key, because its parts are deleted in batches.
 */
export const tables = {
  listExport: {
    id: id(),
    source: string({ length: 64 }),
    format: string({ length: 16 }),
    state: string({ length: 16 }),
    code: nullable(string({ length: 100 })),
    /** As it was sent. */
    filter: json<Record<string, unknown>>(),
    createdBy: string({ length: 36 }),
    /** Of a table; null until there is a row. */
    columns: internal(nullable(json<string[]>())),
    /** Where the next page begins. */
    cursor: internal(nullable(text())),
    pages: internal(integer({ default: 0 })),
    parts: internal(integer({ default: 0 })),
    total: nullable(bigint()),
    rows: bigint({ default: 0 }),
    bytes: bigint({ default: 0 }),
    createdAt: timestamp(),
    endedAt: nullable(timestamp()),
    expiresAt: timestamp(),
  },
  listExportPart: { exportId: primary(references('listExport')), number: primary(integer()), content: text() },
}

export const indexes = {
  listExport: [index('state', 'createdAt'), index('createdBy', 'createdAt'), index('expiresAt')],
}

export type ListExport = Selectable<Database['listExport']>

export const errors = defineErrors({
  EXPORT_NOT_FOUND: [404, 'Export not found'],
  EXPORT_IS_NOT_COMPLETE: [400, 'Export is not complete'],
  TOO_MANY_EXPORTS: [400, 'Too many exports'],
})

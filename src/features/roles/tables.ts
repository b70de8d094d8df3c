import { hidden, id, json, nullable, readOnly, string, timestamp, unique } from '../../core/table.ts'

/** Roles as rows, written by `latchkey seed`; a user holds a comma-separated list of their names. */
export const tables = {
  role: {
    id: id(),
    name: unique(string({ length: 64 })),
    permissions: json<Record<string, string[]>>(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  user: { role: hidden(readOnly(nullable(string({ length: 255 })))) },
}

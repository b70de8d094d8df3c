import { boolean, id, integer, internal, nullable, readOnly, string, text, timestamp, unique } from '../../core/table.ts'

/**
 * Contract 08. The address is stored lower-cased; its collation is binary, so that no accent or width is folded into another account.
 * `accessRevision` grows with each change of the ways in which the user signs in.
 */
export const tables = {
  user: {
    id: id(),
    name: text(),
    email: readOnly(unique(string({ length: 320 }))),
    emailVerified: readOnly(boolean({ default: false })),
    image: nullable(text()),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    accessRevision: internal(integer({ default: 0 })),
  },
}

/** Two schemas that differ by a change of every kind. */
import {
  boolean,
  id,
  index,
  integer,
  json,
  nullable,
  references,
  string,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from '../../src/core/table.ts'
import { declareSchema } from '../../src/migrate/index.ts'

const user = { id: id(), email: unique(string({ length: 320 })), createdAt: timestamp() }

export const before = declareSchema([
  {
    tables: {
      user: { ...user, nick: nullable(string({ length: 20 })), age: integer({ default: 0 }), note: nullable(text()) },
      session: { id: id(), userId: references('user'), seen: nullable(timestamp()) },
      legacy: { id: id(), userId: nullable(references('user', 'set null')) },
    },
    indexes: { session: [index('seen')] },
  },
])

export const after = declareSchema([
  {
    tables: {
      user: {
        ...user,
        nick: nullable(string({ length: 40 })),
        age: integer({ default: 18 }),
        role: { ...string({ length: 30 }), default: 'member' },
      },
      session: {
        id: id(),
        userId: nullable(references('user', 'set null')),
        seen: nullable(timestamp()),
        data: nullable(json()),
      },
      team: { id: id(), ownerId: references('user', 'restrict'), open: boolean({ default: true }) },
    },
    indexes: { session: [index('seen', 'userId')], user: [uniqueIndex('nick', 'createdAt')] },
  },
])

export const destructive = ['drop-column:user.note', 'drop-table:legacy']

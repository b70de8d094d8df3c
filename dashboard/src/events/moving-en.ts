/** Moves, and imports and exports of all data: the events. */
import type { Values } from './values.ts'

export const messages = {
  'move.started': ({ actor }: Values) => `${actor} started a move from another system`,
  'move.completed': ({ actor }: Values) => `${actor} completed a move from another system`,
  'data.exported': ({ actor }: Values) => `${actor} exported all data with password hashes and other secrets`,
  'data.imported': ({ actor }: Values) => `${actor} imported lines of a complete export`,
  'users.imported': ({ actor }: Values) => `${actor} imported users`,
}

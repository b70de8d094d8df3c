/** A prefix before the names of Latchkey's tables, while a move fills them in the database of the application that they replace. */

/** Of the tables that a move fills, until the switch renames them. */
export const movePrefix = 'lk_move_'

/** Shared by the connections of an app: the switch sets it to the empty text, and the next query uses the tables under their names. */
export interface TablePrefix {
  value: '' | typeof movePrefix
}

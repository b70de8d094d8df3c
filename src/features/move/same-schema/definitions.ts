/** The parts of a `show create table` that the switch changes and a way back restores: foreign keys, and columns that refer. */
import { backticked } from '../../../lib/text.ts'

/** Lines as the server prints them, without indent and comma. */
export interface TableParts {
  /** By column. */
  readonly columns: Readonly<Record<string, string>>
  /** By name; null in what is wanted: none. */
  readonly constraint: string | null
}

const linesOf = (definition: string): string[] => definition.split('\n').map((line) => line.trim().replace(/,$/, ''))

export const findConstraint = (definition: string, name: string): string | null =>
  linesOf(definition).find((line) => line.startsWith(`CONSTRAINT ${backticked(name)} FOREIGN KEY `)) ?? null

export const findColumn = (definition: string, name: string): string | null =>
  linesOf(definition).find((line) => line.startsWith(`${backticked(name)} `)) ?? null

const keyName = /^(?:UNIQUE |FULLTEXT |SPATIAL )?KEY (`(?:[^`]|``)+`)/

/** The indexes without the primary key, in their order. */
export const findKeys = (definition: string): string[] => linesOf(definition).filter((line) => keyName.test(line))

/**
 * MariaDB puts the index that it made for a foreign key behind all others when the key is added again.
 * @param wanted the same indexes in their former order
 * @returns at most one statement
 */
export function orderKeys(table: string, definition: string, wanted: readonly string[]): string[] {
  const current = findKeys(definition)
  const first = wanted.findIndex((line, at) => line !== current[at])
  const isSame = current.length === wanted.length && current.every((line) => wanted.includes(line))
  if (first === -1 || !isSame) return []
  const moved = wanted.slice(first)
  const parts = [...moved.map((line) => `drop key ${keyName.exec(line)?.[1]}`), ...moved.map((line) => `add ${line}`)]
  return [`alter table ${table} ${parts.join(', ')}`]
}

export const withTarget = (constraint: string, table: string, column: string): string =>
  constraint.replace(
    /( REFERENCES (?:`(?:[^`]|``)+`\.)?)`(?:[^`]|``)+` \(`(?:[^`]|``)+`\)/,
    (_, start: string) => `${start}${backticked(table)} (${backticked(column)})`,
  )

const varchar = /^(`(?:[^`]|``)+` varchar\(\d+\))(?: CHARACTER SET \w+)?(?: COLLATE \w+)?(?! GENERATED)(.*)$/

/** @returns the column with this collation; null when it is not a plain `varchar` */
export function withCollation(column: string, collation: string): string | null {
  const [, start, rest] = varchar.exec(column) ?? []
  return start === undefined ? null : `${start} CHARACTER SET utf8mb4 COLLATE ${collation}${rest}`
}

/** Some versions print the character set only when it differs from that of the table. */
const plain = (line: string | null): string => (line ?? '').replace(/ CHARACTER SET \w+/, '')

/**
 * The statements that bring a table to what is wanted; none when it is there, so that a killed run is continued.
 * @param table quoted
 * @param definition as the table is now
 */
export function settle(table: string, definition: string, name: string, wanted: TableParts): string[] {
  const current = findConstraint(definition, name)
  const columns = Object.entries(wanted.columns).filter(([column, line]) => plain(findColumn(definition, column)) !== plain(line))
  const isKept = current === wanted.constraint && columns.length === 0
  if (isKept) return []
  return [
    ...(current === null ? [] : [`alter table ${table} drop foreign key ${backticked(name)}`]),
    ...columns.map(([, line]) => `alter table ${table} modify column ${line}`),
    ...(wanted.constraint === null ? [] : [`alter table ${table} add ${wanted.constraint}`]),
  ]
}

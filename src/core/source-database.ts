/** The database of an application that moves to Latchkey: what is asked of it. */

export type SourceRow = Readonly<Record<string, SourceValue>>
export type SourceValue = string | number | bigint | Uint8Array | null

export interface SourceColumn {
  readonly name: string
  /** As the database names it, in lower case. */
  readonly type: string
  readonly nullable: boolean
}

export interface SourceTable {
  readonly name: string
  readonly columns: readonly SourceColumn[]
}

/** A column of a table that refers to a row of another one. */
export interface SourceReference {
  readonly table: string
  readonly column: string
  readonly target: string
  readonly type: string
}

/** Texts, whole numbers and null only, so that no driver interprets a time. */
export interface SourceDatabase {
  readonly product: 'mysql' | 'postgres' | 'sqlite'
  /** Such as `MySQL 8.4.3 shop@db1`; without credentials. */
  readonly label: string
  tables(): Promise<readonly SourceTable[]>
  references(): Promise<readonly SourceReference[]>
  /** @param text with `?` for each value */
  query(text: string, values?: readonly (string | number | null)[]): Promise<SourceRow[]>
  /** Statements in one transaction; only of a database that was opened for writing. */
  write(statements: readonly (readonly [text: string, values: readonly (string | number | null)[]])[]): Promise<void>
  /** Other connections to this database that the account sees. */
  connections(): Promise<number>
  quote(name: string): string
  /**
   * The expression of a hash that differs when one of the values does: 88 bits, which no two states of a row have in common by chance.
   * @param columns quoted
   */
  hash(table: string, columns: readonly string[]): string
  close(): Promise<void>
}

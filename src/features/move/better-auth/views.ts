/** Views with the names of better-auth over Latchkey's tables, for code of the application that reads them with SQL. */

import type { Column, Tables as OwnTables } from '../../../core/table.ts'
import { backticked, doubleQuoted } from '../../../lib/text.ts'
import type { Recognized, RecognizedTable } from './recognition.ts'
import type { KindName } from './shapes.ts'

export interface ViewOptions {
  readonly tables: ReadonlyMap<KindName, RecognizedTable>
  /** Latchkey's tables with their columns. */
  readonly own: OwnTables
  readonly generation: Recognized['generation']
  readonly product: 'mysql' | 'sqlite'
  /** The database that has Latchkey's tables, as the views name it. */
  readonly from: string
  /** Of the application, in which it reads times without one. */
  readonly zone: string
  /** `digits`: IDs are numbers again. */
  readonly ids: 'digits' | 'text'
}

export interface View {
  readonly name: string
  readonly statement: string | null
  /** Why there is no statement; null when there is one. */
  readonly reason: string | null
  /** Columns of better-auth that it does not have. */
  readonly left: readonly string[]
}

/** Latchkey stores these as hashes, or encrypted. */
const unreadable: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  session: ['token'],
  account: ['accessToken', 'refreshToken', 'idToken'],
  apikey: ['key'],
  jwks: ['privateKey'],
}
const unreadableKinds: readonly KindName[] = ['twoFactor', 'verification']

/** Names of columns that Latchkey has under another one. */
const otherNames: Readonly<Partial<Record<KindName, Readonly<Record<string, string>>>>> = {
  apikey: { referenceId: 'userId' },
  jwks: { alg: 'algorithm' },
}

export const createViews = (options: ViewOptions): View[] =>
  [...options.tables.values()].map((table) => createView(options, table))

function createView(options: ViewOptions, table: RecognizedTable): View {
  const { own, product, from } = options
  const quote = product === 'mysql' ? backticked : doubleQuoted
  const columns = own[table.kind]
  const names = Object.entries(table.columns)
  const none = (reason: string): View => ({ name: table.table, statement: null, reason, left: names.map(([, name]) => name) })
  if (unreadableKinds.includes(table.kind)) return none('Latchkey stores it encrypted or hashed')
  if (!columns) return none('the configuration has no table for it')
  const custom = table.others.filter(({ name }) => columns[name]).map(({ name }) => [name, name] as const)
  const left: string[] = []
  const selected = [...names, ...custom].flatMap(([logical, name]) => {
    const stored = otherNames[table.kind]?.[logical] ?? logical
    const column = columns[stored]
    if (column && !unreadable[table.kind]?.includes(logical))
      return [`${formerValue(options, column, quote(stored), table.types[name] ?? '', table.kind)} as ${quote(name)}`]
    left.push(name)
    return []
  })
  // Those that are being deleted.
  const where = columns.deletedAt ? ` where ${quote('deletedAt')} is null` : ''
  const create = product === 'sqlite' ? 'create temp view' : 'create view'
  const statement = `${create} ${quote(table.table)} as select ${selected.join(', ')} from ${quote(from)}.${quote(table.kind)}${where}`
  return { name: table.table, statement, reason: null, left }
}

/** As the old column had it. @param type of the old column */
function formerValue(
  { product, zone, ids, generation }: ViewOptions,
  { kind }: Column,
  column: string,
  type: string,
  table: KindName,
): string {
  // 1.2 stores the JSON text of a JSON text.
  if (table === 'apikey' && /\bmetadata\b/.test(column) && generation === '1.2') return `coalesce(json_quote(${column}), 'null')`
  const isNumber = /int|serial/.test(type)
  if (kind === 'timestamp' && product === 'mysql') {
    const local = zone === 'UTC' ? column : `convert_tz(${column}, 'UTC', '${zone}')`
    return type === 'datetime' ? `cast(${local} as datetime)` : local
  }
  if ((kind === 'id' || kind === 'string') && isNumber && ids === 'digits')
    return product === 'mysql' ? `cast(${column} as signed)` : `cast(${column} as integer)`
  return column
}

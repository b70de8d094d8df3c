/** Random schemas, including unusual ones, for properties that hold for all. */
import fc from 'fast-check'
import {
  bigint,
  boolean,
  type Column,
  type Columns,
  type Indexes,
  id,
  integer,
  json,
  nullable,
  string,
  text,
  timestamp,
  unique,
} from '../../src/core/table.ts'
import { declareSchema, type Schema } from '../../src/migrate/index.ts'

const tableNames = ['alpha', 'beta', 'gamma', 'deltaEpsilon'] as const
const columnNames = ['one', 'two', 'order', 'userId', 'key'] as const

const length = fc.constantFrom(10, 63, 64, 200, 255, 300)
const plainColumn: fc.Arbitrary<Column> = fc.oneof(
  length.map((length) => string({ length })),
  length.map((length): Column => ({ ...string({ length }), default: 'some-value' })),
  fc.constantFrom<Column>(
    text(),
    boolean(),
    boolean({ default: true }),
    boolean({ default: false }),
    integer(),
    integer({ default: -7 }),
    bigint(),
    bigint({ default: 2 ** 40 }),
    timestamp(),
    json(),
  ),
)
const isKeyable = ({ kind }: Column) => kind !== 'text' && kind !== 'json'

const column: fc.Arbitrary<Column> = fc
  .record({ column: plainColumn, isNullable: fc.boolean(), isUnique: fc.boolean() })
  .map(({ column, isNullable, isUnique }) => {
    const shaped = isNullable ? nullable(column) : column
    return isUnique && isKeyable(column) ? unique(shaped) : shaped
  })

const reference = fc.record({
  name: fc.constantFrom('alphaId', 'betaId'),
  target: fc.constantFrom(...tableNames),
  onDelete: fc.constantFrom('cascade', 'set null', 'restrict'),
})

const table = fc.record({
  keyLength: fc.constantFrom(36, 70),
  columns: fc.dictionary(fc.constantFrom(...columnNames), column, { maxKeys: 4 }),
  references: fc.uniqueArray(reference, { maxLength: 2, selector: ({ name }) => name }),
  indexes: fc.array(
    fc.record({
      columns: fc.uniqueArray(fc.constantFrom(...columnNames, 'alphaId'), { minLength: 1, maxLength: 2 }),
      unique: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
})
type Table = typeof table extends fc.Arbitrary<infer T> ? T : never

/** Tables refer to each other, and to themselves, in every way; keys change their type. */
export const randomSchema: fc.Arbitrary<Schema> = fc
  .dictionary(fc.constantFrom(...tableNames), table, { maxKeys: 4 })
  .map((tables) => {
    const known = new Map(Object.entries(tables))
    const declared = Object.fromEntries([...known].map(([name, table]) => [name, columnsOf(known, table)]))
    const indexes = Object.fromEntries([...known].map(([name, table]) => [name, indexesOf(declared[name] ?? {}, table)]))
    return declareSchema([{ tables: declared, indexes }])
  })

function columnsOf(tables: ReadonlyMap<string, Table>, { keyLength, columns, references }: Table): Columns {
  const foreign = references.flatMap(({ name, target, onDelete }): [string, Column][] => {
    const parent = tables.get(target)
    const column = { ...id(), primary: false, nullable: onDelete === 'set null', references: { table: target, onDelete } }
    return parent ? [[name, { ...column, length: parent.keyLength }]] : []
  })
  return { id: { ...id(), length: keyLength }, ...columns, ...Object.fromEntries(foreign) }
}

function indexesOf(columns: Columns, { indexes }: Table): Indexes[string] {
  return indexes.filter((index) => index.columns.every((name) => columns[name] && isKeyable(columns[name])))
}

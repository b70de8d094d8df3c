/** Finds users whose email addresses are one at Latchkey: they differ by case, by spaces around them, or by the form of their letters. */
import { batchesOf } from '../../../core/write.ts'
import { type Left, left } from './kind.ts'
import { type SourceDatabase, type SourceRow, textOf } from './source.ts'
import { columnOf, type Tables } from './source-pages.ts'
import { addressOf } from './users.ts'

export type ConflictChoice = 'stop' | 'skip' | 'newest'

export interface Duplicate {
  readonly address: string
  /** IDs in the old database; the first one is kept. */
  readonly ids: readonly string[]
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

interface Person {
  readonly id: string
  readonly address: string
  readonly createdAt: string
}

const reason = 'another user has the same email address, but for its case, spaces or form'

/**
 * @param choice `newest`: of each address the user with the newest session is kept, otherwise the oldest user
 * @returns the addresses, and the users who stay out, by kind and ID
 */
export async function findDuplicates(
  source: SourceDatabase,
  tables: Tables,
  choice: ConflictChoice,
): Promise<{ readonly duplicates: readonly Duplicate[]; readonly excluded: Map<string, Left> }> {
  const candidates = [...(await equalInLowerCase(source, tables)), ...(await withOtherLetters(source, tables))]
  const byId = new Map(candidates.map((person) => [person.id, person]))
  const groups = [...Map.groupBy(byId.values(), ({ address }) => address)].filter(([, group]) => group.length > 1)
  const duplicates: Duplicate[] = []
  const excluded = new Map<string, Left>()
  for (const [address, group] of groups) {
    const latest =
      choice === 'newest'
        ? await latestSessions(
            source,
            tables,
            group.map(({ id }) => id),
          )
        : new Map<string, string>()
    const sorted = group.toSorted(
      (one, other) => compare(latest.get(other.id) ?? '', latest.get(one.id) ?? '') || compare(one.createdAt, other.createdAt),
    )
    duplicates.push({ address, ids: sorted.map(({ id }) => id) })
    for (const { id } of sorted.slice(1)) excluded.set(`user ${id}`, left(reason, 'email'))
  }
  return { duplicates, excluded }
}

const personOf = (row: SourceRow): Person => ({
  id: textOf(row.id) ?? '',
  address: addressOf(row.email),
  createdAt: textOf(row.createdAt) ?? '',
})

const columns = (source: SourceDatabase, tables: Tables): string =>
  ['id', 'email', 'createdAt'].map((name) => `${columnOf(source, tables, 'user', name)} as ${source.quote(name)}`).join(', ')

const addressesPerQuery = 500

async function equalInLowerCase(source: SourceDatabase, tables: Tables): Promise<Person[]> {
  const table = source.quote(tables.get('user')?.table ?? 'user')
  const address = `lower(trim(${columnOf(source, tables, 'user', 'email')}))`
  const groups = await source.query(
    `select ${address} as ${source.quote('address')} from ${table} group by ${address} having count(*) > 1`,
  )
  const found: Person[] = []
  for (const some of batchesOf(groups, addressesPerQuery)) {
    const marks = some.map(() => '?').join(', ')
    const values = some.map((row) => textOf(row.address))
    const rows = await source.query(`select ${columns(source, tables)} from ${table} where ${address} in (${marks})`, values)
    found.push(...rows.map(personOf))
  }
  return found
}

/** Few, and no database compares their forms. */
async function withOtherLetters(source: SourceDatabase, tables: Tables): Promise<Person[]> {
  const table = source.quote(tables.get('user')?.table ?? 'user')
  const email = columnOf(source, tables, 'user', 'email')
  const condition = {
    mysql: `length(${email}) <> char_length(${email})`,
    postgres: `octet_length(${email}) <> char_length(${email})`,
    sqlite: `length(cast(${email} as blob)) <> length(${email})`,
  }[source.product]
  return (await source.query(`select ${columns(source, tables)} from ${table} where ${condition}`)).map(personOf)
}

async function latestSessions(source: SourceDatabase, tables: Tables, ids: readonly string[]): Promise<Map<string, string>> {
  const table = tables.get('session')
  if (!table) return new Map()
  const userId = columnOf(source, tables, 'session', 'userId')
  const rows = await source.query(
    `select ${userId} as ${source.quote('id')}, max(${columnOf(source, tables, 'session', 'createdAt')}) as ${source.quote('latest')}
     from ${source.quote(table.table)} where ${userId} in (${ids.map(() => '?').join(', ')}) group by ${userId}`,
    ids,
  )
  return new Map(rows.map((row) => [textOf(row.id) ?? '', textOf(row.latest) ?? '']))
}

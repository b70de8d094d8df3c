/** Recognizes the tables and columns of better-auth, whatever they are named, and which version made them. */
import { columnsOfShape, type KindName, kindNames, leftTables, requiredKinds } from './shapes.ts'
import type { SourceColumn, SourceTable } from './source.ts'

/** Logical names to those in the database. */
export interface TableNames {
  readonly table: string
  readonly columns: Readonly<Record<string, string>>
}
/** As `--mapping` gives it, and `--mapping-out` writes it. */
export type Mapping = Readonly<
  Partial<Record<KindName, { readonly table?: string; readonly columns?: Readonly<Record<string, string>> }>>
>

export interface RecognizedTable extends TableNames {
  readonly kind: KindName
  /** Those of the table that better-auth does not have. */
  readonly others: readonly SourceColumn[]
  /** Of all columns, by their names in the database. */
  readonly types: Readonly<Record<string, string>>
}

export interface Recognized {
  readonly tables: ReadonlyMap<KindName, RecognizedTable>
  /** Tables of better-auth of which nothing is copied. */
  readonly left: readonly { readonly table: string; readonly reason: string }[]
  readonly generation: '1.2' | '1.7'
  /** By which the version was recognized. */
  readonly evidence: string
}

/** `not-found`: there is no table; `ambiguous`: two have the columns; `unknown-name`: the mapping names what does not exist. */
export interface RecognitionProblem {
  readonly kind: KindName
  readonly problem: 'not-found' | 'ambiguous' | 'unknown-name'
  readonly names: readonly string[]
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** A table of another name counts when it has these columns: the required ones of `member` are in many tables of apps. */
const identifying: Readonly<Record<KindName, readonly string[]>> = {
  user: ['id', 'email', 'emailVerified', 'name', 'createdAt', 'updatedAt'],
  session: ['id', 'token', 'expiresAt', 'userId', 'createdAt', 'updatedAt'],
  account: ['id', 'accountId', 'providerId', 'userId', 'createdAt'],
  verification: ['id', 'identifier', 'value', 'expiresAt'],
  organization: ['id', 'name', 'slug', 'createdAt', 'logo', 'metadata'],
  member: ['id', 'organizationId', 'userId', 'role', 'createdAt'],
  team: ['id', 'name', 'organizationId', 'createdAt', 'updatedAt'],
  teamMember: ['id', 'teamId', 'userId'],
  organizationRole: ['id', 'organizationId', 'role', 'permission'],
  invitation: ['id', 'organizationId', 'email', 'status', 'expiresAt', 'inviterId'],
  apikey: ['id', 'key', 'start', 'rateLimitEnabled', 'requestCount', 'createdAt'],
  jwks: ['id', 'publicKey', 'privateKey', 'createdAt'],
  twoFactor: ['id', 'secret', 'backupCodes', 'userId'],
  passkey: ['id', 'publicKey', 'credentialID', 'counter', 'userId'],
}

/** What only some tables with the identifying columns have: they are of another kind. */
const excluding: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  teamMember: ['role'],
  member: ['permission', 'email'],
  organizationRole: ['userId'],
  team: ['slug', 'email', 'userId'],
}

const find = (columns: readonly SourceColumn[], name: string): string | undefined =>
  columns.find((column) => column.name === name)?.name ?? columns.find((column) => plain(column.name) === plain(name))?.name

/** The part of each name before that of the table, when all tables of better-auth have the same: `app_user`, `app_session`. */
function prefixes(names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => /^(.+?)users?$/i.exec(name)?.[1] ?? [])
  return ['', ...found.map(plain)]
}

const plurals = (kind: KindName): readonly string[] => {
  const one = plain(kind)
  return [one, `${one}s`, one.replace(/y$/, 'ies')]
}

function candidates(kind: KindName, tables: readonly SourceTable[], taken: ReadonlySet<string>): readonly SourceTable[] {
  const has = (table: SourceTable, names: readonly string[]) => names.every((name) => find(table.columns, name) !== undefined)
  const shaped = tables.filter(
    (table) =>
      !taken.has(table.name) &&
      has(table, identifying[kind]) &&
      !(excluding[kind] ?? []).some((name) => find(table.columns, name) !== undefined),
  )
  const exact = tables.filter(({ name }) => name === kind)
  if (exact.length === 1 && shaped.some(({ name }) => name === kind)) return exact
  const starts = prefixes(tables.map(({ name }) => name))
  const named = shaped.filter(({ name }) =>
    starts.some((start) => plain(name).startsWith(start) && plurals(kind).includes(plain(name).slice(start.length))),
  )
  return named.length > 0 ? named : shaped
}

interface Found {
  readonly tables: Map<KindName, RecognizedTable>
  readonly problems: RecognitionProblem[]
}

function recognizeOne(kind: KindName, tables: readonly SourceTable[], mapping: Mapping, found: Found): void {
  const given = mapping[kind]
  const taken = new Set([...found.tables.values()].map(({ table }) => table))
  const [table, ...more] =
    given?.table === undefined ? candidates(kind, tables, taken) : tables.filter(({ name }) => name === given.table)
  if (!table) {
    if (given?.table !== undefined) found.problems.push({ kind, problem: 'unknown-name', names: [given.table] })
    else if (requiredKinds.includes(kind)) found.problems.push({ kind, problem: 'not-found', names: [] })
    return
  }
  if (more.length > 0) {
    found.problems.push({ kind, problem: 'ambiguous', names: [table, ...more].map(({ name }) => name) })
    return
  }
  const columns: Record<string, string> = {}
  const lacking: string[] = []
  for (const { name, required } of columnsOfShape(kind)) {
    const own = given?.columns?.[name]
    const column = own === undefined ? find(table.columns, name) : table.columns.find((one) => one.name === own)?.name
    if (column !== undefined) columns[name] = column
    else if (own !== undefined || required) lacking.push(own ?? `${table.name}.${name}`)
  }
  if (lacking.length > 0) found.problems.push({ kind, problem: 'unknown-name', names: lacking })
  const used = new Set(Object.values(columns))
  const others = table.columns.filter(({ name }) => !used.has(name))
  const types = Object.fromEntries(table.columns.map(({ name, type }) => [name, type]))
  found.tables.set(kind, { kind, table: table.name, columns, others, types })
}

/** @returns the tables, or why they are not clear */
export function recognize(
  tables: readonly SourceTable[],
  mapping: Mapping,
): { readonly recognized: Recognized } | { readonly problems: readonly RecognitionProblem[] } {
  const found: Found = { tables: new Map(), problems: [] }
  for (const kind of kindNames) recognizeOne(kind, tables, mapping, found)
  if (found.problems.length > 0) return { problems: found.problems }
  const left = tables.flatMap(({ name }) => {
    const known = Object.keys(leftTables).find((one) => plurals(one as KindName).includes(plain(name)))
    return known === undefined ? [] : [{ table: name, reason: leftTables[known] ?? '' }]
  })
  return { recognized: { tables: found.tables, left, ...generationOf(found.tables) } }
}

function generationOf(tables: ReadonlyMap<KindName, RecognizedTable>): Pick<Recognized, 'generation' | 'evidence'> {
  const signs: readonly (readonly [KindName, string])[] = [
    ['account', 'issuer'],
    ['apikey', 'referenceId'],
    ['invitation', 'createdAt'],
    ['team', 'memberCount'],
    ['teamMember', 'id'],
    ['twoFactor', 'verified'],
    ['jwks', 'alg'],
    ['session', 'activeTeamId'],
  ]
  const sign = signs.find(([kind, column]) => tables.get(kind)?.columns[column] !== undefined)
  if (sign) return { generation: '1.7', evidence: `${sign[0]}.${sign[1]}` }
  return { generation: '1.2', evidence: 'no column that later versions have added' }
}

/** The names as a file for `--mapping` has them. */
export const mappingOf = ({ tables }: Recognized): Mapping =>
  Object.fromEntries([...tables.values()].map(({ kind, table, columns }) => [kind, { table, columns }]))

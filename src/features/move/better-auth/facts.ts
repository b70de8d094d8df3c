/** What the old database says about the application, from which options and warnings are derived. */
import { openPrivateKey } from './credentials.ts'
import { type MoveSettings, openFormer } from './kind.ts'
import { type KindName, kindNames } from './shapes.ts'
import { type SourceDatabase, textOf, timeOf } from './source.ts'
import { columnOf, countRows, hasNumberIds, presentIds, type Tables } from './source-pages.ts'

export interface Facts {
  readonly rows: Readonly<Partial<Record<KindName, number>>>
  readonly socialProviders: readonly string[]
  readonly passwords: number
  /** Users with a password whose email address is not verified. */
  readonly unverifiedPasswords: number
  readonly verifiedUsers: number
  /** Without anonymous ones, whose addresses are placeholders. */
  readonly unverifiedUsers: number
  readonly roles: readonly string[]
  readonly memberRoles: readonly string[]
  /** Sets of API keys with those whose keys belong to organizations. */
  readonly keySets: readonly { readonly configId: string; readonly references: 'user' | 'organization' }[]
  /** Users with more sessions than Latchkey keeps by default. */
  readonly manySessions: number
  readonly oldestSession: Date | null
  /** The newest time of a row: later than now when the zone is wrong. */
  readonly newestTime: Date | null
  /** Whether IDs are numbers, which columns of the application may require. */
  readonly hasNumberIds: boolean
  /** Columns of the application's own tables that refer to users and are integers. */
  readonly integerReferences: readonly string[]
  /** Tables of the application that refer to those of better-auth. */
  readonly referringTables: readonly string[]
}

export interface FactsQuery {
  readonly source: SourceDatabase
  readonly tables: Tables
  readonly settings: MoveSettings
}

const mostSessions = 100

export async function readFacts({ source, tables, settings }: FactsQuery): Promise<Facts> {
  const list = async (kind: KindName, column: string): Promise<string[]> => {
    const name = columnOf(source, tables, kind, column)
    if (name === null) return []
    const rows = await source.query(
      `select distinct ${name} as ${source.quote('value')} from ${tableOf(source, tables, kind)} order by 1`,
    )
    return rows.flatMap((row) => textOf(row.value) ?? [])
  }
  const rows: Partial<Record<KindName, number>> = {}
  for (const kind of kindNames) if (tables.has(kind)) rows[kind] = await countRows(source, tables, kind)
  const roles = await list('user', 'role')
  return {
    rows,
    socialProviders: (await list('account', 'providerId')).filter((name) => name !== 'credential'),
    ...(await passwordFacts(source, tables)),
    ...(await sessionFacts(source, tables, settings)),
    roles: namesOf(roles),
    memberRoles: namesOf(await list('member', 'role')),
    keySets: await keySetFacts(source, tables, await list('apikey', 'configId')),
    ...(await idFacts(source, tables)),
  }
}

const namesOf = (lists: readonly string[]): string[] =>
  [...new Set(lists.flatMap((text) => text.split(',').map((name) => name.trim())).filter(Boolean))].sort()

const tableOf = ({ quote }: SourceDatabase, tables: Tables, kind: KindName): string => quote(tables.get(kind)?.table ?? kind)

const one = async (source: SourceDatabase, text: string, values: readonly string[] = []): Promise<number> => {
  const [row] = await source.query(text, values)
  return Number(Object.values(row ?? {})[0] ?? 0)
}

/** Whose keys a set has: the owners of some of them say it, since the column names users and organizations. */
async function keySetFacts(source: SourceDatabase, tables: Tables, ids: readonly string[]): Promise<Facts['keySets']> {
  const [set, owner] = ['configId', 'referenceId'].map((name) => columnOf(source, tables, 'apikey', name))
  if (!set || !owner) return []
  const sets: Facts['keySets'][number][] = []
  for (const configId of ids) {
    const rows = await source.query(
      `select ${owner} as ${source.quote('value')} from ${tableOf(source, tables, 'apikey')} where ${set} = ? limit 200`,
      [configId],
    )
    const owners = rows.flatMap((row) => textOf(row.value) ?? [])
    const [users, organizations] = [
      await presentIds(source, tables, 'user', owners),
      await presentIds(source, tables, 'organization', owners),
    ]
    sets.push({ configId, references: organizations.size > users.size ? 'organization' : 'user' })
  }
  return sets
}

async function passwordFacts(source: SourceDatabase, tables: Tables) {
  const column = (kind: KindName, name: string) => `${kind === 'user' ? 'u' : 'a'}.${columnOf(source, tables, kind, name)}`
  const [user, account] = [tableOf(source, tables, 'user'), tableOf(source, tables, 'account')]
  const credential = `${column('account', 'providerId')} = 'credential'`
  const verified = source.product === 'postgres' ? column('user', 'emailVerified') : `${column('user', 'emailVerified')} = 1`
  const anonymous = columnOf(source, tables, 'user', 'isAnonymous')
  const named = anonymous === null ? '' : ` and u.${anonymous} is not true`
  const joined = `from ${account} a join ${user} u on ${column('user', 'id')} = ${column('account', 'userId')} where ${credential}`
  return {
    passwords: await one(source, `select count(*) from ${account} a where ${credential}`),
    unverifiedPasswords: await one(source, `select count(*) ${joined} and not (${verified})`),
    unverifiedUsers: await one(source, `select count(*) from ${user} u where not (${verified})${named}`),
    verifiedUsers: await one(source, `select count(*) from ${user} u where ${verified}`),
  }
}

async function sessionFacts(source: SourceDatabase, tables: Tables, { zone }: MoveSettings) {
  const times: number[] = []
  for (const kind of ['user', 'account', 'session'] as const) {
    const column = columnOf(source, tables, kind, 'updatedAt')
    if (column === null) continue
    const [row] = await source.query(`select max(${column}) as ${source.quote('value')} from ${tableOf(source, tables, kind)}`)
    const time = timeOf(row?.value, zone)
    if (time) times.push(time.getTime())
  }
  const newestTime = times.length > 0 ? new Date(Math.max(...times)) : null
  const [userId, createdAt] = ['userId', 'createdAt'].map((name) => columnOf(source, tables, 'session', name))
  if (!userId || !createdAt) return { manySessions: 0, oldestSession: null, newestTime }
  const table = tableOf(source, tables, 'session')
  const many = `select count(*) from (select ${userId} from ${table} group by ${userId} having count(*) > ${mostSessions}) many`
  const [row] = await source.query(`select min(${createdAt}) as ${source.quote('value')} from ${table}`)
  return { manySessions: await one(source, many), oldestSession: timeOf(row?.value, zone), newestTime }
}

async function idFacts(source: SourceDatabase, tables: Tables) {
  const user = tables.get('user')
  const own = new Set([...tables.values()].map(({ table }) => table))
  const references = (await source.references()).filter(({ table, target }) => own.has(target) && !own.has(table))
  const ofUsers = references.filter(({ target, type }) => target === user?.table && /int/.test(type))
  return {
    hasNumberIds: hasNumberIds(tables, 'user'),
    integerReferences: ofUsers.map(({ table, column, type }) => `${table}.${column} (${type})`),
    referringTables: [...new Set(references.map(({ table }) => table))],
  }
}

/**
 * Opens one signing key and one secret of a second factor, before anything is written.
 * @returns the tables that the secrets do not open
 */
export async function findWrongSecret({ source, tables, settings }: FactsQuery): Promise<readonly KindName[]> {
  const first = async (kind: KindName, column: string) => {
    const name = columnOf(source, tables, kind, column)
    if (name === null) return null
    const [row] = await source.query(`select ${name} as ${source.quote('value')} from ${tableOf(source, tables, kind)} limit 1`)
    return textOf(row?.value)
  }
  const [key, secret] = [await first('jwks', 'privateKey'), await first('twoFactor', 'secret')]
  return [
    ...(key !== null && openPrivateKey(settings, key) === null ? (['jwks'] as const) : []),
    ...(secret !== null && openFormer(settings, secret) === null ? (['twoFactor'] as const) : []),
  ]
}

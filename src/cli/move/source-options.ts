/** The options of commands that read the old database, and what they open with them. */
import { movePrefix } from '../../core/table-prefix.ts'
import type { Mapping, MoveSettings, Recognized, SourceDatabase, SourceTable } from '../../features/move/index.ts'
import { errorReason } from '../../lib/redact.ts'
import { isZone } from '../../lib/zone-clock.ts'
import { Failure, unreachableFailure, usageError } from '../../project/failure.ts'
import { type Context, option, text, type ValuesOf } from '../command.ts'

export const sourceOptions = {
  database: text('--database <url>', 'Old database: mysql://, postgres:// or sqlite:'),
  databaseEnv: text('--database-env <name>', 'Variable with that URL, which keeps its password out of the process list'),
  redis: text('--redis <url>', 'Redis with the sessions of an app that has secondaryStorage and no session rows'),
  redisEnv: text('--redis-env <name>', 'Variable with that URL'),
  redisPrefix: option('--redis-prefix <text>', 'What the app puts before each key in Redis []', (z) => z.string().default('')),
  secretEnv: option('--secret-env <name>', 'Variable with the secret of better-auth [BETTER_AUTH_SECRET]', (z) =>
    z.string().min(1).default('BETTER_AUTH_SECRET'),
  ),
  mapping: text('--mapping <file>', 'JSON file with names of tables and columns'),
  sourceTimeZone: option('--source-time-zone <zone>', 'Zone of times without one, such as Europe/Berlin [UTC]', (z) =>
    z
      .string()
      .default('UTC')
      .refine((zone) => isZone(zone), 'expected a time zone such as Europe/Berlin'),
  ),
  jwtAlg: text('--jwt-alg <name>', 'Algorithm of RSA signing keys that name none, such as RS256'),
}
export type SourceValues = ValuesOf<typeof sourceOptions>

interface SourceAddress {
  readonly options: { readonly database?: string | undefined; readonly databaseEnv?: string | undefined }
  readonly env: Context<SourceValues>['env']
}

export interface OpenedSource {
  readonly source: SourceDatabase
  readonly url: string
  readonly recognized: Recognized
  readonly settings: MoveSettings
  readonly sessionsAreInRedis: boolean
}

export interface SourceUse {
  /** Names of tables and columns; those of `--mapping` come first. */
  readonly mapping?: Mapping | undefined
  readonly writes?: boolean
  /** Used when no option names a database. */
  readonly fallback?: string | undefined
  /** Tables of Latchkey in the same database; given after those of better-auth were renamed. */
  readonly isOwn?: (table: string) => boolean
  readonly verifyEmails?: boolean | undefined
}

/** @throws Failure UNREACHABLE, MOVE_NOT_RECOGNIZED, MAPPING_INVALID, USAGE */
export async function openMoveSource(context: Context<SourceValues>, use: SourceUse = {}): Promise<OpenedSource> {
  const { options, env } = context
  const { writes = false, isOwn = () => false, verifyEmails = false } = use
  const url = sourceURL(context, use.fallback)
  const { source, table, load } = await withSessions(context, await openDatabase(url, writes))
  try {
    // The file has the names from before the tables were renamed.
    const named = use.isOwn ? use.mapping : { ...use.mapping, ...(await readMapping(context)) }
    const mapping = { ...named, ...(table !== null && { session: { table } }) }
    const tables = (await source.tables()).filter(({ name }) => !name.startsWith(movePrefix) && !isOwn(name))
    const recognized = await recognizeTables(tables, mapping)
    await load(recognized)
    const formerSecrets = readSecrets(env[options.secretEnv], env.BETTER_AUTH_SECRETS)
    const settings = { zone: options.sourceTimeZone, formerSecrets, jwtAlgorithm: options.jwtAlg ?? null, verifyEmails }
    return { source, url, recognized, settings, sessionsAreInRedis: table !== null }
  } catch (error) {
    await source.close()
    throw error
  }
}

/** @throws Failure UNREACHABLE */
export async function openDatabase(url: string, writes = false): Promise<SourceDatabase> {
  const { openSource } = await import('../../adapters/source-database/open.ts')
  try {
    return await openSource({ url, writes })
  } catch (error) {
    throw unreachableFailure('Cannot open the old database', error)
  }
}

/** @throws Failure USAGE */
export function sourceURL({ options: { database, databaseEnv }, env }: SourceAddress, fallback?: string): string {
  if (databaseEnv !== undefined) {
    const url = env[databaseEnv]
    if (url) return url
    throw usageError(`--database-env: ${databaseEnv} is not set`)
  }
  const url = database ?? fallback
  if (url) return url
  throw usageError('Name the old database with --database or --database-env')
}

/** @throws Failure UNREACHABLE, USAGE */
async function withSessions({ options, env }: Context<SourceValues>, database: SourceDatabase) {
  const url = options.redisEnv === undefined ? options.redis : env[options.redisEnv]
  if (url === undefined && options.redisEnv !== undefined) throw usageError(`--redis-env: ${options.redisEnv} is not set`)
  if (url === undefined) return { source: database, table: null, load: async () => {} }
  const { redisAddressIssue } = await import('../../adapters/redis-address.ts')
  const issue = redisAddressIssue({ url })
  if (issue) throw usageError(`--redis: ${issue.message}`)
  const { redisSessionTable: table, withRedisSessions } = await import('../../adapters/source-database/redis-sessions.ts')
  try {
    const source = await withRedisSessions(database, { url, prefix: options.redisPrefix })
    const load = async ({ tables }: Recognized) => {
      const { pageIds } = await import('../../features/move/index.ts')
      for await (const ids of pageIds(source, tables, 'user')) await source.load(ids)
    }
    return { source, table, load }
  } catch (error) {
    await database.close()
    throw unreachableFailure('Cannot read Redis of the old application', error)
  }
}

/** Several secrets have numbers: `2:newest,1:older`. */
function readSecrets(secret: string | undefined, secrets: string | undefined): readonly string[] {
  const numbered = (secrets ?? '').split(',').flatMap((part) => (/^\s*(\d+):(.+)$/.exec(part)?.slice(1, 3) ? [part.trim()] : []))
  const sorted = numbered
    .map((part) => [Number(part.slice(0, part.indexOf(':'))), part.slice(part.indexOf(':') + 1)] as const)
    .toSorted(([one], [other]) => other - one)
  return [...new Set([...sorted.map(([, text]) => text), ...(secret ? [secret] : [])])]
}

async function readMapping({ options, cwd }: Context<SourceValues>): Promise<Mapping> {
  if (options.mapping === undefined) return {}
  const { readFile } = await import('node:fs/promises')
  const { resolve } = await import('node:path')
  const { z } = await import('zod')
  const { kindNames } = await import('../../features/move/better-auth/shapes.ts')
  const table = z.strictObject({ table: z.string().optional(), columns: z.record(z.string(), z.string()).optional() })
  try {
    const value: unknown = JSON.parse(await readFile(resolve(cwd, options.mapping), 'utf8'))
    return z.partialRecord(z.enum(kindNames), table).parse(value) as Mapping
  } catch (error) {
    const message = error instanceof z.ZodError ? z.prettifyError(error) : errorReason(error)
    throw new Failure('MAPPING_INVALID', `--mapping: ${message}`, {
      hint: 'Write it as {"user":{"table":"app_users","columns":{"email":"mail"}}}. --mapping-out writes what was recognized.',
    })
  }
}

async function recognizeTables(tables: readonly SourceTable[], mapping: Mapping): Promise<Recognized> {
  const { recognize } = await import('../../features/move/index.ts')
  const result = recognize(tables, mapping)
  if ('recognized' in result) return result.recognized
  const details = result.problems.map(({ kind, problem, names }) => ({
    id: problem,
    path: kind,
    message: {
      'not-found': `No table has the columns of ${kind}`,
      ambiguous: `Several tables have the columns of ${kind}: ${names.join(', ')}`,
      'unknown-name': `These names of ${kind} do not exist: ${names.join(', ')}`,
    }[problem],
  }))
  throw new Failure('MOVE_NOT_RECOGNIZED', 'The tables of better-auth were not recognized', {
    hint: 'Name the tables and columns in a file, and pass it as --mapping.',
    details,
  })
}

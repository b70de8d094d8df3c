/** What a daemon, and a command that writes, checks before it uses a database that others use: its secret, and bans. */
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { OpenApp } from '../app.ts'
import { apiURL } from '../core/route.ts'
import { type Config, featureList } from '../features/index.ts'
import { createKeyring } from '../lib/keyring.ts'
import { counted } from '../lib/text.ts'
import {
  type DaemonDifference,
  type DaemonTraits,
  findDaemonDifferences,
  findServing,
  introspect,
  traitsOf,
} from '../migrate/index.ts'
import { exitCodes, Failure } from './failure.ts'
import { declaredSchema } from './schema-check.ts'

type Opened = Pick<OpenApp, 'app' | 'database'>

/** Names for `latchkey start --acknowledge`. */
const acknowledgements = {
  secret: 'another-secret',
  bans: 'bans-ignored',
  passkeys: 'passkeys-stranded',
  origins: 'passkey-origin-removed',
} as const

const optionalFeatures = (config: Config): string[] =>
  Object.entries(featureList).flatMap(([name, { enabled }]) => (enabled?.(config) ? [name] : []))

export const ownTraits = (config: Config): DaemonTraits =>
  traitsOf(declaredSchema({ config }), optionalFeatures(config), createKeyring([config.secret ?? []].flat()).ids())

/** Without those of daemons of this machine that were killed: their rows expire later. */
async function readWorkers({ db, dialect, errors }: OpenApp['database']) {
  const workers = await findServing(db, { clock: dialect.clock, errors })
  return workers.filter(({ host, process: pid }) => host !== hostname() || isRunning(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Not allowed to signal it: it runs.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** @param ownProcess of this daemon; null for a command */
export async function findOtherConfigurations(
  config: Config,
  database: OpenApp['database'],
  ownProcess: number | null,
): Promise<DaemonDifference[]> {
  return findDaemonDifferences({ ...ownTraits(config), host: hostname(), process: ownProcess }, await readWorkers(database))
}

/** A generation of the workers of a daemon. */
interface OwnWorkers {
  readonly process: number
  readonly generation: number
}

/**
 * The daemons that serve decide, and without one the newest event of the audit log. In a rotation both secrets are configured.
 * @param own null for a command
 * @throws Failure SECRET_DIFFERS (5)
 */
export async function checkSecret(opened: Opened, own: OwnWorkers | null, acknowledge: readonly string[] = []): Promise<void> {
  if (acknowledge.includes(acknowledgements.secret)) return
  const { app } = opened
  const isOwn = (worker: OwnWorkers & { readonly host: string }) =>
    worker.host === hostname() && worker.process === own?.process && worker.generation === own.generation
  const others = (await readWorkers(opened.database)).filter((worker) => !isOwn(worker))
  const differences = findDaemonDifferences({ ...ownTraits(app.config), host: hostname(), process: null }, others)
  const differing = differences.find(({ secret }) => secret === 'unknown')
  if (differing) throw secretFailure(app, `the daemon on ${differing.host} (process ${differing.process})`)
  if (others.some(({ uses }) => uses.some((use) => use.startsWith('secret:')))) return
  const code = await readNewestCode(opened)
  if (code !== null && !app.keyring.knows(code)) throw secretFailure(app, 'the newest event of the audit log')
}

/** @returns null without an event */
async function readNewestCode({ app, database }: Opened): Promise<string | null> {
  try {
    const events = app.db.selectFrom('auditEvent').select('code').where('sequence', 'is not', null)
    return (await events.orderBy('sequence', 'desc').limit(1).executeTakeFirst())?.code ?? null
  } catch (error) {
    if (database.errors.isMissingTable(error)) return null
    throw error
  }
}

const secretFailure = ({ keyring }: OpenApp['app'], by: string): Failure =>
  new Failure('SECRET_DIFFERS', `The configured secret (${keyring.ids()[0]}) is not that of this database, which ${by} uses`, {
    exitCode: exitCodes.refused,
    hint: `Configure the same secret on every machine. To rotate it, list the new one first and the previous one after it: \`secret: [new, previous]\`. If the previous one is lost, sessions and encrypted data with it are lost too: \`latchkey start --acknowledge ${acknowledgements.secret}\`.`,
  })

/**
 * Without administration no call checks bans: banned users could sign in.
 * @throws Failure BANS_IGNORED (5)
 */
export async function checkBans({ app, database }: Opened, acknowledge: readonly string[]): Promise<void> {
  if (app.config.admin.enabled || acknowledge.includes(acknowledgements.bans)) return
  const { user } = (await introspect(database.db, database.dialect, ['user'])).tables
  if (!user?.columns.banned || !user.columns.banExpires) return
  const banned = sql`select 1 from ${sql.table('user')} where banned = ${sql.lit(1)}
    and (${sql.ref('banExpires')} is null or ${sql.ref('banExpires')} > ${database.dialect.clock.now}) limit 1`
  if ((await banned.execute(database.db)).rows.length === 0) return
  throw new Failure('BANS_IGNORED', 'Users are banned, but administration is disabled, so that they could sign in', {
    exitCode: exitCodes.refused,
    hint: `Set admin: true, or unban them first. To let them in, start with \`--acknowledge ${acknowledgements.bans}\`.`,
  })
}

/**
 * When none of the stored passkeys belongs to the configured domain, the domain was changed: browsers find none of them any more.
 * @throws Failure PASSKEYS_STRANDED (5)
 */
export async function checkPasskeyDomain({ app, database }: Opened, acknowledge: readonly string[]): Promise<void> {
  if (!app.config.passkey.enabled || acknowledge.includes(acknowledgements.passkeys)) return
  // As `rpIDOf` of the feature, which code below the commands may not import.
  const domain = app.config.passkey.rpID ?? new URL(apiURL(app.config)).hostname
  const found = await findStranded(database, domain)
  if (!found) return
  throw new Failure('PASSKEYS_STRANDED', `${counted(found.count, 'passkey')} of ${found.rpID} cannot be used on ${domain}`, {
    exitCode: exitCodes.refused,
    hint: `Set passkey.rpID to "${found.rpID}". If users can sign in with another method, and add a passkey again, start with \`--acknowledge ${acknowledgements.passkeys}\`.`,
  })
}

/** @returns null when a passkey belongs to the domain, or there is none */
async function findStranded({ db, errors }: OpenApp['database'], domain: string) {
  const passkeys = db.selectFrom('passkey')
  try {
    if (await passkeys.select('id').where('rpID', '=', domain).limit(1).executeTakeFirst()) return null
    const former = await passkeys.select('rpID').limit(1).executeTakeFirst()
    if (!former) return null
    const { count } = await passkeys.select((eb) => eb.fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow()
    return { rpID: former.rpID, count: Number(count) }
  } catch (error) {
    if (errors.isMissingTable(error)) return null
    throw error
  }
}

/**
 * Passkeys that were last used on a page of another domain, which the configuration no longer lists: it can use none now.
 * @throws Failure PASSKEY_ORIGIN_REMOVED (5)
 */
export async function checkPasskeyOrigins({ app, database }: Opened, acknowledge: readonly string[]): Promise<void> {
  if (!app.config.passkey.enabled || acknowledge.includes(acknowledgements.origins)) return
  const [found] = await findRemovedOrigins(app.config, database)
  if (!found) return
  const message = `${counted(found.count, 'passkey')} ${found.count === 1 ? 'was' : 'were'} last used on ${found.origin}, which is no longer in passkey.relatedOrigins`
  throw new Failure('PASSKEY_ORIGIN_REMOVED', message, {
    exitCode: exitCodes.refused,
    hint: `Add it again. If these users can sign in on the domain of the passkeys, or with another method, start with \`--acknowledge ${acknowledgements.origins}\`, once.`,
  })
}

/** What was acknowledged is not asked again: a machine that restarts must not need it. */
export async function settlePasskeyOrigins({ app, database }: Opened, acknowledge: readonly string[]): Promise<void> {
  if (!app.config.passkey.enabled || !acknowledge.includes(acknowledgements.origins)) return
  const { db } = database
  for (const { origin } of await findRemovedOrigins(app.config, database))
    for (let isLast = false; !isLast; ) {
      const rows = db.selectFrom('passkey').select('id').where('relatedOrigin', '=', origin).limit(rowsPerStatement)
      const ids = (await rows.execute()).map(({ id }) => id)
      if (ids.length > 0) await db.updateTable('passkey').set({ relatedOrigin: null }).where('id', 'in', ids).execute()
      isLast = ids.length < rowsPerStatement
    }
}

const rowsPerStatement = 1000

/** Those with the most passkeys first. */
async function findRemovedOrigins({ passkey }: Config, { db, errors }: OpenApp['database']) {
  const listed = passkey.relatedOrigins.map((origin) => URL.parse(origin)?.origin ?? origin)
  try {
    const rows = await db
      .selectFrom('passkey')
      .select(['relatedOrigin as origin', (eb) => eb.fn.countAll<number | string>().as('count')])
      .where('relatedOrigin', 'is not', null)
      .groupBy('relatedOrigin')
      .orderBy('count', 'desc')
      .execute()
    return rows.flatMap(({ origin, count }) =>
      origin === null || listed.includes(origin) ? [] : [{ origin, count: Number(count) }],
    )
  } catch (error) {
    if (errors.isMissingTable(error)) return []
    throw error
  }
}

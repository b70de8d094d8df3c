/** Checks what the daemon runs on: Node.js, file modes, the cost of a password hash, Redis, the mail server. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createHasher } from '../../adapters/hasher.ts'
import { openMailer } from '../../adapters/mail.ts'
import { describeRedis, missingRight, openRedis, type RedisConnection } from '../../adapters/redis-connection.ts'
import type { Logger } from '../../core/ports.ts'
import type { Config } from '../../features/index.ts'
import { errorReason } from '../../lib/redact.ts'
import { isAtLeast } from './check-database.ts'
import { check, type Finding, medianTime, milliseconds } from './finding.ts'

export function checkNode(version: string): Finding {
  const node = check('node', 'Node.js')
  const [major = 0] = version.split('.').map(Number)
  if (major % 2 === 0) return node.ok(version)
  return node.warning(
    `${version} is not a long-term support release`,
    'Use an even major version: it gets security fixes for years.',
  )
}

/** Other users of this machine must not read secrets and state. */
export function checkModes(directory: string): Finding[] {
  return [
    checkMode('env-mode', '.env', join(directory, '.env'), '600'),
    checkMode('state-mode', '.latchkey', join(directory, '.latchkey'), '700'),
    ...checkState(directory),
  ]
}

function checkMode(id: string, title: string, path: string, expected: string): Finding {
  const { ok, skipped, warning, failed } = check(id, title)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return skipped('Does not exist')
  const mode = (stats.mode & 0o777).toString(8)
  const fix = `chmod ${expected} ${path}`
  if ((stats.mode & 0o007) !== 0) return failed(`Mode ${mode}: every user on this machine has access`, fix)
  if ((stats.mode & 0o070) !== 0) return warning(`Mode ${mode}: its group has access`, fix)
  return ok(`Mode ${mode}`)
}

function checkState(directory: string): Finding[] {
  const folder = join(directory, '.latchkey')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  const modeOf = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0
  const exposed = readdirSync(folder).filter((name) => modeOf(name) & 0o007)
  if (exposed.length === 0) return []
  const message = `Every user on this machine has access to ${exposed.join(', ')}`
  const fix = `chmod o= ${exposed.map((name) => join(folder, name)).join(' ')}`
  return [check('state-file-modes', '.latchkey').failed(message, fix)]
}

export async function checkHasher({ passwordHash }: Config): Promise<Finding> {
  const { ok, warning } = check('password-hash', 'Password hashes')
  const hasher = await createHasher(passwordHash, { count: () => {}, observe: () => {} })
  const time = await medianTime(3, () => hasher.hash('a password for measuring'))
  const { memory, iterations, parallelism } = passwordHash
  const message = `${hasher.implementation}: ${milliseconds(time)} each (m=${memory}, t=${iterations}, p=${parallelism})`
  if (time > 1000) {
    const fix = 'Sign-in is slow, and few users can sign in at the same time: lower passwordHash.iterations or memory.'
    return warning(message, fix)
  }
  if (hasher.implementation !== 'argon2') return ok(message)
  return warning(message, 'Install the optional @node-rs/argon2: the same hashes take about half the time.')
}

const patienceMs = 5000

export async function checkRedis({ redis, server }: Config, log: Logger): Promise<Finding[]> {
  const { ok, skipped, warning, failed } = check('redis', 'Redis')
  if (!redis.enabled) {
    const where = server.workers > 1 ? 'counted by the supervisor, per machine' : 'counted in memory'
    return [skipped(`Not configured: limits are ${where}`)]
  }
  // A reply that is too late for a request is a slow server, to be named with its time, and not an unavailable one.
  const connection = openRedis({ ...redis, commandTimeout: Math.max(redis.commandTimeout, patienceMs) }, log)
  try {
    const time = await connection.run(() => medianTime(9, () => connection.client.ping()))
    const message = `Responds in ${milliseconds(time)}`
    const reached = time <= 10 ? ok(message) : warning(`${message}; every request queries it`, 'Run the daemon closer to Redis.')
    return [reached, await checkRights(connection, redis.keyPrefix), ...checkServer(await describeRedis(connection))]
  } catch (error) {
    const denied = missingRight(error)
    if (denied) return [failed(denied.message, `Grant the rights: ${rightsOf(redis.keyPrefix)}`)]
    const fix = 'Check that Redis is running, and its address and password. Until then, limits are counted in memory.'
    return [failed(errorReason(error), fix)]
  } finally {
    await connection.close()
  }
}

/** The rights that the product needs, as a rule of an ACL. */
const rightsOf = (keyPrefix: string): string =>
  `ACL SETUSER <name> ~${keyPrefix}* +ping +get +set +mget +del +eval +evalsha +info; for a cluster also +cluster|slots, for another database than 0 +select`

/** Runs each command once, on a key of its own: only the server knows the rights of the account. */
async function checkRights({ client, run }: RedisConnection, keyPrefix: string): Promise<Finding> {
  const { ok, warning, failed } = check('redis-rights', 'Redis rights')
  const key = `${keyPrefix}{kv}:doctor`
  const script = "return redis.call('GET', KEYS[1])"
  const commands: Readonly<Record<string, () => Promise<unknown>>> = {
    get: () => client.get(key),
    set: () => client.set(key, '1', 'PX', 1000, 'NX'),
    mget: () => client.mget([key]),
    eval: () => client.eval(script, 1, key),
    evalsha: () => client.evalsha('0'.repeat(40), 1, key),
    del: () => client.del(key),
    info: () => client.info(),
  }
  const missing: string[] = []
  for (const [name, command] of Object.entries(commands))
    await run(command).catch((error: unknown) => {
      if (missingRight(error)) missing.push(name)
      // The script is unknown, which is not a matter of rights.
      else if (name !== 'evalsha') throw error
    })
  const fix = `Grant them: ${rightsOf(keyPrefix)}`
  if (missing.length === 0) return ok('All commands are allowed')
  const message = `The account may not call ${missing.join(', ')}`
  return missing.every((name) => name === 'info') ? warning(`${message}; everything else works`, fix) : failed(message, fix)
}

function checkServer({ version, memoryPolicy, memoryLimit }: Awaited<ReturnType<typeof describeRedis>>): Finding[] {
  const { ok, skipped, failed } = check('redis-version', 'Redis version')
  if (version === null) return [skipped('The server does not report its version'), checkEviction(memoryPolicy, memoryLimit)]
  return [
    isAtLeast(version ?? '', '6.0.0')
      ? ok(version ?? '')
      : failed(`${version ?? 'unknown'} is too old`, 'Use Redis 6 or later, or Valkey.'),
    checkEviction(memoryPolicy, memoryLimit),
  ]
}

function checkEviction(policy: string | null, limit: string | null): Finding {
  const { ok, skipped, warning } = check('redis-eviction', 'Redis eviction')
  if (policy === null) return skipped('The server does not report its policy')
  if (policy === 'noeviction') return ok(policy)
  const message = `${policy}${limit === '0' ? ', but without a memory limit' : ''}: when memory is full, Redis deletes counters and limits start over`
  return warning(message, 'CONFIG SET maxmemory-policy noeviction, and the same in its configuration file.')
}

export async function checkMail({ mail, emailAndPassword }: Config): Promise<Finding> {
  const { ok, skipped, warning, failed } = check('mail', 'Mail')
  if (!mail.enabled) {
    if (!emailAndPassword.enabled) return skipped('Not configured')
    const message = 'Not configured: users cannot reset their password by email'
    return warning(message, 'Add the section mail, or functions that send emails.')
  }
  if (mail.catch) return ok('Emails are caught instead of sent, for development')
  try {
    const mailer = await openMailer(mail)
    await mailer?.ping()
    await mailer?.close()
    return ok(mail.send ? 'Delivered by a function of the configuration' : 'The server accepts the connection')
  } catch (error) {
    const fix = 'Check that the mail server is running, and its address, password and certificate. Until then, emails wait.'
    return failed(errorReason(error), fix)
  }
}

/** Redis: whether it answers, which one it is, and whether it may forget what must be remembered. */
import { openRedis } from '../../adapters/redis.ts'
import type { Logger } from '../../core/ports.ts'
import type { Config } from '../../features/index.ts'
import { isAtLeast } from './database.ts'
import { type Finding, failed, medianTime, milliseconds, ok, skipped, warning } from './finding.ts'

const title = 'Redis'

export async function checkRedis({ redis, server }: Config, log: Logger): Promise<Finding[]> {
  if (!redis.enabled) {
    const where = server.workers > 1 ? 'counted by the supervisor, for this machine alone' : 'counted in process'
    return [skipped('redis', title, `Not configured: limits are ${where}`)]
  }
  const connection = openRedis(redis, log)
  try {
    await connection.opening()
    const time = await medianTime(9, () => connection.client.ping())
    const reached = time <= 10 ? ok('redis', title, `Answers within ${milliseconds(time)}`) : slow(time)
    return [reached, ...describe(await connection.client.info())]
  } catch (error) {
    const { message, cause } = connection.explain(error)
    const reason = cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message
    return [
      failed('redis', title, reason, 'Check that it runs, its address and password. Until then limits are counted in process.'),
    ]
  } finally {
    await connection.close()
  }
}

const slow = (time: number): Finding =>
  warning('redis', title, `Answers after ${milliseconds(time)}; every call asks it`, 'Run the daemon nearer to Redis.')

function describe(info: string): Finding[] {
  const values = new Map(info.split('\r\n').map((line) => line.split(':', 2) as [string, string | undefined]))
  return [checkVersion(values.get('redis_version') ?? ''), checkEviction(values.get('maxmemory_policy'), values.get('maxmemory'))]
}

function checkVersion(version: string): Finding {
  if (isAtLeast(version, '6.0.0')) return ok('redis-version', 'Redis version', version)
  return failed('redis-version', 'Redis version', `${version || 'unknown'} is too old`, 'Use Redis 6 or later, or Valkey.')
}

function checkEviction(policy: string | undefined, limit: string | undefined): Finding {
  const [id, name] = ['redis-eviction', 'Redis eviction']
  if (policy === undefined) return skipped(id, name, 'The server does not tell its policy')
  if (policy === 'noeviction') return ok(id, name, policy)
  const message = `${policy}${limit === '0' ? ', though without a limit of memory' : ''}: full, it forgets counters, and limits start again`
  return warning(id, name, message, 'CONFIG SET maxmemory-policy noeviction, and the same in its configuration file.')
}

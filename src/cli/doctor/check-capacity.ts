/** Checks whether the limits of a MySQL or MariaDB server are enough for the configured daemon. */
import { maxPreparedStatements } from '../../adapters/database/mysql-pool.ts'
import type { ServerVariables } from '../../adapters/database/mysql-server.ts'
import type { Config } from '../../features/index.ts'
import { counted } from '../../lib/text.ts'
import { check, type Finding } from './finding.ts'

type Sizes = Pick<Config, 'server' | 'database'>

export const checkCapacity = (variables: ServerVariables, config: Sizes): Finding[] => [
  checkConnections(variables, config),
  checkStatements(variables, config),
]

/** A reload starts new workers before the old ones stop. */
const openConnections = ({ server, database }: Sizes): number => server.workers * database.poolSize * 2

function checkConnections({ max_connections, max_user_connections }: ServerVariables, config: Sizes): Finding {
  const { ok, skipped, warning } = check('database-connections', 'Connections')
  const limits = Object.entries({ max_connections, max_user_connections }).filter(([, limit]) => Number(limit) > 0)
  const [lowest] = limits.sort(([, one], [, other]) => Number(one) - Number(other))
  if (!lowest) return skipped('The server does not report its limit')
  const [name, limit] = lowest
  const most = openConnections(config)
  const { workers } = config.server
  const reason = `${counted(workers, 'worker')} with database.poolSize ${config.database.poolSize}, twice during a reload`
  if (Number(limit) >= most) return ok(`Up to ${most} of ${limit}: ${reason}`)
  return warning(
    `The server allows ${limit} (${name}), but this daemon opens up to ${most}: ${reason}`,
    `Raise ${name} to ${most} for each daemon, or lower database.poolSize or server.workers.`,
  )
}

function checkStatements({ max_prepared_stmt_count: limit }: ServerVariables, config: Sizes): Finding {
  const { ok, skipped, warning } = check('database-statements', 'Prepared statements')
  if (!config.database.preparedStatements) return skipped('Not used: database.preparedStatements is off')
  if (limit === undefined) return skipped('The server does not report its limit')
  const most = openConnections(config) * maxPreparedStatements
  if (Number(limit) >= most) return ok(`Up to ${most} of ${limit}`)
  return warning(
    `The server allows ${limit} (max_prepared_stmt_count), but this daemon prepares up to ${most}; further ones are sent as text`,
    `Raise max_prepared_stmt_count to ${most} for each daemon, or set database.preparedStatements to false.`,
  )
}

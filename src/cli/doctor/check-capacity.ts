/** Checks whether the limits and the cluster settings of a MySQL or MariaDB server suit the configured daemon. */
import { maxPreparedStatements } from '../../adapters/database/mysql-pool.ts'
import type { ServerVariables } from '../../adapters/database/mysql-server.ts'
import type { Config } from '../../features/index.ts'
import { counted } from '../../lib/text.ts'
import { check, type Finding } from './finding.ts'

type Sizes = Pick<Config, 'server' | 'database'>

export const checkCapacity = (variables: ServerVariables, config: Sizes): Finding[] => [
  checkConnections(variables, config),
  checkStatements(variables, config),
  checkCausalReads(variables),
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

/** @param variables as they are for a connection of the daemon */
function checkCausalReads(variables: ServerVariables): Finding {
  const { ok, skipped, warning } = check('database-causal-reads', 'Causal reads')
  const fix = 'Set database.causalReads to true, or let all daemons use the same node.'
  if (variables.wsrep_on === 'ON') {
    // The lowest bit is for reads.
    if (Number(variables.wsrep_sync_wait) & 1) return ok('Galera: a read waits for the writes of all nodes')
    return warning('Galera: a revoked session may be accepted by another node for some milliseconds', fix)
  }
  if (!variables.group_replication_group_name) return skipped('Not a cluster')
  const consistency = variables.group_replication_consistency ?? 'unknown'
  // In single-primary mode all daemons read from the primary; a new one may still be applying the writes of the former one.
  if (consistency !== 'EVENTUAL') return ok(`Group Replication: ${consistency}`)
  return warning('Group Replication: a new primary may accept a revoked session until it has applied all writes', fix)
}

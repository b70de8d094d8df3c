/** What every connection to MySQL or MariaDB sets for itself. */

// Everything the product relies on, whatever the server's defaults are. Only MySQL reads comments that start with `!80000`, and
// only MariaDB those that start with `M!`.
export function sessionSettings(queryTimeout: number): string[] {
  const seconds = Math.max(1, Math.floor(queryTimeout / 1000))
  const modes =
    'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'
  return [
    `set session sql_mode = '${modes}', time_zone = '+00:00', foreign_key_checks = 1, unique_checks = 1, autocommit = 1,
      innodb_lock_wait_timeout = ${Math.max(1, Math.floor(seconds / 2))}, lock_wait_timeout = ${seconds}
      /*!80000 , max_execution_time = ${queryTimeout} */ /*M! , max_statement_time = ${queryTimeout / 1000} */`,
    'set session transaction isolation level read committed',
  ]
}

// Only one of them exists in a cluster, and none on a single server, which always reads the latest write.
export const causalSettings = ['set session wsrep_sync_wait = 1', `set session group_replication_consistency = 'BEFORE'`]
/** The number of the error for a variable that the server does not have. */
export const unknownVariable = 1193

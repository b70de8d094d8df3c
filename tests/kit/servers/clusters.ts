/** Clusters of one member: the rules and settings of a cluster hold, at the price of one server. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createConnection } from 'mysql2/promise'
import { startMariaDB } from './mariadb.ts'
import { startMySQL } from './mysql.ts'
import { freePort } from './ports.ts'
import type { Server } from './server.ts'

/** The folder of a MySQL that has the plugin of Group Replication; null when the run has another server. */
export const groupReplication: string | null = process.env.TEST_MYSQL ?? null

/**
 * Starts a MySQL as the only member of a group.
 * @param installation as in `startMySQL`
 * @param mode `multi-primary` with the checks that MySQL's manual recommends for it
 */
export async function startGroup(installation: string, mode: 'single-primary' | 'multi-primary'): Promise<Server> {
  const isMulti = mode === 'multi-primary'
  const address = `127.0.0.1:${await freePort()}`
  const server = await startMySQL(installation, [
    '--performance-schema=ON',
    '--log-bin=log',
    '--server-id=1',
    '--gtid-mode=ON',
    '--enforce-gtid-consistency=ON',
    '--plugin-load-add=group_replication.so',
    `--loose-group-replication-group-name=${randomUUID()}`,
    '--loose-group-replication-start-on-boot=OFF',
    '--loose-group-replication-communication-stack=XCOM',
    `--loose-group-replication-local-address=${address}`,
    `--loose-group-replication-group-seeds=${address}`,
    `--loose-group-replication-single-primary-mode=${isMulti ? 'OFF' : 'ON'}`,
    `--loose-group-replication-enforce-update-everywhere-checks=${isMulti ? 'ON' : 'OFF'}`,
  ])
  const connection = await createConnection({ uri: server.url, connectTimeout: 10_000 })
  try {
    await connection.query('SET GLOBAL group_replication_bootstrap_group = ON')
    await connection.query(`START GROUP_REPLICATION USER = 'app', PASSWORD = 'app'`)
  } finally {
    connection.destroy()
  }
  return server
}

/** The library of Galera, from the package `galera-4` or from TEST_GALERA; null when it is absent or the run has another server. */
export const galera: string | null = findGalera()

function findGalera(): string | null {
  const path = process.env.TEST_GALERA ?? '/usr/lib/galera/libgalera_smm.so'
  return groupReplication === null && existsSync(path) ? path : null
}

/** Starts a MariaDB as the only node of a Galera cluster. @param library as in `galera` */
export async function startGalera(library: string): Promise<Server> {
  const port = await freePort()
  return startMariaDB([
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${library}`,
    '--wsrep-cluster-name=tests',
    '--wsrep-cluster-address=gcomm://',
    '--wsrep-new-cluster',
    '--wsrep-node-address=127.0.0.1',
    `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${port};gcache.size=8M;pc.recovery=false`,
  ])
}

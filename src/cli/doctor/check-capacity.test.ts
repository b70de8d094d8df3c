import { describe, expect, test } from 'vitest'
import { checkCapacity } from './check-capacity.ts'

const sizes = (workers: number, poolSize: number) =>
  ({ server: { workers }, database: { poolSize, preparedStatements: true } }) as Parameters<typeof checkCapacity>[1]
const find = (id: string, ...given: Parameters<typeof checkCapacity>) => checkCapacity(...given).find((found) => found.id === id)

describe('the limit of connections', () => {
  const connections = (variables: Parameters<typeof checkCapacity>[0], workers: number, poolSize: number) =>
    find('database-connections', variables, sizes(workers, poolSize))
  test('is enough for two generations of workers', () => {
    expect(connections({ max_connections: '40', max_user_connections: '0' }, 2, 10)).toMatchObject({ status: 'ok' })
    expect(connections({ max_connections: '39', max_user_connections: '0' }, 2, 10)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('allows 39 (max_connections), but this daemon opens up to 40: 2 workers'),
      fix: expect.stringContaining('Raise max_connections to 40'),
    })
  })
  test('may come from the account', () => {
    expect(connections({ max_connections: '300', max_user_connections: '5' }, 1, 10)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('allows 5 (max_user_connections)'),
    })
  })
  test('is unknown when the server does not report it', () => {
    expect(connections({}, 1, 10)).toMatchObject({ status: 'skipped' })
  })
})

describe('the limit of prepared statements', () => {
  const statements = (limit: string) => find('database-statements', { max_prepared_stmt_count: limit }, sizes(1, 10))
  test('is enough for every connection', () => {
    expect(statements('1000')).toMatchObject({ status: 'ok' })
    expect(statements('999')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('allows 999 (max_prepared_stmt_count), but this daemon prepares up to 1000'),
      fix: expect.stringContaining('database.preparedStatements'),
    })
  })
  test('does not matter when none are used', () => {
    const config = { ...sizes(1, 10), database: { poolSize: 10, preparedStatements: false } } as ReturnType<typeof sizes>
    expect(find('database-statements', { max_prepared_stmt_count: '0' }, config)).toMatchObject({ status: 'skipped' })
  })
})

describe('causal reads', () => {
  const group = { group_replication_group_name: '6f1c' }
  test.each([
    ['skipped', 'outside a cluster', { wsrep_on: 'OFF', wsrep_sync_wait: '0', group_replication_group_name: '' }],
    ['warning', 'in Galera', { wsrep_on: 'ON', wsrep_sync_wait: '0' }],
    ['warning', 'in Galera, when only writes wait', { wsrep_on: 'ON', wsrep_sync_wait: '6' }],
    ['ok', 'in Galera, when reads wait', { wsrep_on: 'ON', wsrep_sync_wait: '7' }],
    ['warning', 'in a group that is eventually consistent', { ...group, group_replication_consistency: 'EVENTUAL' }],
    [
      'ok',
      'in a group whose new primary applies all first',
      { ...group, group_replication_consistency: 'BEFORE_ON_PRIMARY_FAILOVER' },
    ],
    ['ok', 'in a group whose reads wait', { ...group, group_replication_consistency: 'BEFORE' }],
  ])('are %s %s', (status, _, variables) => {
    expect(find('database-causal-reads', variables, sizes(1, 10))).toMatchObject({ status })
  })
})

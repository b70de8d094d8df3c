import { describe, expect, test } from 'vitest'
import { mysqlDialect } from './mysql.ts'
import { findUnsupported } from './mysql-server.ts'

describe('a server is unsupported', () => {
  test('in the multi-primary mode of Group Replication', () => {
    expect(findUnsupported({ group_replication_single_primary_mode: 'OFF' })).toMatchObject({
      message: expect.stringContaining('multi-primary'),
      hint: expect.stringContaining('group_replication_switch_to_single_primary_mode'),
    })
  })
  test('not in single-primary mode, nor without the plugin', () => {
    expect(findUnsupported({ group_replication_single_primary_mode: 'ON' })).toBeNull()
    expect(findUnsupported({})).toBeNull()
  })
})

test.each([
  [1040, 'too many connections'],
  [1180, 'a commit that a cluster rejected'],
  [1290, 'read-only'],
  [3098, 'multi-primary mode, or a change of mode'],
  [3100, 'a hook of replication failed'],
  [3101, 'certification still fails after the last attempt'],
])('error %i means unavailable: %s', (errno) => {
  expect(mysqlDialect.errors.isUnreachable({ errno })).toBe(true)
})

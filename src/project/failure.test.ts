import { expect, test } from 'vitest'
import { unreachableFailure } from './failure.ts'

test.each([
  [1040, 'Too many connections'],
  [1203, 'User app already has more than max_user_connections active connections'],
  [1226, 'User app has exceeded the max_user_connections resource'],
])('a server without room for a connection (%i) is reported with its limits', (errno, message) => {
  const failure = unreachableFailure('Cannot connect to the database', Object.assign(new Error(message), { errno }))
  expect(failure.message).toContain(message)
  expect(failure.hint).toContain('max_connections')
  expect(failure.hint).toContain('server.workers')
})

test('a server that cannot be reached is reported with its address', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(unreachableFailure('Cannot connect to the database', refused).hint).toContain('config show --origin')
})

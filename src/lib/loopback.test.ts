import { describe, expect, test } from 'vitest'
import { isLoopback } from './loopback.ts'

describe('isLoopback', () => {
  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.9', '::1', '[::1]', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])(
    '%s is this machine',
    (host) => expect(isLoopback(host)).toBe(true),
  )
  test.each([
    'localhost.example.com',
    'db',
    '10.0.0.1',
    '128.0.0.1',
    '0.0.0.0',
    '::',
    '::2',
    '127.0.0.1.example.com',
    '127.1',
    '',
  ])('%s is not', (host) => expect(isLoopback(host)).toBe(false))
})

import { describe, expect, test } from 'vitest'
import {
  addressSet,
  canonicalAddress,
  clientAddress,
  isAddressHost,
  isLoopback,
  networkOf,
  reportedAddress,
  siteOf,
} from './ip.ts'

const trusted = addressSet(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])

describe('the client address', () => {
  test('is the peer of the connection when it is not a trusted proxy, whatever the headers say', () => {
    expect(clientAddress('203.0.113.9', ['1.2.3.4'], trusted)).toBe('203.0.113.9')
  })
  test('is the forwarded one behind a trusted proxy', () => {
    expect(clientAddress('127.0.0.1', ['1.2.3.4'], trusted)).toBe('1.2.3.4')
    expect(clientAddress('::ffff:127.0.0.1', ['2001:DB8::0:1'], trusted)).toBe('2001:db8::1')
  })
  test('is the right-most entry that is not a trusted proxy, because a client can forge those to its left', () => {
    expect(clientAddress('127.0.0.1', ['6.6.6.6, 1.2.3.4, 10.0.0.7'], trusted)).toBe('1.2.3.4')
  })
  test('stops at an entry that is not an address', () => {
    expect(clientAddress('127.0.0.1', ['1.2.3.4, nonsense, 10.0.0.7'], trusted)).toBe('10.0.0.7')
    expect(clientAddress('127.0.0.1', ['nonsense'], trusted)).toBe('127.0.0.1')
  })
  test.each([
    ['203.0.113.1:5000', '203.0.113.1'],
    ['6.6.6.6, 203.0.113.1:5000, 10.0.0.7:80', '203.0.113.1'],
    ['[2001:db8::1]:5000', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    [',,203.0.113.1', '203.0.113.1'],
  ])('is found without its port: %s', (header, expected) => {
    expect(clientAddress('127.0.0.1', [header], trusted)).toBe(expected)
    expect(reportedAddress('127.0.0.1', [header], trusted)).toBe(expected)
  })
  test.each([
    '203.0.113.1:',
    '203.0.113.1:123456',
    '203.0.113.1:5000:1',
    '203.0.113.1x',
    '[2001:db8::1',
    '[2001:db8::1]x',
    '2001:db8::1]:5',
  ])('is not read from %s', (header) => expect(clientAddress('127.0.0.1', [header], trusted)).toBe('127.0.0.1'))
  test('comes from the first header that names one', () => {
    expect(clientAddress('127.0.0.1', [undefined, '1.2.3.4'], trusted)).toBe('1.2.3.4')
    expect(clientAddress('127.0.0.1', ['nonsense', '1.2.3.4'], trusted)).toBe('1.2.3.4')
  })
})

describe('the reported address', () => {
  test('is the peer of the connection when it is not a trusted proxy', () => {
    expect(reportedAddress('::ffff:203.0.113.9', ['1.2.3.4'], trusted)).toBe('203.0.113.9')
  })
  test('is the text that a trusted proxy wrote', () => {
    expect(reportedAddress('127.0.0.1', ['6.6.6.6, 2001:0DB8:0000:0000:0000:0000:0000:0001'], trusted)).toBe(
      '2001:0DB8:0000:0000:0000:0000:0000:0001',
    )
    expect(reportedAddress('127.0.0.1', ['[2001:db8::1]:443'], trusted)).toBe('2001:db8::1')
    expect(reportedAddress('127.0.0.1', ['127.0.0.1'], trusted)).toBe('127.0.0.1')
  })
  test('is empty when a trusted proxy names none', () => {
    expect(reportedAddress('127.0.0.1', [undefined], trusted)).toBe('')
    expect(reportedAddress('127.0.0.1', ['nonsense', '999.1.1.1'], trusted)).toBe('')
  })
})

test('each address has one canonical text', () => {
  expect(canonicalAddress('2001:0DB8:0:0:0:0:0:1')).toBe('2001:db8::1')
  expect(canonicalAddress('[2001:db8::1]:443')).toBe('2001:db8::1')
  expect(canonicalAddress('::ffff:1.2.3.4')).toBe('1.2.3.4')
  expect(canonicalAddress('1.2.3.4:80')).toBe('1.2.3.4')
  expect(canonicalAddress('256.1.1.1')).toBeNull()
  expect(canonicalAddress('fe80::1%eth0')).toBeNull()
})

test('an IPv6 address is counted by its /64 network', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('1.2.3.4')).toBe('1.2.3.4')
})

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

test.each(['127.0.0.1:48103', 'localhost:9000', 'LOCALHOST', '[::1]:9000', '192.0.2.7:9000', '[2001:db8::1]'])(
  'the host %s cannot be rebound',
  (host) => expect(isAddressHost(host)).toBe(true),
)
test.each(['evil.example', 'evil.example:9000', '127.0.0.1.evil.example', '', undefined, 'local host', 'a@evil.example'])(
  'the host %s can be rebound',
  (host) => expect(isAddressHost(host)).toBe(false),
)

test('the site of an IPv6 address is its /48', () => {
  expect([siteOf('2001:db8:1:2::3'), siteOf('2001:db8:1:ffff::'), siteOf('192.0.2.1')]).toEqual([
    '2001:db8:1::/48',
    '2001:db8:1::/48',
    null,
  ])
})

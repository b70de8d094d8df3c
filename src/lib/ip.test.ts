import { describe, expect, test } from 'vitest'
import { addressSet, canonicalAddress, clientAddress, networkOf, toldAddress } from './ip.ts'

const trusted = addressSet(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])

describe('the client address', () => {
  test('is the connection when it is no proxy of ours, whatever the headers say', () => {
    expect(clientAddress('203.0.113.9', ['1.2.3.4'], trusted)).toBe('203.0.113.9')
  })
  test('is the forwarded one behind a proxy of ours', () => {
    expect(clientAddress('127.0.0.1', ['1.2.3.4'], trusted)).toBe('1.2.3.4')
    expect(clientAddress('::ffff:127.0.0.1', ['2001:DB8::0:1'], trusted)).toBe('2001:db8::1')
  })
  test('is the right-most entry that is not ours: the left ones are the client’s own words', () => {
    expect(clientAddress('127.0.0.1', ['6.6.6.6, 1.2.3.4, 10.0.0.7'], trusted)).toBe('1.2.3.4')
  })
  test('stops at an entry that is no address', () => {
    expect(clientAddress('127.0.0.1', ['1.2.3.4, nonsense, 10.0.0.7'], trusted)).toBe('10.0.0.7')
    expect(clientAddress('127.0.0.1', ['nonsense'], trusted)).toBe('127.0.0.1')
  })
  test('comes from the first header that names one', () => {
    expect(clientAddress('127.0.0.1', [undefined, '1.2.3.4'], trusted)).toBe('1.2.3.4')
    expect(clientAddress('127.0.0.1', ['nonsense', '1.2.3.4'], trusted)).toBe('1.2.3.4')
  })
})

describe('the address as it was told', () => {
  test('is the connection when it is no proxy of ours', () => {
    expect(toldAddress('::ffff:203.0.113.9', ['1.2.3.4'], trusted)).toBe('203.0.113.9')
  })
  test('is what a proxy of ours wrote, in its own form', () => {
    expect(toldAddress('127.0.0.1', ['6.6.6.6, 2001:0DB8:0000:0000:0000:0000:0000:0001'], trusted)).toBe(
      '2001:0DB8:0000:0000:0000:0000:0000:0001',
    )
    expect(toldAddress('127.0.0.1', ['[2001:db8::1]:443'], trusted)).toBe('2001:db8::1')
    expect(toldAddress('127.0.0.1', ['127.0.0.1'], trusted)).toBe('127.0.0.1')
  })
  test('is empty when a proxy of ours names none: its own address is not the client’s', () => {
    expect(toldAddress('127.0.0.1', [undefined], trusted)).toBe('')
    expect(toldAddress('127.0.0.1', ['nonsense', '999.1.1.1'], trusted)).toBe('')
  })
})

test('addresses have one text each', () => {
  expect(canonicalAddress('2001:0DB8:0:0:0:0:0:1')).toBe('2001:db8::1')
  expect(canonicalAddress('[2001:db8::1]:443')).toBe('2001:db8::1')
  expect(canonicalAddress('::ffff:1.2.3.4')).toBe('1.2.3.4')
  expect(canonicalAddress('256.1.1.1')).toBeNull()
  expect(canonicalAddress('fe80::1%eth0')).toBeNull()
})

test('an IPv6 customer is counted by the /64', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('1.2.3.4')).toBe('1.2.3.4')
})

import { describe, expect, test } from 'vitest'
import { createKeyring } from '../../lib/keyring.ts'
import { decodeSessionData, encodeSessionData } from '../../lib/session-data.ts'

const keyring = createKeyring(['test-secret-1'])
const data = { session: { id: 's1', token: 't1', expiresAt: '2030-01-01T00:00:00.000Z' }, user: { id: 'u1', email: 'a@b.co' } }
const expiresAt = 1_893_456_000_000
/** Contract 00 §13. */
const vector =
  'eyJzZXNzaW9uIjp7InNlc3Npb24iOnsiaWQiOiJzMSIsInRva2VuIjoidDEiLCJleHBpcmVzQXQiOiIyMDMwLTAxLTAxVDAwOjAwOjAwLjAwMFoifSwidXNlciI6eyJpZCI6InUxIiwiZW1haWwiOiJhQGIuY28ifX0sImV4cGlyZXNBdCI6MTg5MzQ1NjAwMDAwMCwic2lnbmF0dXJlIjoiQlZ3VjBCLTJiRFd5SW5IMTZDYjVwR2JpaEtxQUhIYTZ0d01kU29TaHVGWSJ9'

const text = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const opened = () => JSON.parse(Buffer.from(vector, 'base64url').toString())

test('encodes session data as in the contract (00 §13), and decodes it', () => {
  expect(encodeSessionData(data, expiresAt, keyring)).toBe(vector)
  expect(decodeSessionData(vector, keyring)).toEqual({ state: 'valid', data, expiresAt })
})

test.each([
  ['an epoch', { ...data, epoch: 1_760_000_000_001 }],
  ['any Unicode', { ...data, user: { name: 'Zoë 😀 "\\ \u2028</script>' } }],
  ['what looks like the end of the text', { ...data, user: { name: '},"expiresAt":1,"signature":"' } }],
  ['nested objects, lists and null', { ...data, user: { list: [1, { 1: 'a', b: null }], none: null } }],
])('with %s comes back as it was', (_, given) => {
  expect(decodeSessionData(encodeSessionData(given, expiresAt, keyring), keyring)).toEqual({
    state: 'valid',
    data: given,
    expiresAt,
  })
})

test('is verified by every live secret and signed by the newest', () => {
  const rotated = createKeyring(['newer', 'test-secret-1'])
  expect(decodeSessionData(vector, rotated).state).toBe('valid')
  expect(decodeSessionData(encodeSessionData(data, expiresAt, rotated), keyring).state).toBe('forged')
})

describe('undecodable text is not reported as forged', () => {
  test.each(['', '%%%', 'nonsense', text('{'), text('null'), vector.slice(0, -20)])('%s', (sent) => {
    expect(decodeSessionData(sent, keyring)).toEqual({ state: 'undecodable' })
  })
})

describe('text without a valid signature is forged', () => {
  const changed = (change: (value: ReturnType<typeof opened>) => void) => {
    const value = opened()
    change(value)
    return text(value)
  }
  test.each([
    ['another user', changed((value) => Object.assign(value.session.user, { id: 'u2' }))],
    ['a later end', changed((value) => Object.assign(value, { expiresAt: expiresAt + 1 }))],
    ['an epoch that was added', changed((value) => Object.assign(value.session, { epoch: 9 }))],
    ['another signature', changed((value) => Object.assign(value, { signature: value.signature.replace('B', 'C') }))],
    ['no signature', changed((value) => Reflect.deleteProperty(value, 'signature'))],
    ['an empty signature', changed((value) => Object.assign(value, { signature: '' }))],
    ['a member more', changed((value) => Object.assign(value, { more: 1 }))],
    ['another order', text({ expiresAt, ...opened() })],
    ['another object', text({})],
    ['a list', text([opened()])],
    ['a number', text('3')],
    ['a text', text('"text"')],
  ])('%s', (_, sent) => expect(decodeSessionData(sent, keyring)).toEqual({ state: 'forged' }))
})

test('rejects signed text that is not a session', () => {
  const inner = '{"session":1,"user":{}}'
  const signature = keyring
    .sign(`{"session":1,"user":{},"expiresAt":5}`)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
  expect(decodeSessionData(text(`{"session":${inner},"expiresAt":5,"signature":"${signature}"}`), keyring)).toEqual({
    state: 'undecodable',
  })
})

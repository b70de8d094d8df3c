/** Bytes on a socket that HTTP clients do not send: no request is read in two ways (RFC 9112 §3.2, §6.3, §11.2; ASVS 4.2.1). */
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serve } from '../clients/served.ts'

type Served = Awaited<ReturnType<typeof serve>>

/** Sends bytes and reads what comes until the server closes the connection. @param parts each sent once the one before was written */
async function exchange({ origin }: Served, parts: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(origin).port), 'localhost')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A server that rejects a request may reset the connection while the rest is being sent.
  socket.on('error', () => {})
  for (const part of parts) await new Promise((resolve) => socket.write(part, 'latin1', resolve))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

const statuses = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

const hostOf = ({ origin }: Served) => new URL(origin).host
/** A request that would be found in the response if it were read. */
const smuggled = (host: string) => `GET /api/auth/smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`
const last = (host: string) => `GET /api/auth/ok HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

describe('a request target', () => {
  test.each<[name: string, head: (host: string) => string, status: number]>([
    ['a path', (host) => `GET /api/auth/ok HTTP/1.1\r\nHost: ${host}`, 200],
    ['an absolute URL of this host', (host) => `GET http://${host}/api/auth/ok HTTP/1.1\r\nHost: ${host}`, 200],
    [
      'an absolute URL of this host in capitals',
      (host) => `GET http://${host.toUpperCase()}/api/auth/ok HTTP/1.1\r\nHost: ${host}`,
      200,
    ],
    ['an absolute URL of another host', (host) => `GET http://evil.test/api/auth/ok HTTP/1.1\r\nHost: ${host}`, 400],
    ['another absolute URL', (host) => `GET ftp://evil.test/api/auth/ok HTTP/1.1\r\nHost: ${host}`, 400],
    ['an asterisk', (host) => `OPTIONS * HTTP/1.1\r\nHost: ${host}`, 400],
    ['a backslash', (host) => `GET /api/auth\\ok HTTP/1.1\r\nHost: ${host}`, 400],
    ['a backslash in a query', (host) => `GET /api/auth/ok?a=\\ HTTP/1.1\r\nHost: ${host}`, 200],
    ['a word', (host) => `GET ok HTTP/1.1\r\nHost: ${host}`, 400],
    ['two hosts', (host) => `GET /api/auth/ok HTTP/1.1\r\nHost: ${host}\r\nHost: evil.test`, 400],
    ['the same host twice', (host) => `GET /api/auth/ok HTTP/1.1\r\nHost: ${host}\r\nhost: ${host}`, 400],
    ['no host', () => 'GET /api/auth/ok HTTP/1.1', 400],
    ['an invalid host', () => 'GET /api/auth/ok HTTP/1.1\r\nHost: a b', 400],
    ['a host with a path', () => 'GET /ok HTTP/1.1\r\nHost: localhost/api/auth', 400],
  ])('%s', async (_, head, status) => {
    const served = await serve()
    const received = await exchange(served, [`${head(hostOf(served))}\r\nConnection: close\r\n\r\n`])
    expect(statuses(received)).toEqual([status])
    if (status === 400 && received.includes('{')) expect(received).toContain('"code":"BAD_REQUEST"')
    expect(served.counted).not.toContain('unexpected_error')
  })
})

describe('a read gets the same response, whether its target is plain or has to be parsed', () => {
  /** Without what differs between any two responses. */
  const linesOf = (received: string) =>
    received
      .split('\r\n')
      .map((line) => line.replace(/^[\w-]+(?=:)/, (name) => name.toLowerCase()))
      .filter((line) => !/^(?:date|x-request-id):/.test(line))
      .sort()
  test.each([
    ['a result', '/ok', '/o%6B'],
    ['a result with a query', '/get-session?disableCookieCache=true&x=%41', '/get-sessio%6E?disableCookieCache=true&x=%41'],
    ['an unknown path', '/nothing', '/nothin%67'],
    ['an error', '/list-sessions', '/list-session%73'],
    ['an invalid query', '/verify-email', '/verify-emai%6C'],
    ['a redirect', '/verify-email?token=x&callbackURL=/done', '/verify-emai%6C?token=x&callbackURL=/done'],
    ['a page', '/error?error=X', '/erro%72?error=X'],
  ])('%s', async (_, plain, parsed) => {
    const served = await serve()
    const get = async (target: string) =>
      linesOf(await exchange(served, [`GET /api/auth${target} HTTP/1.1\r\nHost: ${hostOf(served)}\r\nConnection: close\r\n\r\n`]))
    expect(await get(plain)).toEqual(await get(parsed))
  })
})

test('a request with two hosts closes the connection: the request after it is not processed', async () => {
  const served = await serve()
  const host = hostOf(served)
  const head = `GET /api/auth/ok HTTP/1.1\r\nHost: ${host}\r\nHost: evil.test\r\n\r\n`
  expect(statuses(await exchange(served, [`${head}${last(host)}`]))).toEqual([400])
  expect(served.requests()).toBe(1)
})

const signInHead = (host: string, more: string) =>
  `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`

describe('a body that breaks off or is malformed', () => {
  test.each<[name: string, parts: (host: string) => readonly string[]]>([
    ['a malformed chunk', (host) => [signInHead(host, 'Transfer-Encoding: chunked'), '5\r\n{"a":\r\nzz\r\n']],
    ['a malformed chunk size', (host) => [signInHead(host, 'Transfer-Encoding: chunked'), 'zz\r\n']],
    ['a chunk without its line break', (host) => [signInHead(host, 'Transfer-Encoding: chunked'), '2\r\n{}xx0\r\n\r\n']],
  ])('is 400 and no error: %s', async (_, parts) => {
    const served = await serve()
    expect(statuses(await exchange(served, parts(hostOf(served))))).toEqual([400])
    await expect.poll(() => served.log.some((line) => line.includes('Call failed'))).toBe(true)
    expect(served.log.filter((line) => line.includes('"level":"error"'))).toEqual([])
    expect(served.counted).not.toContain('unexpected_error')
  })

  test.each(['Transfer-Encoding: chunked', 'Content-Length: 100'])(
    'is not an error when the client disconnects: %s',
    async (framing) => {
      const served = await serve()
      const socket = connect(Number(new URL(served.origin).port), 'localhost')
      await once(socket, 'connect')
      socket.write(`${signInHead(hostOf(served), framing)}${framing.startsWith('T') ? '5\r\n{"a":\r\n' : '{"a":'}`)
      // The request has arrived when it is counted; only then is there a body to break off.
      await expect.poll(() => served.requests()).toBe(1)
      socket.destroy()
      await expect.poll(() => served.log.find((line) => line.includes('Call failed'))).toContain('"status":400')
      expect(served.log.filter((line) => line.includes('"level":"error"'))).toEqual([])
      expect(served.counted).not.toContain('unexpected_error')
    },
  )
})

describe('a body that is too large', () => {
  const size = 2_000_000
  const body = 'x'.repeat(size)
  test.each([
    ['of a known length', `Content-Length: ${size}`, body],
    ['in chunks', 'Transfer-Encoding: chunked', `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ])('%s is 413, and a client that still sends it meets no closed connection', async (_, framing, rest) => {
    const served = await serve()
    const host = hostOf(served)
    const socket = connect(Number(new URL(served.origin).port), 'localhost')
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
    })
    const errors: Error[] = []
    socket.on('error', (error) => errors.push(error))
    socket.write(signInHead(host, framing))
    socket.write(rest.slice(0, size / 2))
    await expect.poll(() => statuses(received)).toEqual([413])
    socket.write(`${rest.slice(size / 2)}${last(host)}`)
    await once(socket, 'close')
    expect([errors, statuses(received)]).toEqual([[], [413, 200]])
  })
})

/** Bodies whose length could be read in two ways. The server reads one request, or rejects it and closes the connection. */
const smuggling: [name: string, headers: readonly string[], body: (inner: string) => string][] = [
  ['CL.TE', ['Content-Length: 6', 'Transfer-Encoding: chunked'], (inner) => `0\r\n\r\n${inner}`],
  [
    'TE.CL',
    ['Transfer-Encoding: chunked', 'Content-Length: 3'],
    (inner) => `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
  ],
  ['two lengths', ['Content-Length: 0', 'Content-Length: 5'], (inner) => inner],
  ['the same length twice', ['Content-Length: 0', 'Content-Length: 0'], (inner) => inner],
  ['a list of lengths', ['Content-Length: 0, 5'], (inner) => inner],
  ['a length with a sign', ['Content-Length: +0'], (inner) => inner],
  ['a negative length', ['Content-Length: -1'], (inner) => inner],
  ['a hexadecimal length', ['Content-Length: 0x0'], (inner) => inner],
  ['a length with a space', ['Content-Length: 0 0'], (inner) => inner],
  ['a length with a fraction', ['Content-Length: 0.0'], (inner) => inner],
  ['an empty length', ['Content-Length:'], (inner) => inner],
  ['a length that is too large', [`Content-Length: ${'9'.repeat(30)}`], (inner) => inner],
  ['an unknown coding', ['Transfer-Encoding: xchunked'], (inner) => `0\r\n\r\n${inner}`],
  ['identity', ['Transfer-Encoding: identity'], (inner) => `0\r\n\r\n${inner}`],
  ['two codings', ['Transfer-Encoding: chunked, identity'], (inner) => `0\r\n\r\n${inner}`],
  ['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked, x'], (inner) => `0\r\n\r\n${inner}`],
  ['a space before the colon', ['Transfer-Encoding : chunked'], (inner) => `0\r\n\r\n${inner}`],
  ['a space before the colon of the length', ['Content-Length : 0'], (inner) => inner],
  ['a tab before the coding', ['Content-Length: 6', 'Transfer-Encoding:\tchunked'], (inner) => `0\r\n\r\n${inner}`],
  ['a vertical tab before the coding', ['Transfer-Encoding: \u000bchunked'], (inner) => `0\r\n\r\n${inner}`],
  ['a folded line', ['Transfer-Encoding:', ' chunked', 'Content-Length: 6'], (inner) => `0\r\n\r\n${inner}`],
  ['a header without a colon', ['Content-Length: 0', 'Transfer-Encoding'], (inner) => inner],
  ['a NUL in a header', ['X-A: \u0000', 'Content-Length: 0'], (inner) => inner],
  ['a bare line feed', ['X-A: b\nTransfer-Encoding: chunked', 'Content-Length: 6'], (inner) => `0\r\n\r\n${inner}`],
  ['a bare carriage return', ['X-A: b\rTransfer-Encoding: chunked', 'Content-Length: 6'], (inner) => `0\r\n\r\n${inner}`],
  ['a chunk size with an overflow', ['Transfer-Encoding: chunked'], (inner) => `${'f'.repeat(17)}0\r\n${inner}`],
  ['a chunk size with 0x', ['Transfer-Encoding: chunked'], (inner) => `0x0\r\n\r\n${inner}`],
  ['a chunk extension with a line feed', ['Transfer-Encoding: chunked'], (inner) => `2;a\nb\r\n{}\r\n0\r\n\r\n${inner}`],
  ['a chunk ended by a line feed', ['Transfer-Encoding: chunked'], (inner) => `2\n{}\n0\n\n${inner}`],
  ['a negative chunk size', ['Transfer-Encoding: chunked'], (inner) => `-1\r\n${inner}`],
]

describe('request smuggling (ASVS 4.2.1)', () => {
  test.each(smuggling)('%s is rejected, and the connection closed', async (_, headers, body) => {
    const served = await serve()
    const host = hostOf(served)
    const head = ['POST /api/auth/sign-out HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json', ...headers]
    const received = await exchange(served, [`${head.join('\r\n')}\r\n\r\n${body(smuggled(host))}${last(host)}`])
    expect(statuses(received).every((status) => status === 400)).toBe(true)
    expect(statuses(received).length).toBeLessThanOrEqual(2)
    expect(received).not.toContain('HTTP/1.1 404')
    expect(received).not.toContain('{"ok":true}')
    expect(served.counted).not.toContain('unexpected_error')
  })

  test.each(['chunked', 'Chunked', 'identity', ''])(
    'HTTP/1.0 with Transfer-Encoding "%s" is 400, and the connection closed',
    async (coding) => {
      const served = await serve()
      const host = hostOf(served)
      const head = `POST /api/auth/sign-out HTTP/1.0\r\nHost: ${host}\r\nContent-Type: application/json\r\nConnection: keep-alive`
      const received = await exchange(served, [
        `${head}\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n${last(host)}`,
      ])
      expect(statuses(received)[0]).toBe(400)
      expect(statuses(received).every((status) => status === 400)).toBe(true)
      expect(received.toLowerCase()).toContain('connection: close')
      expect(served.requests()).toBeLessThanOrEqual(1)
      expect(received).not.toContain('{"ok":true}')
    },
  )

  test('requests on one connection are separated by their lengths', async () => {
    const served = await serve()
    const host = hostOf(served)
    const post = (framing: string, body: string) =>
      `POST /api/auth/sign-out HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n${body}`
    const inner = smuggled(host)
    const received = await exchange(served, [
      post(`Content-Length: ${inner.length}`, inner),
      post('Transfer-Encoding: chunked', `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`),
      last(host),
    ])
    expect(statuses(received)).toEqual([400, 400, 200])
    expect(received).not.toContain('HTTP/1.1 404')
  })
})

/** Bounds of outbound HTTP (ASVS 13.2.4, 13.2.5, 15.3.2), where it may connect to, and what a call responds whose provider breaks them. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import net, {
  type AddressInfo,
  createServer as createSocketServer,
  type LookupFunction,
  type Server as SocketServer,
} from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { certificate, certificateKey } from '../../tests/conformance/localhost-certificate.ts'
import { testApp } from '../../tests/kit/app.ts'
import { createLog } from './log.ts'
import { configuredHosts, createFetch } from './outbound-fetch.ts'

const mebibyte = 1_048_576
/** A real deadline takes ten seconds. */
const timeoutMs = 500

/** @returns the port */
async function listen(server: Server | SocketServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

const serve = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createServer(listener))}/`

/** A `fetch` whose configuration names the host of a URL: the servers of these tests have a private address. */
const fetchFrom = (url: string, options: { timeoutMs?: number } = {}) =>
  createFetch({ ...options, allowedHosts: configuredHosts({ url }) })

/** Writes parts until the client is gone. @param pauseMs 0: as fast as they are read */
function writeForever(response: ServerResponse, part: string | Buffer, pauseMs: number): void {
  if (response.destroyed) return
  const hasRoom = response.write(part)
  if (pauseMs > 0) setTimeout(() => writeForever(response, part, pauseMs), pauseMs)
  else if (hasRoom) setImmediate(() => writeForever(response, part, pauseMs))
  else response.once('drain', () => writeForever(response, part, pauseMs))
}

const solved = '{"success":true}'
const padded = (size: number) => `${' '.repeat(size - solved.length)}${solved}`

/** Servers that would say yes if their response were accepted. */
const faults: Readonly<Record<string, () => Promise<string>>> = {
  'announces more than 1 MiB': () => serve((_, response) => response.end(padded(mebibyte + 1))),
  'sends chunks without end': () => serve((_, response) => writeForever(response, ' '.repeat(65_536), 0)),
  'sends compressed more than 1 MiB': () =>
    serve((_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(padded(8 * mebibyte)))),
  'sends a byte from time to time': () => serve((_, response) => writeForever(response, ' ', 20)),
  'does not respond': () => serve(() => {}),
  'sends a head and no body': () => serve((_, response) => response.setHeader('content-length', '16').flushHeaders()),
  'accepts the connection and is silent': async () => {
    const sockets = createSocketServer((socket) => void onTestFinished(() => void socket.destroy()))
    return `https://127.0.0.1:${await listen(sockets)}/`
  },
  'ends in the middle of the body': () =>
    serve((_, response) => {
      response.setHeader('content-length', '100')
      response.write(solved, () => response.destroy())
    }),
  'does not speak HTTP': async () =>
    `http://127.0.0.1:${await listen(createSocketServer((socket) => void socket.on('error', () => {}).end('no')))}/`,
  'refuses the connection': async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    return `http://127.0.0.1:${port}/`
  },
  'has a certificate of an unknown authority': async () => {
    const server = createSecureServer({ cert: certificate, key: certificateKey }, (_, response) => response.end(solved))
    return `https://localhost:${await listen(server)}/`
  },
  'has no TLS where it is expected': async () => (await serve((_, response) => response.end(solved))).replace('http:', 'https:'),
}

describe.each(Object.entries(faults))('a server that %s', (_, start) => {
  test('is an error', async () => {
    const url = await start()
    const outcome = fetchFrom(url, { timeoutMs })(url)
    await expect(outcome).rejects.toThrow()
    // The server is reached: what fails is not the check of its address.
    await expect(outcome).rejects.not.toMatchObject({ cause: { message: expect.stringContaining('public address') } })
  })

  test('verifies no captcha', async () => {
    const siteVerifyURLOverride = await start()
    const kit = await testApp({
      captcha: {
        provider: 'hcaptcha',
        secretKey: 'a secret of the provider',
        siteKey: 'a site key',
        siteVerifyURLOverride,
      },
    })
    Object.assign(kit.app, { fetch: fetchFrom(siteVerifyURLOverride, { timeoutMs }) })
    const body = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
    const answer = await kit.browser().call('POST /sign-up/email', { body }, { 'x-captcha-response': 'x' })
    expect([answer.status, answer.body.code]).toEqual([500, 'SOMETHING_WENT_WRONG'])
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toEqual([])
  })
})

describe('the outbound fetch', () => {
  test.each([301, 302, 303, 307, 308])('does not follow a redirect with status %i', async (status) => {
    const reached: unknown[] = []
    const target = await serve((request, response) => {
      reached.push(request.url)
      response.end(solved)
    })
    const url = await serve((_, response) => response.writeHead(status, { location: target }).end(solved))
    // The target is allowed, so that nothing but the redirect is an error.
    const send = createFetch({ allowedHosts: configuredHosts({ url, target }) })
    await expect(send(url, { method: 'POST', body: 'secret' })).rejects.toMatchObject({
      cause: { message: 'unexpected redirect' },
    })
    // Also when its options say so.
    await expect(send(url, { redirect: 'follow' })).rejects.toThrow()
    await expect(send(new Request(url, { redirect: 'follow' }))).rejects.toThrow()
    expect(reached).toEqual([])
  })

  test('returns a response of 1 MiB', async () => {
    const url = await serve((_, response) => response.end(padded(mebibyte)))
    const response = await fetchFrom(url)(url)
    expect([response.status, await response.json()]).toEqual([200, { success: true }])
  })

  test('closes the connection of a response that is too large', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const url = await serve((_, response) => {
      response.on('close', () => resolve())
      writeForever(response, ' '.repeat(65_536), 0)
    })
    await expect(fetchFrom(url)(url)).rejects.toThrow('larger than 1 MiB')
    await closed
  })

  test('has a deadline of 10 seconds for the whole response, and ends earlier when its caller does', async () => {
    const timeouts = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => timeouts.mockRestore())
    const url = await serve((_, response) => writeForever(response, ' ', 20))
    await expect(fetchFrom(url)(url, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    expect(timeouts.mock.calls).toEqual([[10_000]])
    await expect(fetchFrom(url, { timeoutMs })(url)).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

/** By the form of an IP address; each list has one of every range that a server must not reach for others. */
const privateAddresses: Readonly<Record<'IPv4' | 'IPv6', readonly string[]>> = {
  IPv4: [
    ...['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1', '169.254.169.254'],
    ...['100.64.0.1', '100.127.255.254', '0.0.0.0', '0.1.2.3', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1'],
    ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ],
  IPv6: [
    ...['::1', '::', '::7f00:1', 'fc00::1', 'fdff:ffff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', '100::1'],
    ...['::ffff:10.0.0.1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::808:808'],
    ...['2002:7f00:1::1', '2002:808:808::1', '2001:0:808:808::1', '2001:db8::1', '3fff::1', '5f00::1', '4000::1'],
  ],
}
const publicAddresses = [
  '1.1.1.1',
  '93.184.215.14',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
]

/** A DNS server that returns these addresses, one list a lookup, and the last list from then on. */
function dnsServer(...answers: readonly (readonly string[])[]) {
  let lookups = 0
  const lookup = vi.fn<LookupFunction>((_, { all }, callback) => {
    const answer = answers[Math.min(lookups++, answers.length - 1)] ?? []
    const addresses = answer.map((address) => ({ address, family: net.isIP(address) }))
    if (all) callback(null, addresses)
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  })
  return lookup
}

type Connect = (options: net.TcpNetConnectOpts) => net.Socket

/** @param replacement gets the real `connect` too */
function replaceConnect(replacement: (connect: Connect, options: net.TcpNetConnectOpts) => net.Socket): void {
  const connect: Connect = net.connect
  const spy = vi.spyOn(net as { connect: Connect }, 'connect').mockImplementation((options) => replacement(connect, options))
  onTestFinished(() => void spy.mockRestore())
}

/**
 * Everything happens as in Node, but a connection to an address is one to this machine.
 * @returns the addresses that were connected to
 */
function watchConnections(): string[] {
  const addresses: string[] = []
  replaceConnect((connect, options) => {
    const { host = '', lookup } = options
    if (net.isIP(host)) {
      addresses.push(host)
      return connect({ ...options, host: '127.0.0.1' })
    }
    return connect({
      ...options,
      lookup: (name, request, callback) =>
        lookup?.(name, request, (error, found) => {
          if (error) return callback(error, [])
          addresses.push(...(typeof found === 'string' ? [found] : found.map(({ address }) => address)))
          if (request.all) callback(null, [{ address: '127.0.0.1', family: 4 }])
          else callback(null, '127.0.0.1', 4)
        }),
    })
  })
  return addresses
}

const notPublic = (text: string) => ({
  cause: { message: expect.stringMatching(new RegExp(`${text}.*is not a public address`)) },
})

describe('a private address', () => {
  const literals = [...privateAddresses.IPv4, ...privateAddresses.IPv6.map((address) => `[${address}]`)]

  test.each([...literals, '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0', '127.0.0.1.', '①②⑦.0.0.1'])(
    'is not connected to as host %s',
    async (host) => {
      const connected = watchConnections()
      for (const scheme of ['http', 'https']) {
        const url = new URL(`${scheme}://${host}:8443/`)
        const name = url.hostname.replace(/^\[|\]$/g, '')
        await expect(createFetch()(url)).rejects.toMatchObject(notPublic(name))
      }
      expect(connected).toEqual([])
    },
  )

  test.each([...privateAddresses.IPv4, ...privateAddresses.IPv6, 'fe80::1%lo'])(
    'is not connected to as DNS answer %s',
    async (address) => {
      const connected = watchConnections()
      for (const scheme of ['http', 'https']) {
        const lookup = dnsServer([address])
        const outcome = createFetch({ lookup })(`${scheme}://provider.example/`)
        await expect(outcome).rejects.toMatchObject(notPublic(`provider.example has the IP address ${address}`))
        expect(lookup).toHaveBeenCalledOnce()
      }
      expect(connected).toEqual([])
    },
  )

  test.each([[['1.1.1.1', '10.0.0.1']], [['10.0.0.1', '1.1.1.1']], [['2606:4700::1111', '::ffff:127.0.0.1']]])(
    'next to a public one is not connected to: %j',
    async (addresses) => {
      const connected = watchConnections()
      await expect(createFetch({ lookup: dnsServer(addresses) })('http://provider.example/')).rejects.toMatchObject(
        notPublic('provider.example'),
      )
      expect(connected).toEqual([])
    },
  )

  test('that DNS returns after a public one is not connected to', async () => {
    const connected = watchConnections()
    const url = await serve((_, response) => response.setHeader('connection', 'close').end(solved))
    const lookup = dnsServer(['93.184.215.14'], ['127.0.0.1'])
    const send = createFetch({ lookup })
    const target = `http://provider.example:${new URL(url).port}/`
    expect(await (await send(target)).json()).toEqual({ success: true })
    // One lookup is both checked and connected to.
    expect([lookup.mock.calls.length, connected]).toEqual([1, ['93.184.215.14']])
    await expect(send(target)).rejects.toMatchObject(notPublic('provider.example'))
    expect([lookup.mock.calls.length, connected]).toEqual([2, ['93.184.215.14']])
  })

  test('is named in the log with its host', async () => {
    const lines: string[] = []
    const log = await createLog({ level: 'info', pretty: false, destination: { write: (line) => void lines.push(line) } })
    const error: unknown = await createFetch({ lookup: dnsServer(['10.1.2.3']) })('http://provider.example/').catch(
      (failure) => failure,
    )
    log.error({ err: error }, 'Cannot fetch the profile')
    expect(lines.join('')).toContain(
      'provider.example has the IP address 10.1.2.3, which is not a public address, and the configuration does not name this host',
    )
  })
})

describe('a public address', () => {
  test.each(publicAddresses)('is connected to: %s', async (address) => {
    const connected = watchConnections()
    const { port } = new URL(await serve((_, response) => response.end(solved)))
    const host = net.isIPv6(address) ? `[${address}]` : address
    await createFetch()(`http://${host}:${port}/`)
    await createFetch({ lookup: dnsServer([address]) })(`http://provider.example:${port}/`)
    expect(connected).toEqual([new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, ''), address])
  })

  test('that redirects to a private one is an error', async () => {
    const reached: unknown[] = []
    const target = await serve((request, response) => response.end(reached.push(request.url).toString()))
    const url = await serve((_, response) => response.writeHead(302, { location: target }).end())
    const connected = watchConnections()
    const send = createFetch({ lookup: dnsServer(['1.1.1.1']) })
    await expect(send(`http://provider.example:${new URL(url).port}/`)).rejects.toThrow()
    expect([connected, reached]).toEqual([['1.1.1.1'], []])
  })

  test('is looked up within the deadline', async () => {
    const send = createFetch({ timeoutMs, lookup: () => {} })
    await expect(send('http://provider.example/')).rejects.toThrow()
  })

  test.each([
    ['no address', dnsServer([]), 'has no IP address'],
    ['an error', vi.fn<LookupFunction>((_, __, callback) => callback(new Error('ENOTFOUND'), [])), 'ENOTFOUND'],
  ])('is not assumed when DNS returns %s', async (_, lookup, message) => {
    await expect(createFetch({ lookup })('http://provider.example/')).rejects.toMatchObject({
      cause: { message: expect.stringContaining(message) },
    })
  })
})

describe('a host of the configuration', () => {
  test('is the host and port of a URL anywhere in it, but for origins of browsers', () => {
    class Pool {
      readonly url = 'https://pool.internal'
    }
    const nested: Record<string, unknown> = { list: ['http://a.internal/x', { url: 'HTTPS://B.internal:8443/?q' }] }
    nested.itself = nested
    const hosts = configuredHosts({
      baseURL: 'https://own.internal',
      trustedOrigins: ['https://app.internal'],
      nested,
      database: { url: 'mysql://user:pw@db.internal/x', pool: new Pool() },
      texts: ['see https://text.internal', 'https:', 'https://', 'ftp://ftp.internal', 'https://[::1]/'],
      hook: Object.assign(() => {}, { url: 'https://function.internal' }),
    })
    expect([...hosts]).toEqual(['a.internal:80', 'b.internal:8443', '::1:443'])
  })

  test('may have a private address, for this host and port only', async () => {
    const url = await serve((_, response) => response.end(solved))
    const { port } = new URL(url)
    const lookup = dnsServer(['127.0.0.1'])
    const send = createFetch({ lookup, allowedHosts: configuredHosts({ issuer: `http://gitlab.internal:${port}/group` }) })
    expect(await (await send(`http://gitlab.internal:${port}/other`)).json()).toEqual({ success: true })
    const others = [
      ...[`http://gitlab.internal:${Number(port) + 1}/`, 'http://gitlab.internal/', 'https://gitlab.internal/'],
      ...[`http://x.gitlab.internal:${port}/`, `http://internal:${port}/`, `http://gitlab.internal.:${port}/`, url],
      `http://gitlab.internal.example:${port}/`,
    ]
    for (const other of others) await expect(send(other)).rejects.toMatchObject(notPublic(''))
  })

  test('is not the one before an @', async () => {
    const connected = watchConnections()
    const send = createFetch({ allowedHosts: configuredHosts({ url: 'http://gitlab.internal' }) })
    await expect(send('http://gitlab.internal@10.0.0.1/')).rejects.toThrow()
    await expect(send('http://gitlab.internal:80@10.0.0.1/')).rejects.toThrow()
    expect(connected).toEqual([])
  })

  test('is reached by the app, and other hosts are not', async () => {
    const [captcha, own] = [
      await serve((_, response) => response.end(solved)),
      await serve((_, response) => response.end(solved)),
    ]
    const kit = await testApp({
      baseURL: own,
      trustedOrigins: [new URL(own).origin],
      captcha: { provider: 'hcaptcha', secretKey: 'a secret', siteKey: 'a site key', siteVerifyURLOverride: captcha },
    })
    expect(await (await kit.app.fetch(captcha)).json()).toEqual({ success: true })
    await expect(kit.app.fetch(own)).rejects.toMatchObject(notPublic('127.0.0.1'))
  })
})

describe('a connection', () => {
  /** @returns the sockets that are opened; `keepsAlive` is whether one keeps the process alive */
  function watchSockets() {
    const sockets: { readonly socket: net.Socket; keepsAlive: boolean }[] = []
    replaceConnect((connect, options) => {
      const socket = connect(options)
      const [ref, unref] = [socket.ref.bind(socket), socket.unref.bind(socket)]
      const watched = { socket, keepsAlive: true }
      sockets.push(watched)
      const set = (keepsAlive: boolean) => {
        watched.keepsAlive = keepsAlive
        return keepsAlive ? ref() : unref()
      }
      return Object.assign(socket, { ref: () => set(true), unref: () => set(false) })
    })
    return sockets
  }

  test('is kept for the next request, does not keep the process alive, and ends with its `fetch`', async () => {
    const sockets = watchSockets()
    const during: unknown[] = []
    const server = createServer((_, response) => {
      during.push(sockets.map(({ keepsAlive }) => keepsAlive))
      response.end(solved)
    })
    server.keepAliveTimeout = 60_000
    const url = `http://127.0.0.1:${await listen(server)}/`
    const send = fetchFrom(url)
    for (let request = 0; request < 3; request++) {
      await send(url)
      await expect.poll(() => sockets.map(({ keepsAlive }) => keepsAlive), { timeout: 15_000 }).toEqual([false])
    }
    expect(during).toEqual([[true], [true], [true]])
    expect(sockets.map(({ socket }) => socket.destroyed)).toEqual([false])
    await send.close()
    expect(sockets.map(({ socket }) => socket.destroyed)).toEqual([true])
    await createFetch().close()
  })

  test('ends when it is unused for 30 seconds, although the server offers more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const sockets = watchSockets()
    const server = createServer((_, response) => response.setHeader('keep-alive', 'timeout=600').end(solved))
    server.keepAliveTimeout = 0
    const url = `http://127.0.0.1:${await listen(server)}/`
    await fetchFrom(url)(url)
    await vi.waitUntil(() => sockets[0]?.keepsAlive === false, { timeout: 15_000 })
    vi.advanceTimersByTime(29_000)
    expect(sockets[0]?.socket.destroyed).toBe(false)
    vi.advanceTimersByTime(2000)
    expect(sockets[0]?.socket.destroyed).toBe(true)
  })

  test('sends a request as it was given', async () => {
    const { promise: received, resolve } = Promise.withResolvers<unknown>()
    const url = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      resolve([request.method, request.headers['content-type'], request.headers['x-test'], request.headers['user-agent'], body])
      response.writeHead(204, { 'x-reply': 'yes' }).end()
    })
    const request = new Request(url, { method: 'PUT', headers: { 'x-test': '1' }, body: new URLSearchParams({ a: 'b c' }) })
    const response = await fetchFrom(url)(request)
    expect(response).toBeInstanceOf(Response)
    expect([response.status, response.headers.get('x-reply')]).toEqual([204, 'yes'])
    expect(await received).toEqual(['PUT', 'application/x-www-form-urlencoded;charset=UTF-8', '1', 'latchkey', 'a=b+c'])
  })
})

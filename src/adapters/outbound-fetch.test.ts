/** Bounds of outbound HTTP (ASVS 13.2.4, 13.2.5, 15.3.2), and what a call responds whose provider breaks them. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { certificate, certificateKey } from '../../tests/conformance/localhost-certificate.ts'
import { testApp } from '../../tests/kit/app.ts'
import { createFetch } from './system.ts'

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
    await expect(createFetch({ timeoutMs })(await start())).rejects.toThrow()
  })

  test('verifies no captcha', async () => {
    const kit = await testApp({
      captcha: {
        provider: 'hcaptcha',
        secretKey: 'a secret of the provider',
        siteKey: 'a site key',
        siteVerifyURLOverride: await start(),
      },
    })
    Object.assign(kit.app, { fetch: createFetch({ timeoutMs }) })
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
    await expect(createFetch()(url, { method: 'POST', body: 'secret' })).rejects.toThrow()
    // Also when its options say so.
    await expect(createFetch()(url, { redirect: 'follow' })).rejects.toThrow()
    expect(reached).toEqual([])
  })

  test('returns a response of 1 MiB', async () => {
    const url = await serve((_, response) => response.end(padded(mebibyte)))
    const response = await createFetch()(url)
    expect([response.status, await response.json()]).toEqual([200, { success: true }])
  })

  test('closes the connection of a response that is too large', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const url = await serve((_, response) => {
      response.on('close', () => resolve())
      writeForever(response, ' '.repeat(65_536), 0)
    })
    await expect(createFetch()(url)).rejects.toThrow('larger than 1 MiB')
    await closed
  })

  test('has a deadline of 10 seconds for the whole response, and ends earlier when its caller does', async () => {
    const timeouts = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => timeouts.mockRestore())
    const url = await serve((_, response) => writeForever(response, ' ', 20))
    await expect(createFetch()(url, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    expect(timeouts.mock.calls).toEqual([[10_000]])
    await expect(createFetch({ timeoutMs })(url)).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

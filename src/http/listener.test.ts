/** Responses that are sent as they are read. */
import { createServer as createNodeServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { createListener } from './listener.ts'
import { createServer } from './server.ts'

/** A server whose every read of the API is a file with this content. @param size as its head says */
async function serve(content: () => AsyncGenerator<Uint8Array>, size: number) {
  const { app } = await testApp()
  const server = createServer(app, { reasons: async () => [] })
  const sent = () => ({ status: 200, headers: { 'content-length': String(size) }, body: content() })
  const listener = createNodeServer(createListener(app, Object.assign(server, { handle: async () => sent() })))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void listener.close())
  const { port } = listener.address() as AddressInfo
  return (signal?: AbortSignal) => fetch(`http://127.0.0.1:${port}/api/auth/ok`, signal ? { signal } : {})
}

test('a file is sent part by part, and reading stops when its client leaves', async () => {
  let read = 0
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const open = await serve(async function* () {
    try {
      for (; read < 1000; read += 1) yield new Uint8Array(1_000_000)
    } finally {
      end()
    }
  }, 1_000_000_000)
  const leaving = new AbortController()
  const reader = (await open(leaving.signal)).body?.getReader()
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
  leaving.abort()
  await ended
  expect(read).toBeLessThan(1000)
})

test('a file that cannot be read to its end closes the connection, so that its client does not take it for whole', async () => {
  const open = await serve(async function* () {
    yield Buffer.from('half')
    throw new Error('Planted: the database is gone')
  }, 8)
  await expect(open().then((response) => response.text())).rejects.toThrow(/terminated|failed/)
})

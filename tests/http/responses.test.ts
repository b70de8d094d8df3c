/** Whatever a handler or a hook returns, the response is ours: never the error page of the HTTP adapter (ASVS 16.5.1, 16.5.4). */
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiError, type ErrorEntry } from '../../src/core/errors.ts'
import { anyone } from '../../src/core/permissions.ts'
import { html, rawJson, redirect } from '../../src/core/reply.ts'
import type { CallContext } from '../../src/core/request.ts'
import { route } from '../../src/core/route.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { serve } from '../clients/served.ts'

interface Received {
  readonly status: number | undefined
  readonly reason: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Of the client's end of the connection. */
  readonly port: number | undefined
}

/** Sends requests over one connection for as long as the server keeps it open. */
function createClient(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return (path: string) =>
    new Promise<Received>((resolve, reject) => {
      const sent = request(`${origin}/api/auth${path}`, { agent }, async (response) => {
        const port = response.socket.localPort
        const body = Buffer.concat(await response.toArray()).toString()
        resolve({ status: response.statusCode, reason: response.statusMessage, headers: response.headers, body, port })
      })
      sent.on('error', reject)
      sent.end()
    })
}

type Handler = (ctx: CallContext) => unknown
const probeOf = (handler: Handler) => ({
  ...featureList,
  probe: {
    routes: { 'GET /probe': route({ summary: 'x', access: anyone(), returns: z.looseObject({}), handler: handler as never }) },
  },
})

let terminal: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  terminal = vi.spyOn(console, 'error')
})
afterEach(() => void terminal.mockRestore())

async function expectOwnError(config: ConfigFile, handler: Handler): Promise<void> {
  const { origin, log } = await serve(config, { features: probeOf(handler), allowsUndeclaredErrors: true })
  const send = createClient(origin)
  const failed = await send('/probe')
  expect([failed.status, failed.reason, failed.body]).toEqual([
    500,
    'Internal Server Error',
    '{"code":"INTERNAL_SERVER_ERROR","message":"Internal Server Error"}',
  ])
  expect(failed.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': String(failed.body.length),
  })
  expect(failed.headers['set-cookie']).toBeUndefined()
  const line = log.find((text) => text.includes('A call failed unexpectedly'))
  expect(line).toContain(`"requestId":"${failed.headers['x-request-id']}"`)
  // An unknown path: no hook is called for it.
  const next = await send('/nothing')
  expect([next.status, next.port]).toEqual([404, failed.port])
  expect(terminal).not.toHaveBeenCalled()
}

const circular: { self?: unknown } = {}
circular.self = circular
const throwing = {
  toJSON: () => {
    throw new Error('no JSON')
  },
}
const thrower = (thrown: unknown) => () => {
  throw thrown
}
const entry = (more: object): ErrorEntry => ({ status: 403, code: 'PROBE', message: 'Probe', ...more }) as ErrorEntry
const withHeader = (name: string, value: unknown) => (ctx: CallContext) => {
  Object.assign(ctx.headers, { [name]: value })
  return {}
}
const withCookie = (header: string) => (ctx: CallContext) => {
  ctx.cookies.set('session', header)
  return {}
}
const failingWithHeader = (ctx: CallContext) => {
  ctx.headers['x-probe'] = '中'
  throw new ApiError(entry({}))
}

test.each<[name: string, handler: Handler]>([
  ['a header with a line break', withHeader('x-probe', 'a\r\nset-cookie: a=b')],
  ['a header with other letters', withHeader('x-probe', '中')],
  ['a header that is not a text', withHeader('x-probe', 7)],
  ['a header with a space in its name', withHeader('x probe', 'a')],
  ['a header without a name', withHeader('', 'a')],
  ['a wrong length', withHeader('Content-Length', '1')],
  ['a transfer coding', withHeader('transfer-encoding', 'chunked')],
  ['a cookie with other letters', withCookie('a=中')],
  ['a header that breaks an error response', failingWithHeader],
  ['an error with a header that breaks', thrower(new ApiError(entry({}), { headers: { 'retry-after': '中' } }))],
  ['an error with an unknown status', thrower(new ApiError(entry({ status: 999 })))],
  ['an error with a status that is not a number', thrower(new ApiError(entry({ status: '403x' })))],
  ['an error with a message that has no JSON form', thrower(new ApiError(entry({ message: 7n })))],
  ['a redirect to something that is not a URL', () => redirect('http://[中')],
  ['a redirect with an unknown status', () => redirect('/x', 999 as never)],
  ['a BigInt', () => rawJson({ count: 7n })],
  ['a cycle', () => rawJson(circular)],
  ['a function', () => rawJson(() => 1)],
  ['a symbol', () => rawJson(Symbol('x'))],
  ['a value that has no JSON form', () => rawJson(throwing)],
  ['a BigInt that its schema allows', () => ({ count: 7n })],
  ['a value that its schema rejects', () => 7],
  ['nothing', () => undefined],
  ['a page with a header that breaks', () => html('x', { 'x-probe': 'a\nb' })],
  ['a page with a stream as its body', () => html(new ReadableStream() as never)],
  ['a page without a body', () => html(undefined as never)],
  ['undefined is thrown', thrower(undefined)],
  ['null is thrown', thrower(null)],
  ['a text is thrown', thrower('a text')],
  ['a BigInt is thrown', thrower(7n)],
  ['a symbol is thrown', thrower(Symbol('x'))],
  ['an object without a prototype is thrown', thrower(Object.create(null))],
  ['a rejection without a reason', () => Promise.reject()],
])('responds with its own 500 to %s from a handler', (_, handler) => expectOwnError({}, handler))

const returning = (value: unknown) => () => value as never
test.each<[name: string, hooks: NonNullable<ConfigFile['hooks']>]>([
  ['a text before', { before: returning('a text') }],
  ['a number before', { before: returning(7) }],
  ['an input that is nothing before', { before: returning({ context: undefined }) }],
  ['a BigInt before', { before: returning({ response: 7n }) }],
  ['a cycle before', { before: returning({ response: circular }) }],
  ['a thrown text before', { before: thrower('a text') }],
  ['a BigInt after', { after: returning({ response: 7n }) }],
  ['a text after', { after: returning('a text') }],
  ['a header with a line break after', { after: returning({ headers: { 'x-probe': 'a\r\nb: c' } }) }],
  ['a header with other letters after', { after: returning({ headers: { 'x-probe': '中' } }) }],
  ['a header name with a space after', { after: returning({ headers: { 'x probe': 'a' } }) }],
  ['a wrong length after', { after: returning({ headers: { 'content-length': '1' } }) }],
  ['a cookie that breaks after', { after: returning({ headers: { 'set-cookie': 'a=中' } }) }],
  ['a symbol as header after', { after: returning({ headers: { 'x-probe': Symbol('x') } }) }],
  ['a thrown null after', { after: thrower(null) }],
])('responds with its own 500 to %s from a hook', (_, hooks) => expectOwnError({ hooks }, withCookie('session=1')))

describe('a redirect target', () => {
  test.each([
    ['/verify-email?token=x&callbackURL=', '/中', '/%E4%B8%AD?error=invalid_token'],
    ['/verify-email?token=x&callbackURL=', '/ü?a=é', '/%C3%BC?a=%C3%A9&error=invalid_token'],
    ['/reset-password/x?callbackURL=', '/中', '/%E4%B8%AD?error=INVALID_TOKEN'],
  ])('with other letters is a URL of ASCII letters: %s%s', async (path, target, expected) => {
    const { origin } = await serve()
    const send = createClient(origin)
    const moved = await send(`${path}${encodeURIComponent(origin + target)}`)
    expect([moved.status, moved.headers.location]).toEqual([302, origin + expected])
    expect((await send('/ok')).port).toBe(moved.port)
    expect(terminal).not.toHaveBeenCalled()
  })
})

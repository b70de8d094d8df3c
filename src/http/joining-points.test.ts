/** What a feature can attach to the calls of others, and what a route can declare beyond its handler. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../tests/kit/app.ts'
import type { Browser } from '../../tests/kit/browser.ts'
import type { Actor } from '../core/app.ts'
import { ApiError, defineErrors, RedirectError } from '../core/errors.ts'
import type { Feature } from '../core/feature.ts'
import { anyone, freshSession, permission, server, session } from '../core/permissions.ts'
import type { CallContext } from '../core/request.ts'
import { type Route, route } from '../core/route.ts'
import { featureList } from '../features/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const errors = defineErrors({ NOT_TODAY: [403, 'Not today'], UNLISTED: [400, 'Unlisted'] })
const done = z.object({ done: z.literal(true) })

type Routes = Readonly<Record<string, Route>>
const withFeatures = (
  planted: Readonly<Record<string, Feature>>,
  options: Omit<Parameters<typeof testApp>[1], 'features'> = {},
) => testApp({}, { features: { ...featureList, ...planted }, ...options })
const withRoutes = (routes: Routes, options = {}) => withFeatures({ planted: { routes } }, options)

async function signedUp(browser: () => Browser): Promise<Browser> {
  const visitor = browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  return visitor
}

describe('steps of a feature around calls of other features', () => {
  test('run in list order, also those for every call, and change the result', async () => {
    const order: string[] = []
    const feature = (name: string): Feature => ({
      before: {
        'GET /ok': () => void order.push(`${name} before`),
        'POST /sign-out': () => void order.push('never'),
      },
      after: {
        '*': (ctx, result) => {
          order.push(`${name} after`)
          ctx.headers[`x-${name}`] = JSON.stringify(result)
          return name === 'one' ? { ok: false } : undefined
        },
      },
    })
    const { browser } = await withFeatures({ one: feature('one'), two: feature('two') })
    const response = await browser().request('/ok')
    expect(order).toEqual(['one before', 'two before', 'one after', 'two after'])
    expect([response.headers.get('x-one'), response.headers.get('x-two')]).toEqual(['{"ok":true}', '{"ok":false}'])
  })

  test('see the input as sent, before it is validated, and may reject the call', async () => {
    const seen: unknown[] = []
    const before = (_: CallContext, { query, body }: { readonly query: () => unknown; readonly body: unknown }) => {
      seen.push(query(), body)
      throw new ApiError(errors.NOT_TODAY)
    }
    const { browser } = await withFeatures({ planted: { errors, before: { 'POST /sign-up/email': before } } })
    const response = await browser().request('/sign-up/email?a=1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":7}',
    })
    expect([response.status, response.body.code]).toEqual([403, 'NOT_TODAY'])
    expect(seen).toEqual([{ a: '1' }, { name: 7 }])
  })

  test('do not run after a call that failed', async () => {
    const ran: string[] = []
    const { browser } = await withFeatures({ planted: { after: { '*': (ctx) => void ran.push(ctx.request.path) } } })
    expect((await browser().call('POST /sign-in/email', { body: ann })).status).toBe(401)
    expect(ran).toEqual([])
  })
})

describe('a redirect that fails', () => {
  const follow = async (target?: string) => {
    const { browser } = await withRoutes({
      'GET /planted/follow': route({
        summary: 'x',
        access: anyone(),
        returns: z.never(),
        redirects: ['not_today'],
        handler: () => Promise.reject(new RedirectError(target, 'not_today')),
      }),
    })
    return browser().request('/planted/follow')
  }

  test('carries its code to the target', async () => {
    const response = await follow('/welcome?a=1')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/welcome?a=1&error=not_today'])
  })

  test('ends on the error page without a target', async () => {
    expect((await follow()).headers.get('location')).toBe('http://localhost:3000/api/auth/error?error=not_today')
  })
})

test('reports an error and a redirect that the route does not declare', async () => {
  const fails = (error: Error) =>
    route({
      summary: 'x',
      access: anyone(),
      returns: z.never(),
      errors: [errors.NOT_TODAY],
      handler: () => Promise.reject(error),
    })
  const { browser, undeclared } = await withRoutes(
    {
      'GET /planted/declared': fails(new ApiError(errors.NOT_TODAY)),
      'GET /planted/unlisted': fails(new ApiError(errors.UNLISTED)),
      'GET /planted/redirect': fails(new RedirectError('/', 'nowhere')),
    },
    { allowsUndeclaredErrors: true },
  )
  for (const path of ['declared', 'unlisted', 'redirect']) await browser().request(`/planted/${path}`)
  expect([...undeclared]).toEqual(['GET /planted/unlisted: UNLISTED', 'GET /planted/redirect: nowhere'])
})

test('accepts a post from another site only when the route declares it', async () => {
  const post = (origin?: 'cross-site') =>
    route({ summary: 'x', access: anyone(), ...(origin && { origin }), returns: done, handler: () => ({ done: true as const }) })
  const { browser } = await withRoutes({ 'POST /planted/callback': post('cross-site'), 'POST /planted/other': post() })
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://appleid.example',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'cross-site',
  }
  const send = async (path: string, body: string) => (await browser().request(path, { method: 'POST', headers, body })).status
  expect(await send('/planted/callback', 'state=1')).toBe(200)
  expect(await send('/planted/other', 'state=1')).toBe(403)
  expect(await send('/planted/callback', 'callbackURL=https://evil.test/')).toBe(403)
})

test('one route serves several methods, with the input of each', async () => {
  const callback = route({
    summary: 'x',
    access: anyone(),
    query: z.object({ state: z.string().optional() }),
    body: z.object({ state: z.string() }).optional(),
    returns: z.object({ state: z.string() }),
    handler: ({ query, body }) => ({ state: body?.state ?? query.state ?? '' }),
  })
  const { browser } = await withRoutes({ 'GET /planted/callback': callback, 'POST /planted/callback': callback })
  expect((await browser().request('/planted/callback?state=a')).body).toEqual({ state: 'a' })
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"state":"b"}' }
  expect((await browser().request('/planted/callback', posted)).body).toEqual({ state: 'b' })
})

describe('access', () => {
  const answer = { summary: 'x', returns: done, handler: () => ({ done: true as const }) }

  test('by permission considers the roles that all features grant', async () => {
    const routes = {
      'GET /planted/ban': route({ ...answer, access: permission({ user: ['ban'] }, errors.NOT_TODAY) }),
      'GET /planted/list': route({ ...answer, access: permission({ user: ['list'] }) }),
      'GET /planted/both': route({ ...answer, access: permission({ user: ['list', 'ban'] }) }),
    }
    let banning = false
    const { browser } = await withFeatures({
      planted: { routes, grants: () => [{ user: ['list'] }] },
      other: { grants: async () => (banning ? [{ user: ['ban'] }] : []) },
    })
    const visitor = await signedUp(browser)
    const call = async (path: string, by = visitor) => (await by.request(`/planted/${path}`)).body
    expect((await call('list', browser())).code).toBe('UNAUTHORIZED')
    expect(await call('list')).toEqual({ done: true })
    expect((await call('ban')).code).toBe('NOT_TODAY')
    banning = true
    expect(await call('ban')).toEqual({ done: true })
    expect(await call('both')).toEqual({ done: true })
  })

  test('a server call is unknown on the public listener', async () => {
    const routes = { 'GET /planted/internal': route({ ...answer, access: server() }) }
    const { browser } = await withRoutes(routes)
    const unknown = await browser().request('/planted/internal')
    expect([unknown.status, unknown.body]).toEqual([404, ''])
    const internal = await withRoutes(routes, { isPrivileged: true })
    expect((await internal.browser().request('/planted/internal')).body).toEqual({ done: true })
    expect((await internal.browser().request('/ok')).status).toBe(404)
  })

  test('a call of both listeners finds out on which one it is, and the private one has no limits of public clients', async () => {
    const seen: unknown[] = []
    const both = route({
      summary: 'x',
      access: anyone(),
      returns: done,
      alsoPrivileged: true,
      rateLimit: { window: 60, max: 1 },
      handler: ({ isPrivileged, actor }) => {
        seen.push([isPrivileged, actor.kind])
        return { done: true as const }
      },
    })
    const configured = { rateLimit: { enabled: true }, disabledPaths: ['/planted/disabled'] }
    const routes = { 'POST /planted/both': both, 'POST /planted/disabled': both }
    const statuses = async (isPrivileged: boolean) => {
      const { browser } = await testApp(configured, { features: { ...featureList, planted: { routes } }, isPrivileged })
      const headers = { origin: 'https://evil.example' }
      const send = (path: string, more = {}) =>
        browser()
          .request(path, { method: 'POST', ...more })
          .then(({ status }) => status)
      return [
        await send('/planted/both'),
        await send('/planted/both'),
        await send('/planted/both', { headers }),
        await send('/planted/disabled'),
      ]
    }
    expect(await statuses(false)).toEqual([200, 429, 429, 404])
    expect(await statuses(true)).toEqual([200, 200, 200, 200])
    expect(seen).toEqual([[false, 'anonymous'], ...Array(4).fill([true, 'operator'])])
  })

  test('a fresh session is required when the route declares it', async () => {
    const { browser, clock } = await withRoutes({ 'GET /planted/fresh': route({ ...answer, access: freshSession() }) })
    const visitor = await signedUp(browser)
    expect((await visitor.request('/planted/fresh')).status).toBe(200)
    clock.advance(86_401)
    expect((await visitor.request('/planted/fresh')).body.code).toBe('SESSION_IS_NOT_FRESH')
  })
})

test('the actor is anonymous until the user is verified', async () => {
  const actors: Actor[] = []
  const note = async (ctx: CallContext) => {
    actors.push(ctx.actor)
    return { done: true as const }
  }
  const { app, browser } = await withRoutes({
    'GET /planted/session': route({ summary: 'x', access: session(), returns: done, handler: note }),
    'GET /planted/public': route({ summary: 'x', access: anyone(), returns: done, handler: note }),
    'GET /planted/later': route({
      summary: 'x',
      access: anyone(),
      returns: done,
      handler: async (ctx) => {
        await ctx.identify()
        return note(ctx)
      },
    }),
  })
  const visitor = await signedUp(browser)
  for (const path of ['session', 'public', 'later']) await visitor.request(`/planted/${path}`)
  const row = await app.db.selectFrom('session').select(['id', 'userId']).executeTakeFirstOrThrow()
  const client = { ipAddress: '127.0.0.1', networkAddress: '127.0.0.1' }
  const user = { kind: 'user', userId: row.userId, credential: { kind: 'cookie', id: row.id }, ...client }
  expect(actors).toEqual([
    { ...user, requestId: expect.any(String) },
    { kind: 'anonymous', ...client, requestId: expect.any(String) },
    { ...user, requestId: expect.any(String) },
  ])
  expect(app.actor).toEqual({ kind: 'system' })
})

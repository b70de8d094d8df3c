/** A function of the configuration in place of the body of /get-session (contract 06 §17). */
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { signUp } from '../../../tests/kit/members.ts'
import type { ConfigFile } from '../index.ts'

type Custom = NonNullable<ConfigFile['customSession']>

async function withAnn(customSession: Custom, config: ConfigFile = {}) {
  const kit = await testApp({ customSession, ...config })
  const { browser: ann } = await signUp(kit, 'Ann')
  return { ...kit, ann, read: (query = {}) => ann.call('GET /get-session', { query }) }
}

test('is the body; without a session it is not called', async () => {
  const { read, browser } = await withAnn(async ({ user, session }) => ({ name: user.name, id: session.id, plan: 'pro' }))
  expect((await read()).body).toEqual({ name: 'Ann', id: expect.any(String), plan: 'pro' })
  expect((await browser().call('GET /get-session', {})).body).toBeNull()
})

test('gets session and user as they are returned without it, from rows and from the cached copy', async () => {
  const seen: object[] = []
  const keep: Custom = (current) => {
    seen.push(structuredClone(current))
    return current
  }
  const { read } = await withAnn(keep, { session: { cookieCache: { enabled: true } } })
  const { body } = await read()
  const copy = await read({ disableCookieCache: 'true' })
  const own = await read({ disableCustomSession: 'true' })
  expect([body, copy.body, own.body]).toEqual([seen[0], seen[1], seen[0]])
  expect(seen).toHaveLength(2)
  expect(Object.keys(body.user)).not.toContain('accessRevision')
  expect(Object.keys(body.session)).not.toContain('tokenHash')
})

test('keeps cookies and headers of the call', async () => {
  const { read, clock } = await withAnn(() => ({ own: true }), { bearer: true })
  clock.advance(86_400)
  const answer = await read()
  expect([answer.body, answer.setCookie.length, answer.headers.get('pragma')]).toEqual([{ own: true }, 1, 'no-cache'])
  expect(answer.headers.get('set-auth-token')).not.toBeNull()
})

test.each<[string, Custom]>([
  ['throws', () => Promise.reject(new Error('planted failure'))],
  ['returns no object', () => 'text' as never],
  ['returns nothing', () => undefined as never],
  ['returns a list', () => [] as never],
  ['returns what has no JSON form', () => ({ toJSON: () => 1n })],
])('fails with 500 and a request ID when it %s', async (_, customSession) => {
  const { read, log } = await withAnn(customSession)
  const answer = await read()
  expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
  const id = answer.headers.get('x-request-id')
  expect(log.some((line) => line.includes(`"${id}"`))).toBe(true)
  expect(JSON.stringify(answer.body)).not.toContain('planted')
})

test('the document of the API describes any object', async () => {
  const schemaOf = async (config: ConfigFile) => {
    const kit = await testApp({ openAPI: true, ...config })
    const { body } = await kit.browser().call('GET /open-api/generate-schema', {})
    return JSON.stringify(body.paths['/get-session'].get.responses['200'].content['application/json'].schema)
  }
  expect(await schemaOf({})).toContain('#/components/schemas/Session')
  expect(await schemaOf({ customSession: () => ({}) })).not.toContain('#/components/schemas/Session')
})

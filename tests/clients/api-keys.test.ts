/**
 * Every call of the published client's plugin for API keys, errors included, over a real socket. The newest one has its plugin in
 * another package, whose list has another shape; its client makes the same calls without it.
 */
import { apiKeyClient } from 'better-auth/client/plugins'
import { describe, expect, test } from 'vitest'
import { type Client, createClient, createCookieFetch, type Outcome, type Version, versions } from './published.ts'
import { serve } from './served.ts'

const password = 'correct horse battery'
const day = 86_400
const ok = (data: unknown) => ({ data, error: null })
const refused = (status: number, code: string, message: string) => ({
  data: null,
  error: expect.objectContaining({ status, code, message }),
})

describe.each(versions)('API keys with better-auth %s', (version: Version) => {
  async function arrive() {
    const served = await serve({ apiKey: { enableMetadata: true } })
    const plugins = version === 'newest' ? [] : [apiKeyClient()]
    const client = createClient(version, served.origin, { customFetchImpl: createCookieFetch() }, plugins)
    expect((await client.signUp?.email?.({ name: 'Ann', email: 'ann@example.com', password }))?.error).toBeNull()
    const anonymous = createClient(version, served.origin, {}, plugins)
    // Not the client itself: to `await` it would be a call named `then`.
    return { ...served, ann: { client }, anonymous: { client: anonymous } }
  }
  const call = ({ client }: { readonly client: Client }, name: string, input: object = {}) =>
    client.apiKey?.[name]?.({ ...input }) as Promise<Outcome>

  test('creates, gets, lists, updates and deletes a key', async () => {
    const { ann } = await arrive()
    const { data: created } = await call(ann, 'create', {
      ...{ name: 'CI', prefix: 'acme_', expiresIn: 30 * day, metadata: { plan: 'pro' } },
    })
    const { key, ...row } = created
    expect(key).toMatch(/^acme_[A-Za-z]{64}$/)
    expect(row).toMatchObject({ name: 'CI', prefix: 'acme_', start: key.slice(0, 6), metadata: { plan: 'pro' }, enabled: true })
    expect([row.createdAt, row.expiresAt]).toEqual([expect.any(Date), expect.any(Date)])
    expect(await call(ann, 'get', { query: { id: row.id } })).toEqual(ok(row))
    expect(await call(ann, 'list')).toEqual(ok([row]))
    const { data: updated } = await call(ann, 'update', { keyId: row.id, name: 'Deploy', enabled: false })
    expect(updated).toMatchObject({ id: row.id, name: 'Deploy', enabled: false, requestCount: 0 })
    expect(await call(ann, 'delete', { keyId: row.id })).toEqual(ok({ success: true }))
    expect(await call(ann, 'list')).toEqual(ok([]))
  })

  test('gets the errors of the contract', async () => {
    const { ann, anonymous } = await arrive()
    expect(await call(anonymous, 'create', { name: 'CI' })).toEqual(
      refused(401, 'UNAUTHORIZED_OR_INVALID_SESSION', 'Unauthorized or invalid session'),
    )
    expect(await call(ann, 'get', { query: { id: 'unknown' } })).toEqual(refused(404, 'API_KEY_NOT_FOUND', 'API Key not found'))
    expect(await call(ann, 'delete', { keyId: 'unknown' })).toEqual(refused(404, 'API_KEY_NOT_FOUND', 'API Key not found'))
    expect(await call(ann, 'create', { expiresIn: 60 })).toEqual(
      refused(
        400,
        'THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE',
        'The expiresIn is smaller than the predefined minimum value.',
      ),
    )
    expect((await call(ann, 'create', { remaining: 5 })).error?.status).toBe(400)
    // Calls for servers only.
    for (const name of ['verify', 'deleteAllExpiredApiKeys'])
      expect((await call(ann, name, { key: 'x' })).error?.status).toBe(404)
  })

  test('gets the session of a key', async () => {
    const { ann, origin } = await arrive()
    const { data: created } = await call(ann, 'create', { name: 'CI' })
    const client = createClient(version, origin, { headers: { 'x-api-key': created.key } })
    expect((await client.getSession?.())?.data).toMatchObject({
      user: { email: 'ann@example.com' },
      session: { id: created.id, token: created.start },
    })
    expect((await call(ann, 'list')).data).toMatchObject([{ requestCount: 1 }])
  })
})

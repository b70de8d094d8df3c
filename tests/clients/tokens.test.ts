/** JSON Web Tokens, custom sessions and the API reference through the published client, over a real socket. */
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { type Client, createClient, createCookieFetch, type Outcome, tokenPlugins, type Version, versions } from './published.ts'
import { serve } from './served.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

describe.each(versions)('better-auth %s', (version) => {
  async function arrive(config: Parameters<typeof serve>[0]) {
    const served = await serve(config)
    const open = () => {
      const fetchOptions = { customFetchImpl: createCookieFetch() }
      return createClient(version as Version, served.origin, fetchOptions, tokenPlugins(version as Version))
    }
    const client = open()
    expect((await client.signUp?.email?.(ann))?.error).toBeNull()
    // Not the client itself: to `await` it would be a call named `then`.
    return { ...served, open, ann: { client } }
  }

  const call = (client: Client, name: string, input: object = {}) => client[name]?.({ ...input }) as Promise<Outcome>

  test('gets a token that the published keys verify, and one with each session', async () => {
    const { ann, open, origin, app } = await arrive({ jwt: true })
    const { data } = await call(ann.client, 'token')
    const keys = (await call(open(), 'jwks')).data
    const verify = (token: string) =>
      jwtVerify(token, createLocalJWKSet(keys), { issuer: origin, audience: origin, currentDate: app.now() })
    expect((await verify(data.token)).payload).toMatchObject({ email: 'ann@example.com', name: 'Ann' })
    let header: string | null = null
    const onSuccess = ({ response }: { response: Response }) => {
      header = response.headers.get('set-auth-jwt')
    }
    const session = await call(ann.client, 'getSession', { fetchOptions: { onSuccess } })
    expect((await verify(String(header))).payload.sub).toBe(session.data.user.id)
    expect((await call(open(), 'token')).error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  })

  test('gets the members of a custom session', async () => {
    const { ann } = await arrive({ customSession: async ({ user, session }) => ({ user, session, plan: 'pro' }) })
    expect((await call(ann.client, 'getSession')).data).toMatchObject({ user: { name: 'Ann' }, plan: 'pro' })
  })

  test('gets the description of all calls', async () => {
    const { ann } = await arrive({ openAPI: true })
    const described = ann.client.openApi?.generateSchema?.() as Promise<Outcome>
    expect(Object.keys((await described).data.paths)).toContain('/sign-in/email')
  })
})

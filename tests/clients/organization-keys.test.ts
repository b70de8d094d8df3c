/** Keys of organizations and sets of keys, with the newest published client and its plugins, unmodified, over a real socket. */
import { expect, test } from 'vitest'
import { apiKeyClient, createAuthClient, organizationClient } from '../../tools/newest-client/index.ts'
import { type Client, createCookieFetch, type Outcome } from './published.ts'
import { serve } from './served.ts'

const password = 'correct horse battery'
const team = { configId: 'team', references: 'organization', defaultPrefix: 'org_', enableMetadata: true } as const
const code = ({ error }: Outcome) => `${error?.status} ${error?.code}`

async function arrive() {
  const { origin } = await serve({ organization: true, apiKey: { listAsObject: true, configurations: [team] } })
  const connect = async (name: string) => {
    const create: unknown = createAuthClient
    const options = {
      baseURL: origin,
      fetchOptions: { customFetchImpl: createCookieFetch() },
      plugins: [apiKeyClient(), organizationClient()],
    }
    const client = (create as (options: object) => Client)(options)
    await client.signUp?.email?.({ name, email: `${name.toLowerCase()}@example.com`, password })
    // Not the client itself: to `await` it would be a call named `then`.
    return (path: 'apiKey' | 'organization', call: string, input: object) =>
      client[path]?.[call]?.({ ...input }) as Promise<Outcome>
  }
  return { ann: await connect('Ann'), eve: await connect('Eve') }
}

test('creates, gets, lists, updates and deletes keys of an organization', async () => {
  const { ann, eve } = await arrive()
  const made = await ann('organization', 'create', { name: 'Acme', slug: 'acme' })
  const organizationId: string = made.data.id
  const created = await ann('apiKey', 'create', { configId: 'team', organizationId, name: 'CI', metadata: { plan: 'pro' } })
  const { key, ...row } = created.data
  expect(key).toMatch(/^org_[A-Za-z]{64}$/)
  expect(row).toMatchObject({ configId: 'team', referenceId: organizationId, name: 'CI', metadata: { plan: 'pro' } })
  expect((await ann('apiKey', 'get', { query: { id: row.id, configId: 'team' } })).data).toEqual(row)
  const second = (await ann('apiKey', 'create', { configId: 'team', organizationId, name: 'Deploy' })).data
  const listed = { query: { organizationId, configId: 'team', sortBy: 'name', sortDirection: 'desc', limit: 1, offset: 1 } }
  expect((await ann('apiKey', 'list', listed)).data).toEqual({ apiKeys: [row], total: 2, limit: 1, offset: 1 })
  expect((await ann('apiKey', 'list', {})).data).toEqual({ apiKeys: [], total: 0 })
  const renamed = await ann('apiKey', 'update', { keyId: row.id, configId: 'team', name: 'Build' })
  expect(renamed.data).toMatchObject({ id: row.id, name: 'Build', configId: 'team', referenceId: organizationId })
  expect((await ann('apiKey', 'delete', { keyId: second.id, configId: 'team' })).data).toEqual({ success: true })
  expect(code(await ann('apiKey', 'create', { configId: 'team' }))).toBe('400 ORGANIZATION_ID_REQUIRED')
  expect(code(await ann('apiKey', 'delete', { keyId: row.id }))).toBe('404 API_KEY_NOT_FOUND')
  expect(code(await eve('apiKey', 'list', { query: { organizationId } }))).toBe('403 USER_NOT_MEMBER_OF_ORGANIZATION')
  expect(code(await eve('apiKey', 'delete', { keyId: row.id, configId: 'team' }))).toBe('403 USER_NOT_MEMBER_OF_ORGANIZATION')
})

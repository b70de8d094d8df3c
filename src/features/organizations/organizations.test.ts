import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'

const password = 'correct horse battery'

/** An app with organizations, and a function that signs users up. */
async function withOrganizations(organization: object = {}) {
  const kit = await testApp({ organization: { enabled: true, ...organization } })
  const signUp = async (name: string) => {
    const browser = kit.browser()
    await browser.call('POST /sign-up/email', { body: { name, email: `${name.toLowerCase()}@example.com`, password } })
    return browser
  }
  return { ...kit, signUp }
}

describe('the active organization', () => {
  test('is the one that was created last, unless the call keeps the former', async () => {
    const { signUp } = await withOrganizations()
    const ann = await signUp('Ann')
    const active = async () => (await ann.call('GET /get-session', {})).body.session.activeOrganizationId
    expect(await active()).toBeNull()
    const acme = (await ann.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })).body
    expect(acme).toMatchObject({ name: 'Acme', slug: 'acme', logo: null, members: [{ role: 'owner' }] })
    expect(acme).not.toHaveProperty('metadata')
    expect(await active()).toBe(acme.id)
    const body = { name: 'Beta', slug: 'beta', metadata: { b: 1, a: 2 }, keepCurrentActiveOrganization: true }
    expect((await ann.call('POST /organization/create', { body })).body.metadata).toEqual({ b: 1, a: 2 })
    expect(await active()).toBe(acme.id)
    const list = (await ann.call('GET /organization/list', {})).body
    const metadata = list.map((one: { slug: string; metadata: unknown }) => [one.slug, one.metadata])
    expect(Object.fromEntries(metadata)).toEqual({ acme: null, beta: '{"b":1,"a":2}' })
    const full = (await ann.call('GET /organization/get-full-organization', {})).body
    expect(full).toMatchObject({ slug: 'acme', members: [{ user: { name: 'Ann' } }], invitations: [], teams: null })
  })
})

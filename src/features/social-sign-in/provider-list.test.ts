import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { seed, setUserRole } from '../roles/index.ts'

const keys = { clientId: 'an-id', clientSecret: 'a-secret' }
const password = 'correct horse battery'

/** Ann with a role of these permissions, and what she gets. */
async function withRole(permissions: Record<string, string[]>, config = {}) {
  const kit = await testApp({ seed: { roles: { operator: permissions } }, ...config })
  await seed(kit.app, { dryRun: false, prune: false, readSecret: () => undefined })
  const ann = kit.browser()
  const { body } = await ann.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
  await setUserRole(kit.app, body.user.id, 'operator')
  return { ...kit, ann }
}

describe('GET /admin/social-providers', () => {
  test('lists each provider with what it is granted, in the order of the configuration', async () => {
    const { ann } = await withRole(
      { provider: ['list'] },
      {
        socialProviders: { github: { ...keys, scope: ['repo'], disableImplicitSignUp: true } },
        genericOAuth: {
          config: [
            {
              ...keys,
              providerId: 'acme-id',
              name: 'Acme ID',
              discoveryUrl: 'https://id.acme.test/.well-known/openid-configuration',
              scopes: ['openid', 'email', 'billing'],
            },
          ],
        },
        account: { accountLinking: { trustedProviders: ['acme-id'] } },
      },
    )
    const { status, body } = await ann.call('GET /admin/social-providers', {})
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: 'github',
        name: 'GitHub',
        signUp: 'requested',
        redirectURI: 'http://localhost:3000/api/auth/callback/github',
        scopes: [
          { name: 'read:user', grants: 'Read the profile' },
          { name: 'user:email', grants: 'Read the email addresses' },
          { name: 'repo', grants: null },
        ],
        linking: 'verified',
        usesPKCE: true,
        canRefresh: true,
        idTokenSignIn: false,
      },
      {
        id: 'acme-id',
        name: 'Acme ID',
        signUp: 'always',
        redirectURI: 'http://localhost:3000/api/auth/oauth2/callback/acme-id',
        scopes: [
          { name: 'openid', grants: 'Identify the user' },
          { name: 'email', grants: 'Read the email address' },
          { name: 'billing', grants: null },
        ],
        linking: 'always',
        usesPKCE: false,
        canRefresh: true,
        idTokenSignIn: false,
      },
    ])
    expect(JSON.stringify(body)).not.toContain(keys.clientSecret)
  })

  test('says that accounts are never linked', async () => {
    const account = { accountLinking: { enabled: false, trustedProviders: ['github'] } }
    const { ann } = await withRole({ provider: ['list'] }, { socialProviders: { github: keys }, account })
    expect((await ann.call('GET /admin/social-providers', {})).body).toMatchObject([{ id: 'github', linking: 'never' }])
  })

  test('is only for users whose role permits it', async () => {
    const { ann } = await withRole({ user: ['list'] }, { socialProviders: { github: keys } })
    const { status, body } = await ann.call('GET /admin/social-providers', {})
    expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
  })
})

describe('GET /list-permissions', () => {
  test('returns what the roles of the current user permit', async () => {
    const { ann } = await withRole({ provider: ['list'], user: ['list', 'ban'] })
    expect((await ann.call('GET /list-permissions', {})).body).toEqual([{ provider: ['list'], user: ['list', 'ban'] }])
  })

  test('is empty for a user without a role', async () => {
    const visitor = (await testApp()).browser()
    await visitor.call('POST /sign-up/email', { body: { name: 'Bob', email: 'bob@example.com', password } })
    expect((await visitor.call('GET /list-permissions', {})).body).toEqual([])
  })
})

test('public settings say whether a sign-in with each provider creates a user', async () => {
  const { browser } = await testApp({
    socialProviders: { github: { ...keys, disableSignUp: true }, google: { ...keys, disableImplicitSignUp: true } },
  })
  const { body } = await browser().call('GET /public-settings', {})
  expect(body.socialProviders).toEqual([
    { id: 'github', name: 'GitHub', signUp: 'never' },
    { id: 'google', name: 'Google', signUp: 'requested' },
  ])
})

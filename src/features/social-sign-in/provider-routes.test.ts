import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

/** Ann with a password and a linked account whose provider is not configured, and Bob with the same id at another provider. */
async function createAccounts(config = {}) {
  const kit = await testApp(config)
  const join = async (person: typeof ann, accounts: readonly { id: string; providerId: string; accountId: string }[]) => {
    const visitor = kit.browser()
    const { body } = await visitor.call('POST /sign-up/email', { body: person })
    const userId: string = body.user.id
    const now = kit.clock.now()
    for (const account of accounts)
      await kit.app.db
        .insertInto('account')
        .values({ ...account, userId, createdAt: now, updatedAt: now })
        .execute()
    return { visitor, userId }
  }
  const bob = { ...ann, email: 'bob@example.com' }
  const other = await join(bob, [{ id: 'row-of-bob', providerId: 'gitlab', accountId: '7' }])
  return { ...kit, ...(await join(ann, [{ id: 'row-of-ann', providerId: 'github', accountId: '7' }])), other }
}

const post = (browser: Browser, path: string, body: unknown, headers = {}) =>
  browser.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const responseOf = async (response: ReturnType<Browser['request']>) => {
  const { status, statusText, body } = await response
  return [status, statusText, body]
}

const invalid = [
  400,
  '400',
  { code: 'VALIDATION_ERROR', message: 'Invalid body parameters', details: { parameters: expect.any(Array) } },
]
const unauthorized = [401, 'UNAUTHORIZED', { code: 'UNAUTHORIZED', message: 'Unauthorized' }]
const notFound = [404, 'NOT_FOUND', { code: 'PROVIDER_NOT_FOUND', message: 'Provider not found' }]
const accountNotFound = [400, 'BAD_REQUEST', { code: 'ACCOUNT_NOT_FOUND', message: 'Account not found' }]
const notSupported = (code: string, id: string) => [400, 'BAD_REQUEST', { code, message: `Provider ${id} is not supported.` }]
const notConfigured = (code: string, id: string) => [
  500,
  'INTERNAL_SERVER_ERROR',
  { code, message: `Provider account provider is ${id} but it is not configured` },
]

describe.each(['/sign-in/social', '/link-social'])('POST %s', (path) => {
  test.each(['github', 'credential', '', 'é😀\0', 'x'.repeat(300)])('rejects the unknown provider %j', async (provider) => {
    const { visitor } = await createAccounts()
    const everything = {
      provider,
      callbackURL: '/dash',
      errorCallbackURL: 'http://localhost:3000/oops',
      requestSignUp: true,
      scopes: ['repo'],
      idToken: { token: 'x', nonce: 'x', accessToken: 'x', refreshToken: 'x' },
    }
    for (const body of [{ provider }, everything]) expect(await responseOf(post(visitor, path, body))).toEqual(notFound)
  })

  test('accepts and ignores members that later clients send', async () => {
    const { visitor } = await createAccounts()
    const later = { additionalData: { a: 1 }, idToken: { token: 'x', user: { name: { firstName: 'Ann' } } }, oauthPopup: 7 }
    expect(await responseOf(post(visitor, path, { provider: 'github', ...later }))).toEqual(notFound)
  })

  test.each([
    undefined,
    [],
    {},
    { provider: 7 },
    { provider: null },
    { callbackURL: null },
    { errorCallbackURL: 0 },
    { callbackURL: `/${'x'.repeat(2048)}` },
    { requestSignUp: 'true' },
    { scopes: 'repo' },
    { scopes: [7] },
    { idToken: 'x' },
    { idToken: {} },
    { idToken: { token: 7 } },
    { idToken: { token: 'x', nonce: 7 } },
    { idToken: { token: 'x', accessToken: 7 } },
    { idToken: { token: 'x', refreshToken: null } },
  ])('rejects an invalid body before anything else: %j', async (body) => {
    const { browser, visitor } = await createAccounts()
    const isWhole = body === undefined || Array.isArray(body) || Object.keys(body).length === 0
    const sent = isWhole ? body : { provider: 'github', ...body }
    for (const caller of [visitor, browser()]) expect(await responseOf(post(caller, path, sent))).toEqual(invalid)
  })

  test.each([
    [{ callbackURL: 'https://evil.test' }, 'INVALID_CALLBACKURL', 'Invalid callbackURL'],
    [{ errorCallbackURL: '//evil.test' }, 'INVALID_ERRORCALLBACKURL', 'Invalid errorCallbackURL'],
    [{ newUserCallbackURL: 'evil.test' }, 'INVALID_NEWUSERCALLBACKURL', 'Invalid newUserCallbackURL'],
  ])('rejects an untrusted redirect target: %j', async (target, code, message) => {
    const { visitor } = await createAccounts()
    expect(await responseOf(post(visitor, path, { provider: 7, ...target }))).toEqual([403, 'FORBIDDEN', { code, message }])
  })

  test('rejects a request from another site', async () => {
    const { visitor } = await createAccounts()
    const response = await post(visitor, path, { provider: 'github' }, { origin: 'https://evil.test' })
    expect([response.status, response.body.code]).toEqual([403, 'INVALID_ORIGIN'])
  })
})

test('POST /sign-in/social requires no session and creates none', async () => {
  const { browser } = await createAccounts()
  const response = await post(browser(), '/sign-in/social', { provider: 'github' })
  expect([response.status, response.setCookie]).toEqual([404, []])
})

test.each([
  { newUserCallbackURL: null },
  { disableRedirect: 'yes' },
  { loginHint: 7 },
  { idToken: { token: 'x', expiresAt: '7' } },
])('POST /sign-in/social rejects invalid members of its own: %j', async (body) => {
  const { browser } = await createAccounts()
  expect(await responseOf(post(browser(), '/sign-in/social', { provider: 'github', ...body }))).toEqual(invalid)
})

test('POST /link-social rejects scopes of an id token that are not a list of strings', async () => {
  const { visitor } = await createAccounts()
  const idToken = { token: 'x', scopes: 'repo' }
  expect(await responseOf(post(visitor, '/link-social', { provider: 'github', idToken }))).toEqual(invalid)
})

test('POST /link-social requires a session, checked before the provider', async () => {
  const { browser } = await createAccounts()
  expect(await responseOf(post(browser(), '/link-social', { provider: 'github' }))).toEqual(unauthorized)
})

describe('calls of generic providers', () => {
  const acme = {
    providerId: 'acme',
    clientId: 'id',
    clientSecret: 'secret',
    authorizationUrl: 'https://acme.example/authorize',
    tokenUrl: 'https://acme.example/token',
  }
  const github = { clientId: 'id', clientSecret: 'secret' }
  const config = { genericOAuth: { config: [acme] }, socialProviders: { github } }
  const noConfig = (id: string) => [
    400,
    'BAD_REQUEST',
    { code: `NO_CONFIG_FOUND_FOR_PROVIDER_${id.toUpperCase()}`, message: `No config found for provider ${id}` },
  ]

  test.each(['unknown', 'github', ''])('know generic providers only: %j', async (providerId) => {
    const { visitor } = await createAccounts(config)
    expect(await responseOf(post(visitor, '/sign-in/oauth2', { providerId }))).toEqual(noConfig(providerId))
    expect(await responseOf(post(visitor, '/oauth2/link', { providerId, callbackURL: '/' }))).toEqual(notFound)
  })

  test('/oauth2/link requires a session and a callbackURL, in the order of every call', async () => {
    const { browser, visitor } = await createAccounts(config)
    for (const caller of [visitor, browser()])
      expect(await responseOf(post(caller, '/oauth2/link', { providerId: 'acme' }))).toEqual(invalid)
    expect(await responseOf(post(browser(), '/oauth2/link', { providerId: 'acme', callbackURL: '/' }))).toEqual(unauthorized)
  })

  test.each([{ providerId: 7 }, { scopes: 'a' }, { requestSignUp: 1 }, { providerId: 'x'.repeat(65) }])(
    '/sign-in/oauth2 rejects an invalid body: %j',
    async (body) => {
      const { browser } = await createAccounts(config)
      expect(await responseOf(post(browser(), '/sign-in/oauth2', { providerId: 'acme', ...body }))).toEqual(invalid)
    },
  )

  test.each(['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'])('reject an untrusted %s', async (name) => {
    const { visitor } = await createAccounts(config)
    for (const path of ['/sign-in/oauth2', '/oauth2/link', '/sign-in/social'])
      expect((await post(visitor, path, { providerId: 'acme', [name]: 'https://evil.test' })).body.code).toBe(
        `INVALID_${name.toUpperCase()}`,
      )
  })

  test('start at the generic callback path also by /sign-in/social and /link-social', async () => {
    const { visitor } = await createAccounts(config)
    const starts = [
      ['/sign-in/oauth2', { providerId: 'acme' }],
      ['/oauth2/link', { providerId: 'acme', callbackURL: '/' }],
      ['/sign-in/social', { provider: 'acme' }],
      ['/link-social', { provider: 'acme' }],
    ] as const
    for (const [path, body] of starts) {
      const url = new URL((await post(visitor, path, body)).body.url)
      expect(url.searchParams.get('redirect_uri')).toBe('http://localhost:3000/api/auth/oauth2/callback/acme')
    }
    const url = new URL((await post(visitor, '/sign-in/social', { provider: 'github' })).body.url)
    expect(url.searchParams.get('redirect_uri')).toBe('http://localhost:3000/api/auth/callback/github')
  })

  test('do not exist without genericOAuth', async () => {
    const { visitor } = await createAccounts()
    for (const path of ['/sign-in/oauth2', '/oauth2/link', '/oauth2/callback/acme'])
      expect((await post(visitor, path, { providerId: 'acme', callbackURL: '/' })).status).toBe(404)
  })
})

describe.each(['/get-access-token', '/refresh-token'])('POST %s', (path) => {
  test.each([
    ['github', 'PROVIDER_GITHUB_IS_NOT_SUPPORTED'],
    ['credential', 'PROVIDER_CREDENTIAL_IS_NOT_SUPPORTED'],
    ['My provider, 2.', 'PROVIDER_MY_PROVIDER_2_IS_NOT_SUPPORTED'],
    ['', 'PROVIDER__IS_NOT_SUPPORTED'],
  ])('rejects every provider and names it: %j', async (providerId, code) => {
    const { visitor } = await createAccounts()
    for (const more of [{}, { accountId: 'row-of-ann' }, { accountId: 'unknown' }, { accountId: '' }])
      expect(await responseOf(post(visitor, path, { providerId, ...more }))).toEqual(notSupported(code, providerId))
  })

  test('finds the provider of an account by the row id, as later clients send it', async () => {
    const { visitor } = await createAccounts()
    expect(await responseOf(post(visitor, path, { accountId: 'row-of-ann' }))).toEqual(
      notSupported('PROVIDER_GITHUB_IS_NOT_SUPPORTED', 'github'),
    )
    const [{ id }] = (await visitor.call('GET /list-accounts', {})).body
    expect(await responseOf(post(visitor, path, { accountId: id }))).toEqual(
      notSupported('PROVIDER_CREDENTIAL_IS_NOT_SUPPORTED', 'credential'),
    )
  })

  test.each(['unknown', 'row-of-bob', '7', '', 'é😀\0'])(
    'finds no account of the current user in the row %j',
    async (accountId) => {
      const { visitor } = await createAccounts()
      expect(await responseOf(post(visitor, path, { accountId }))).toEqual(accountNotFound)
    },
  )

  test('does not act for another user', async () => {
    const { browser, visitor, other } = await createAccounts()
    const { userId } = other
    expect(await responseOf(post(visitor, path, { accountId: 'row-of-bob', userId }))).toEqual(accountNotFound)
    expect(await responseOf(post(browser(), path, { providerId: 'gitlab', userId }))).toEqual(unauthorized)
    expect(await responseOf(post(browser(), path, { accountId: 'row-of-bob', userId }))).toEqual(unauthorized)
  })

  test.each([
    undefined,
    {},
    { userId: 'x' },
    { providerId: 7 },
    { providerId: null, accountId: 'row-of-ann' },
    { providerId: 'github', accountId: 7 },
    { providerId: 'github', userId: 7 },
    { providerId: 'x'.repeat(65) },
    { useAccountCookie: true },
  ])('rejects an invalid body before anything else: %j', async (body) => {
    const { browser, visitor } = await createAccounts()
    for (const caller of [visitor, browser()]) expect(await responseOf(post(caller, path, body))).toEqual(invalid)
  })
})

describe('/account-info', () => {
  const ofGitHub = notConfigured('PROVIDER_ACCOUNT_PROVIDER_IS_GITHUB_BUT_IT_IS_NOT_CONFIGURED', 'github')
  const ofPassword = notConfigured('PROVIDER_ACCOUNT_PROVIDER_IS_CREDENTIAL_BUT_IT_IS_NOT_CONFIGURED', 'credential')
  const get = (browser: Browser, accountId: string) => browser.request(`/account-info?${new URLSearchParams({ accountId })}`)

  test('finds the account by its ID at the provider when another user has the same id elsewhere', async () => {
    const { visitor, other } = await createAccounts()
    expect(await responseOf(post(visitor, '/account-info', { accountId: '7' }))).toEqual(ofGitHub)
    expect(await responseOf(post(other.visitor, '/account-info', { accountId: '7' }))).toEqual(
      notConfigured('PROVIDER_ACCOUNT_PROVIDER_IS_GITLAB_BUT_IT_IS_NOT_CONFIGURED', 'gitlab'),
    )
  })

  test('finds it by the row id, as later clients send it', async () => {
    const { visitor } = await createAccounts()
    expect(await responseOf(get(visitor, 'row-of-ann'))).toEqual(ofGitHub)
  })

  test('rejects a credential account, which has no provider', async () => {
    const { visitor, userId } = await createAccounts()
    expect(await responseOf(post(visitor, '/account-info', { accountId: userId }))).toEqual(ofPassword)
    const [{ id }] = (await visitor.call('GET /list-accounts', {})).body
    expect(await responseOf(get(visitor, id))).toEqual(ofPassword)
  })

  test('returns no account of another user, and each form accepts only its own ID', async () => {
    const { visitor, other } = await createAccounts()
    for (const accountId of ['unknown', 'row-of-ann', 'row-of-bob', other.userId, '', 'é😀\0'])
      expect(await responseOf(post(visitor, '/account-info', { accountId }))).toEqual(accountNotFound)
    for (const accountId of ['unknown', '7', 'row-of-bob', '', 'é😀\0'])
      expect(await responseOf(get(visitor, accountId))).toEqual(accountNotFound)
  })

  test('requires a session', async () => {
    const { browser } = await createAccounts()
    expect(await responseOf(post(browser(), '/account-info', { accountId: '7' }))).toEqual(unauthorized)
    expect(await responseOf(get(browser(), 'row-of-ann'))).toEqual(unauthorized)
  })

  test('requires an id', async () => {
    const { browser, visitor } = await createAccounts()
    for (const caller of [visitor, browser()]) {
      for (const body of [undefined, {}, { accountId: 7 }, { accountId: null }])
        expect(await responseOf(post(caller, '/account-info', body))).toEqual(invalid)
      for (const query of ['', '?accountId=a&accountId=b', '?useAccountCookie=true'])
        expect(await responseOf(caller.request(`/account-info${query}`))).toEqual([
          400,
          '400',
          { code: 'VALIDATION_ERROR', message: 'Invalid query parameters', details: { parameters: expect.any(Array) } },
        ])
    }
  })

  test('responds with the declared error when the provider is not configured, and counts no unexpected one', async () => {
    const { counted, log, visitor } = await createAccounts()
    await post(visitor, '/account-info', { accountId: '7' })
    await get(visitor, 'row-of-ann')
    expect(counted).not.toContain('unexpected_error')
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([])
    expect(log.filter((line) => line.includes('/account-info') && line.includes('Call failed'))).toHaveLength(2)
  })
})

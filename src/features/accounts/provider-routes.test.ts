import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

/** Ann with a password, an account of a provider that is not configured, and somebody else with the same two ids of it. */
async function arrive(config = {}) {
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
const told = async (answer: ReturnType<Browser['request']>) => {
  const { status, statusText, body } = await answer
  return [status, statusText, body]
}

const invalid = [400, '400', { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }]
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
  test.each(['github', 'credential', '', 'é😀\0', 'x'.repeat(300)])('knows no provider %j', async (provider) => {
    const { visitor } = await arrive()
    const everything = {
      provider,
      callbackURL: '/dash',
      errorCallbackURL: 'http://localhost:3000/oops',
      requestSignUp: true,
      scopes: ['repo'],
      idToken: { token: 'x', nonce: 'x', accessToken: 'x', refreshToken: 'x' },
    }
    for (const body of [{ provider }, everything]) expect(await told(post(visitor, path, body))).toEqual(notFound)
  })

  test('lets pass what later clients send, and does not look at it', async () => {
    const { visitor } = await arrive()
    const later = { additionalData: { a: 1 }, idToken: { token: 'x', user: { name: { firstName: 'Ann' } } }, oauthPopup: 7 }
    expect(await told(post(visitor, path, { provider: 'github', ...later }))).toEqual(notFound)
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
  ])('refuses a body of the wrong shape before anything else: %j', async (body) => {
    const { browser, visitor } = await arrive()
    const isWhole = body === undefined || Array.isArray(body) || Object.keys(body).length === 0
    const sent = isWhole ? body : { provider: 'github', ...body }
    for (const caller of [visitor, browser()]) expect(await told(post(caller, path, sent))).toEqual(invalid)
  })

  test.each([
    [{ callbackURL: 'https://evil.test' }, 'INVALID_CALLBACKURL', 'Invalid callbackURL'],
    [{ errorCallbackURL: '//evil.test' }, 'INVALID_ERRORCALLBACKURL', 'Invalid errorCallbackURL'],
    [{ newUserCallbackURL: 'evil.test' }, 'INVALID_NEWUSERCALLBACKURL', 'Invalid newUserCallbackURL'],
  ])('leads nowhere that is not trusted: %j', async (target, code, message) => {
    const { visitor } = await arrive()
    expect(await told(post(visitor, path, { provider: 7, ...target }))).toEqual([403, 'FORBIDDEN', { code, message }])
  })

  test('does not take a call from another site', async () => {
    const { visitor } = await arrive()
    const answer = await post(visitor, path, { provider: 'github' }, { origin: 'https://evil.test' })
    expect([answer.status, answer.body.code]).toEqual([403, 'INVALID_ORIGIN'])
  })
})

test('POST /sign-in/social needs no session, and gives none', async () => {
  const { browser } = await arrive()
  const answer = await post(browser(), '/sign-in/social', { provider: 'github' })
  expect([answer.status, answer.setCookie]).toEqual([404, []])
})

test.each([
  { newUserCallbackURL: null },
  { disableRedirect: 'yes' },
  { loginHint: 7 },
  { idToken: { token: 'x', expiresAt: '7' } },
])('POST /sign-in/social refuses members of its own that are of the wrong shape: %j', async (body) => {
  const { browser } = await arrive()
  expect(await told(post(browser(), '/sign-in/social', { provider: 'github', ...body }))).toEqual(invalid)
})

test('POST /link-social refuses scopes of an id token that are no list of texts', async () => {
  const { visitor } = await arrive()
  const idToken = { token: 'x', scopes: 'repo' }
  expect(await told(post(visitor, '/link-social', { provider: 'github', idToken }))).toEqual(invalid)
})

test('POST /link-social needs a session, and says so before it looks for the provider', async () => {
  const { browser } = await arrive()
  expect(await told(post(browser(), '/link-social', { provider: 'github' }))).toEqual(unauthorized)
})

describe.each(['/get-access-token', '/refresh-token'])('POST %s', (path) => {
  test.each([
    ['github', 'PROVIDER_GITHUB_IS_NOT_SUPPORTED'],
    ['credential', 'PROVIDER_CREDENTIAL_IS_NOT_SUPPORTED'],
    ['My provider, 2.', 'PROVIDER_MY_PROVIDER_2_IS_NOT_SUPPORTED'],
    ['', 'PROVIDER__IS_NOT_SUPPORTED'],
  ])('refuses every provider, and names it: %j', async (providerId, code) => {
    const { visitor } = await arrive()
    for (const more of [{}, { accountId: 'row-of-ann' }, { accountId: 'unknown' }, { accountId: '' }])
      expect(await told(post(visitor, path, { providerId, ...more }))).toEqual(notSupported(code, providerId))
  })

  test('finds the provider of an account by the row, as later clients name it', async () => {
    const { visitor } = await arrive()
    expect(await told(post(visitor, path, { accountId: 'row-of-ann' }))).toEqual(
      notSupported('PROVIDER_GITHUB_IS_NOT_SUPPORTED', 'github'),
    )
    const [{ id }] = (await visitor.call('GET /list-accounts', {})).body
    expect(await told(post(visitor, path, { accountId: id }))).toEqual(
      notSupported('PROVIDER_CREDENTIAL_IS_NOT_SUPPORTED', 'credential'),
    )
  })

  test.each(['unknown', 'row-of-bob', '7', '', 'é😀\0'])('finds no account of the caller in the row %j', async (accountId) => {
    const { visitor } = await arrive()
    expect(await told(post(visitor, path, { accountId }))).toEqual(accountNotFound)
  })

  test('does not act for somebody else', async () => {
    const { browser, visitor, other } = await arrive()
    const { userId } = other
    expect(await told(post(visitor, path, { accountId: 'row-of-bob', userId }))).toEqual(accountNotFound)
    expect(await told(post(browser(), path, { providerId: 'gitlab', userId }))).toEqual(unauthorized)
    expect(await told(post(browser(), path, { accountId: 'row-of-bob', userId }))).toEqual(unauthorized)
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
  ])('refuses a body of the wrong shape before anything else: %j', async (body) => {
    const { browser, visitor } = await arrive()
    for (const caller of [visitor, browser()]) expect(await told(post(caller, path, body))).toEqual(invalid)
  })
})

describe('/account-info', () => {
  const ofGitHub = notConfigured('PROVIDER_ACCOUNT_PROVIDER_IS_GITHUB_BUT_IT_IS_NOT_CONFIGURED', 'github')
  const ofPassword = notConfigured('PROVIDER_ACCOUNT_PROVIDER_IS_CREDENTIAL_BUT_IT_IS_NOT_CONFIGURED', 'credential')
  const get = (browser: Browser, accountId: string) => browser.request(`/account-info?${new URLSearchParams({ accountId })}`)

  test('finds the caller’s account by the provider’s id of it, though somebody else has the same elsewhere', async () => {
    const { visitor, other } = await arrive()
    expect(await told(post(visitor, '/account-info', { accountId: '7' }))).toEqual(ofGitHub)
    expect(await told(post(other.visitor, '/account-info', { accountId: '7' }))).toEqual(
      notConfigured('PROVIDER_ACCOUNT_PROVIDER_IS_GITLAB_BUT_IT_IS_NOT_CONFIGURED', 'gitlab'),
    )
  })

  test('finds it by the row, when it is asked as later clients do', async () => {
    const { visitor } = await arrive()
    expect(await told(get(visitor, 'row-of-ann'))).toEqual(ofGitHub)
  })

  test('of a password is of no provider either', async () => {
    const { visitor, userId } = await arrive()
    expect(await told(post(visitor, '/account-info', { accountId: userId }))).toEqual(ofPassword)
    const [{ id }] = (await visitor.call('GET /list-accounts', {})).body
    expect(await told(get(visitor, id))).toEqual(ofPassword)
  })

  test('shows nobody else’s, and each way asks for its own id', async () => {
    const { visitor, other } = await arrive()
    for (const accountId of ['unknown', 'row-of-ann', 'row-of-bob', other.userId, '', 'é😀\0'])
      expect(await told(post(visitor, '/account-info', { accountId }))).toEqual(accountNotFound)
    for (const accountId of ['unknown', '7', 'row-of-bob', '', 'é😀\0'])
      expect(await told(get(visitor, accountId))).toEqual(accountNotFound)
  })

  test('needs a session', async () => {
    const { browser } = await arrive()
    expect(await told(post(browser(), '/account-info', { accountId: '7' }))).toEqual(unauthorized)
    expect(await told(get(browser(), 'row-of-ann'))).toEqual(unauthorized)
  })

  test('needs one id', async () => {
    const { browser, visitor } = await arrive()
    for (const caller of [visitor, browser()]) {
      for (const body of [undefined, {}, { accountId: 7 }, { accountId: null }])
        expect(await told(post(caller, '/account-info', body))).toEqual(invalid)
      for (const query of ['', '?accountId=a&accountId=b', '?useAccountCookie=true'])
        expect(await told(caller.request(`/account-info${query}`))).toEqual([
          400,
          '400',
          { code: 'VALIDATION_ERROR', message: 'Invalid query parameters' },
        ])
    }
  })

  test('whose provider is not configured is a failure that was foreseen, and no alarm', async () => {
    const { counted, log, visitor } = await arrive()
    await post(visitor, '/account-info', { accountId: '7' })
    await get(visitor, 'row-of-ann')
    expect(counted).not.toContain('unexpected_error')
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([])
    expect(log.filter((line) => line.includes('/account-info') && line.includes('Call refused'))).toHaveLength(2)
  })
})

import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

/** Ann with a password and these accounts of providers. */
async function withAccounts(accounts: readonly { providerId: string; accountId: string; scope?: string }[], config = {}) {
  const kit = await testApp(config)
  const visitor = kit.browser()
  const { body } = await visitor.call('POST /sign-up/email', { body: ann })
  const userId: string = body.user.id
  for (const [position, account] of accounts.entries()) {
    const at = new Date(kit.clock.now().getTime() + (position + 1) * 1000)
    const row = { id: `row-${account.providerId}-${account.accountId}`, userId, createdAt: at, updatedAt: at, ...account }
    await kit.app.db.insertInto('account').values(row).execute()
  }
  return { ...kit, visitor, userId }
}

const unlink = (browser: Browser, body: { providerId: string; accountId?: string } | { accountId: string }) =>
  browser.call('POST /unlink-account', { body })
const providers = async (browser: Browser) =>
  (await browser.call('GET /list-accounts', {})).body.map(({ provider }: { provider: string }) => provider)
const github = { providerId: 'github', accountId: '7' }

describe('GET /list-accounts', () => {
  test('lists every account of the current user, oldest first, without secrets', async () => {
    const { clock, userId, visitor } = await withAccounts([{ ...github, scope: 'user:email,read:user' }])
    const now = clock.now().getTime()
    const [first, second] = [new Date(now).toISOString(), new Date(now + 1000).toISOString()]
    const response = await visitor.call('GET /list-accounts', {})
    expect(response.status).toBe(200)
    expect(response.body).toEqual([
      {
        id: expect.stringMatching(/^[a-zA-Z0-9]{32}$/),
        provider: 'credential',
        providerId: 'credential',
        userId,
        accountId: userId,
        scopes: [],
        createdAt: first,
        updatedAt: first,
      },
      {
        id: 'row-github-7',
        provider: 'github',
        providerId: 'github',
        userId,
        accountId: '7',
        scopes: ['user:email', 'read:user'],
        createdAt: second,
        updatedAt: second,
      },
    ])
  })

  test('lists no accounts of other users, and has no limit', async () => {
    const many = Array.from({ length: 250 }, (_, count) => ({ providerId: 'github', accountId: String(count) }))
    const { browser, visitor } = await withAccounts(many)
    expect(await providers(visitor)).toHaveLength(251)
    const bob = browser()
    await bob.call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } })
    expect(await providers(bob)).toEqual(['credential'])
  })
})

describe('POST /unlink-account', () => {
  test('unlinks a social account', async () => {
    const { visitor } = await withAccounts([github])
    const response = await unlink(visitor, { providerId: 'github' })
    expect([response.status, response.body]).toEqual([200, { status: true }])
    expect(await providers(visitor)).toEqual(['credential'])
  })

  test('unlinks the account with the given provider id, else the oldest of the provider', async () => {
    const { visitor } = await withAccounts([github, { ...github, accountId: '8' }, { ...github, accountId: '9' }])
    const ids = async () =>
      (await visitor.call('GET /list-accounts', {})).body.slice(1).map(({ accountId }: { accountId: string }) => accountId)
    await unlink(visitor, { providerId: 'github', accountId: '8' })
    expect(await ids()).toEqual(['7', '9'])
    await unlink(visitor, { providerId: 'github', accountId: '' })
    expect(await ids()).toEqual(['9'])
  })

  test('unlinks the account with the given row id when no provider is given', async () => {
    const { visitor } = await withAccounts([github])
    expect((await unlink(visitor, { accountId: '7' })).body.code).toBe('ACCOUNT_NOT_FOUND')
    expect((await unlink(visitor, { accountId: 'row-github-7' })).body).toEqual({ status: true })
    expect(await providers(visitor)).toEqual(['credential'])
  })

  test.each([{ providerId: 'credential' }, { providerId: 'unknown' }, { accountId: 'unknown' }])(
    'never unlinks the last account: %j',
    async (body) => {
      const { visitor } = await withAccounts([])
      const response = await unlink(visitor, body)
      expect([response.status, response.statusText]).toEqual([400, 'BAD_REQUEST'])
      expect(response.body).toEqual({ code: 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT', message: "You can't unlink your last account" })
      expect(await providers(visitor)).toEqual(['credential'])
    },
  )

  test('keeps the one account that signs in, whatever other accounts there are', async () => {
    const { visitor, app } = await withAccounts([github])
    // No provider is configured.
    expect((await unlink(visitor, { providerId: 'credential' })).body.code).toBe('YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT')
    expect((await visitor.call('POST /remove-password', {})).body.code).toBe('YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT')
    expect(await providers(visitor)).toEqual(['credential', 'github'])
    await app.db.updateTable('account').set({ password: null }).where('providerId', '=', 'credential').execute()
    // None signs in: nothing is lost.
    expect((await unlink(visitor, { providerId: 'github' })).body).toEqual({ status: true })
  })

  test('unlinks the last account if the configuration allows it', async () => {
    const { visitor } = await withAccounts([], { account: { accountLinking: { allowUnlinkingAll: true } } })
    expect((await unlink(visitor, { providerId: 'unknown' })).body.code).toBe('ACCOUNT_NOT_FOUND')
    expect((await unlink(visitor, { providerId: 'credential' })).body).toEqual({ status: true })
    expect(await providers(visitor)).toEqual([])
    expect((await unlink(visitor, { providerId: 'credential' })).body.code).toBe('ACCOUNT_NOT_FOUND')
  })

  test.each([{ providerId: 'google' }, { providerId: 'github', accountId: '8' }, { providerId: 'credential', accountId: '7' }])(
    'rejects an unknown account: %j',
    async (body) => {
      const { visitor } = await withAccounts([github])
      const response = await unlink(visitor, body)
      expect([response.status, response.body]).toEqual([400, { code: 'ACCOUNT_NOT_FOUND', message: 'Account not found' }])
    },
  )

  test('does not unlink the account of another user', async () => {
    const { browser, visitor } = await withAccounts([github, { providerId: 'google', accountId: '7' }])
    const bob = browser()
    await bob.call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } })
    for (const body of [github, { accountId: 'row-github-7' }]) expect((await unlink(bob, body)).status).toBe(400)
    expect(await providers(visitor)).toEqual(['credential', 'github', 'google'])
  })

  test.each([{}, { providerId: 7 }, { providerId: null, accountId: 'x' }])(
    'rejects a body that selects no account: %j',
    async (body) => {
      const { visitor } = await withAccounts([])
      const response = await unlink(visitor, body as never)
      expect([response.status, response.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  test('requires a fresh session', async () => {
    const { clock, visitor } = await withAccounts([github])
    clock.advance(86_400)
    const response = await unlink(visitor, github)
    expect([response.status, response.body]).toEqual([403, { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' }])
  })
})

/** What is found for requests, users and IP addresses, as an administrator calls it. */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { denied, flushDenials } from '../audit/index.ts'
import type { ConfigFile } from '../index.ts'

async function withSupport(config: ConfigFile = {}) {
  const kit = await administrate(await testApp({ admin: true, ...config }))
  const explain = async (subject: string) => {
    await kit.settled()
    await flushDenials(kit.app)
    const { status, body } = await kit.ada.browser.call('GET /admin/explain', { query: { subject } })
    expect(status).toBe(200)
    return body
  }
  return { ...kit, explain }
}

const idOf = ({ headers }: { readonly headers: Headers }): string => headers.get('x-request-id') ?? ''
const codesOf = (found: { readonly refusals: readonly { readonly code: string | null }[] }) =>
  found.refusals.map(({ code }) => code)
const findingsOf = (found: { readonly findings: readonly { readonly id: string }[] }) => found.findings.map(({ id }) => id)

describe('a request', () => {
  test('of another origin is found by its ID, with the option that decides', async () => {
    const { explain, browser } = await withSupport()
    const headers = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }
    const body = { email: 'uma@example.com', password: 'x' }
    const refused = await browser().call('POST /sign-in/email', { body }, headers)
    expect(refused.body.code).toBe('INVALID_ORIGIN')
    const found = await explain(idOf(refused))
    expect(found.refusals).toMatchObject([{ code: 'INVALID_ORIGIN', route: 'POST /sign-in/email', count: 1 }])
    expect(found.codes).toMatchObject([{ code: 'INVALID_ORIGIN', settings: expect.arrayContaining(['trustedOrigins']) }])
    expect(found.settings[0]).toMatchObject({ path: 'trustedOrigins', origin: 'default' })
  })

  test('whose body is too large, or that has no solved captcha, is found by its ID', async () => {
    const captcha = { provider: 'hcaptcha' as const, secretKey: 'key', siteKey: 'site', endpoints: ['/request-password-reset'] }
    const { explain, browser } = await withSupport({ captcha })
    const large = await browser().call('POST /update-user', { body: { name: 'x'.repeat(3_000_000) } })
    const unsolved = await browser().call('POST /request-password-reset', { body: { email: 'uma@example.com' } })
    expect(codesOf(await explain(idOf(large)))).toEqual(['PAYLOAD_TOO_LARGE'])
    expect(codesOf(await explain(idOf(unsolved)))).toEqual(['MISSING_CAPTCHA_RESPONSE'])
  })

  test('is found although equal calls of the same second are one event', async () => {
    const { explain, browser, app } = await withSupport()
    const client = browser()
    await flushDenials(app)
    const refused = []
    for (let call = 0; call < 5; call += 1) refused.push(await client.call('GET /list-sessions', {}))
    for (const one of refused) expect(codesOf(await explain(idOf(one)))).toEqual(['UNAUTHORIZED'])
  })

  test('without an event has the time at which it came', async () => {
    const { explain, browser, clock } = await withSupport()
    const found = await explain(idOf(await browser().call('GET /ok', {})))
    expect(findingsOf(found)).toEqual(['request-time', 'nothing-recorded'])
    expect(new Date(found.findings[0].values.time).getTime()).toBe(Math.floor(clock.now().getTime() / 1000) * 1000)
  })
})

describe('an email address', () => {
  test('shows a ban, wrong passwords and the next sign-in of its user', async () => {
    const { explain, ada, uma, signIn } = await withSupport()
    await signIn(uma.email, 'wrong password')
    await ada.browser.call('POST /admin/ban-user', { body: { userId: uma.userId } })
    await signIn(uma.email)
    const found = await explain(uma.email)
    expect(found.userId).toBe(uma.userId)
    expect(findingsOf(found)).toEqual(expect.arrayContaining(['user-found', 'banned']))
    expect(found.refusals.map(({ action, code }: { action: string; code: string }) => code ?? action).sort()).toEqual([
      'BANNED_USER',
      'INVALID_EMAIL_OR_PASSWORD',
      'user.banned',
    ])
    expect(found.signIn).toContainEqual({ step: 'admission', result: 'rejected', reason: 'BANNED_USER' })
    expect(found.codes.map(({ code }: { code: string }) => code).sort()).toEqual(['BANNED_USER', 'INVALID_EMAIL_OR_PASSWORD'])
  })

  test('shows the lockout of an address that no user has', async () => {
    const attempts = { enabled: true, perAccount: { failures: 1, firstDelay: 60, longestDelay: 600 } }
    const { explain, signIn } = await withSupport({ attempts })
    for (let attempt = 0; attempt < 3; attempt += 1) await signIn('unknown@example.com', 'wrong password')
    const found = await explain('Unknown@example.com')
    expect([found.userId, findingsOf(found)]).toEqual([null, expect.arrayContaining(['user-not-found', 'lockout'])])
    expect(found.settings).toContainEqual(expect.objectContaining({ path: 'attempts.perAccount' }))
  })
})

describe('an IP address', () => {
  test('shows its refusals, without those of others, and the limits in force', async () => {
    const rateLimit = { enabled: true, customRules: { '/ok': { window: 60, max: 1 } } }
    const { explain, app, browser } = await withSupport({ rateLimit })
    const call = { route: 'GET /list-sessions', status: 401, code: 'UNAUTHORIZED', subjectId: null }
    for (const ipAddress of ['192.0.2.1', '192.0.2.2'])
      denied(app, { ...call, actor: { kind: 'anonymous', ipAddress, requestId: `request ${ipAddress}` } })
    expect((await explain('192.0.2.1')).refusals).toMatchObject([{ ipAddress: '192.0.2.1', code: 'UNAUTHORIZED' }])
    for (let call = 0; call < 2; call += 1) await browser().call('GET /ok', {})
    const own = await explain('127.0.0.1')
    expect(findingsOf(own)).toEqual(expect.arrayContaining(['private-address', 'rate-limit']))
    expect(codesOf(own)).toEqual(['TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER'])
  })

  test('names no email address of its users', async () => {
    const { explain, uma } = await withSupport()
    await uma.browser.call('POST /admin/ban-user', { body: { userId: uma.userId } })
    expect(JSON.stringify(await explain('127.0.0.1'))).not.toContain(uma.email)
  })
})

test('a code is explained with the place of its options, and an unknown one says so', async () => {
  const { explain } = await withSupport()
  const found = await explain('PASSWORD_TOO_SHORT')
  expect([found.subject.kind, found.codes[0].settings]).toEqual(['code', ['emailAndPassword.minPasswordLength']])
  expect((await explain('PORT_IN_USE')).codes).toMatchObject([{ of: 'command' }])
  expect(findingsOf(await explain('NOT_A_CODE_OF_OURS'))).toEqual(['code-unknown'])
})

describe('options', () => {
  const captcha = { provider: 'hcaptcha' as const, secretKey: 'the secret key', siteKey: 'site', endpoints: ['/never'] }

  test('are shown without secrets', async () => {
    const { explain } = await withSupport({ captcha })
    const found = await explain('CAPTCHA_VERIFICATION_FAILED')
    expect(found.settings[0]).toMatchObject({ path: 'captcha.secretKey', value: '[redacted]' })
    expect(JSON.stringify(found)).not.toContain('the secret key')
  })

  test('are shown only to users who may read the configuration', async () => {
    const support = { event: ['list'], limit: ['list'], user: ['list'] }
    const kit = await testApp({ captcha, admin: { roles: { support, user: {} } } })
    const browser = kit.browser()
    const body = { name: 'Sam', email: 'sam@example.com', password: 'correct horse battery' }
    await browser.call('POST /sign-up/email', { body })
    const explain = () => browser.call('GET /admin/explain', { query: { subject: 'CAPTCHA_VERIFICATION_FAILED' } })
    expect((await explain()).status).toBe(403)
    await kit.app.db.updateTable('user').set({ role: 'support' }).execute()
    const { status, body: found } = await explain()
    expect([status, found.settings, found.codes[0].settings]).toEqual([200, [], expect.arrayContaining(['captcha.secretKey'])])
  })
})

test('an address that belongs to no user is explained by the sign-up policy, with the option', async () => {
  const { explain } = await withSupport({ signUp: { block: ['*@evil.example'] } })
  const { findings } = await explain('eve@evil.example')
  expect(findings).toContainEqual(
    expect.objectContaining({ id: 'sign-up-rejected', code: 'SIGN_UP_NOT_ALLOWED', settings: ['signUp.block'] }),
  )
  const others: { readonly id: string }[] = (await explain('eve@good.example')).findings
  expect(others.map(({ id }) => id)).not.toContain('sign-up-rejected')
})

test('a rejected sign-up is explained by its request, with the reason and the option that decided', async () => {
  const { explain, browser } = await withSupport({ signUp: { block: ['*@evil.example'] } })
  const body = { name: 'Eve', email: 'eve@evil.example', password: 'correct horse battery' }
  const { headers } = await browser().call('POST /sign-up/email', { body })
  const { refusals, codes, settings } = await explain(headers.get('x-request-id') ?? '')
  const refusal = { action: 'sign-up.rejected', code: 'SIGN_UP_NOT_ALLOWED', reason: 'domain-blocked', setting: 'signUp.block' }
  expect(refusals).toMatchObject([refusal])
  expect(codes).toMatchObject([{ code: 'SIGN_UP_NOT_ALLOWED', settings: ['signUp.block'] }])
  expect(settings).toMatchObject([{ path: 'signUp.block' }])
})

test('a locked account and a frozen sign-up are explained', async () => {
  const { ada, uma, explain } = await withSupport()
  await ada.browser.call('POST /admin/lock-user', { body: { userId: uma.userId, reason: 'stolen' } })
  await ada.browser.call('POST /admin/incident/freeze', { body: { kind: 'sign-up', reason: 'attack' } })
  const { findings } = await explain(uma.email)
  const ids = findings.map(({ id }: { readonly id: string }) => id)
  expect(ids).toEqual(expect.arrayContaining(['locked', 'sign-up-frozen']))
})

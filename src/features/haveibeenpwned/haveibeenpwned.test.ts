import { createHash } from 'node:crypto'
import { describe, expect, inject, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Endpoint, respondWith, type StandIn, standIn } from '../../../tests/kit/provider-stand-in.ts'
import type { ConfigFile } from '../index.ts'
import { createSetupLink } from '../setup/setup-link.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const breached = 'a breached horse battery'
const compromised = {
  code: 'PASSWORD_COMPROMISED',
  message: 'The password you entered has been compromised. Please choose a different password.',
}
const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const padding = Array.from({ length: 20 }, (_, count) => `${hashOf(`padding ${count}`).slice(5)}:0`)

/** The range search, with these passwords and how often each was found. */
function ranges(counts: Readonly<Record<string, number>>): Readonly<Record<string, Endpoint>> {
  const lines = new Map<string, string[]>()
  for (const [password, count] of Object.entries(counts)) {
    const hash = hashOf(password)
    lines.set(hash.slice(0, 5), [...(lines.get(hash.slice(0, 5)) ?? padding), `${hash.slice(5)}:${count}`])
  }
  return Object.fromEntries(
    [...lines].map(([prefix, list]) => [`GET /range/${prefix}`, respondWith(200, list.join('\r\n'), 'text/plain')]),
  )
}

const known = { [breached]: 3, [ann.password]: 0, 'another horse battery': 0 }

async function open(config: ConfigFile = {}, service?: StandIn, section: object = {}) {
  const stood = service ?? (await standIn(ranges(known)))
  const kit = await testApp({ haveIBeenPwned: { rangeURL: `${stood.origin}/range`, ...section }, ...config })
  const signUp = (password: string, browser = kit.browser()) =>
    browser.call('POST /sign-up/email', { body: { ...ann, password } })
  return { ...kit, service: stood, signUp }
}

describe('a breached password', () => {
  test('is rejected at sign-up, and only the start of its hash is sent', async () => {
    const { signUp, service, app } = await open()
    const { status, body } = await signUp(breached)
    expect([status, body]).toEqual([400, compromised])
    const [request, ...more] = service.requests
    expect([request?.url.pathname, request?.headers['add-padding'], more]).toEqual([
      `/range/${hashOf(breached).slice(0, 5)}`,
      'true',
      [],
    ])
    expect(await app.db.selectFrom('user').select('id').execute()).toEqual([])
  })

  test('is rejected with the configured message', async () => {
    const { signUp } = await open({}, undefined, { customPasswordCompromisedMessage: 'Choose another one.' })
    expect((await signUp(breached)).body).toEqual({ ...compromised, message: 'Choose another one.' })
  })

  test('is rejected in another Unicode form', async () => {
    const { signUp } = await open()
    expect((await signUp('ａ breached horse battery')).body).toEqual(compromised)
  })

  test('is rejected wherever a password is set', async () => {
    const { signUp, browser, app } = await open({ admin: true, emailAndPassword: { enabled: true, sendResetPassword: () => {} } })
    const visitor = browser()
    const { body } = await signUp(ann.password, visitor)
    const change = { currentPassword: ann.password, newPassword: breached }
    expect((await visitor.call('POST /change-password', { body: change })).body).toEqual(compromised)
    await app.db.updateTable('user').set({ role: 'admin' }).execute()
    const created = { email: 'bob@example.com', name: 'Bob', password: breached }
    expect((await visitor.call('POST /admin/create-user', { body: created })).body).toEqual(compromised)
    const set = { userId: body.user.id, newPassword: breached }
    expect((await visitor.call('POST /admin/set-user-password', { body: set })).body).toEqual(compromised)
    const token = new URL(await createSetupLink(app, body.user.id)).searchParams.get('token') ?? ''
    expect((await browser().call('POST /set-up', { body: { token, newPassword: breached } })).body).toEqual(compromised)
  })

  test('is accepted at sign-in: it was set before', async () => {
    const { signUp, browser, service } = await open()
    await signUp(ann.password)
    const hash = hashOf(ann.password)
    service.set({ [`GET /range/${hash.slice(0, 5)}`]: respondWith(200, `${hash.slice(5)}:9`, 'text/plain') })
    const requests = service.requests.length
    expect((await browser().call('POST /sign-in/email', { body: ann })).status).toBe(200)
    await browser().call('POST /sign-in/email', { body: { ...ann, email: 'unknown@example.com' } })
    expect(service.requests).toHaveLength(requests)
  })
})

test('a password that is only in the padding is accepted', async () => {
  const { signUp } = await open()
  expect((await signUp(ann.password)).status).toBe(200)
})

test('nothing is sent about a password that another rule rejects, and nothing at all without the section', async () => {
  const strict = await open({ passwordRules: true })
  expect((await strict.signUp('password1')).body).toEqual(compromised)
  expect(strict.service.requests).toEqual([])
  const kit = await testApp()
  expect((await kit.browser().call('POST /sign-up/email', { body: { ...ann, password: breached } })).status).toBe(200)
})

describe('when the service fails', () => {
  const again = {
    code: 'FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER',
    message: 'Failed to check password. Please try again later.',
  }
  const path = `GET /range/${hashOf(breached).slice(0, 5)}`

  test.each([
    [
      'an error',
      respondWith(503, ''),
      { code: 'FAILED_TO_CHECK_PASSWORD_STATUS_503', message: 'Failed to check password. Status: 503' },
    ],
    ['a page', respondWith(200, '<html>Sign in to the network</html>', 'text/html'), again],
    ['a redirect', ((_, response) => void response.writeHead(302, { location: '/range/00000' }).end()) as Endpoint, again],
    ['more than it should', respondWith(200, `${padding[0]}\r\n`.repeat(50_000), 'text/plain'), again],
  ])('with %s, the password is not accepted', async (_, endpoint, error) => {
    const { signUp, log, app } = await open({}, await standIn({ [path]: endpoint }))
    const { status, body } = await signUp(breached)
    expect([status, body]).toEqual([500, error])
    expect(await app.db.selectFrom('user').select('id').execute()).toEqual([])
    expect(log.join()).toContain('Cannot check a password with Have I Been Pwned')
    expect(log.join()).not.toMatch(new RegExp(`${breached}|${hashOf(breached)}`))
  })

  test('without a response, the password is not accepted', async () => {
    const kit = await testApp({ haveIBeenPwned: { rangeURL: 'http://127.0.0.1:1/range/' } })
    const { status, body } = await kit.browser().call('POST /sign-up/email', { body: ann })
    expect([status, body]).toEqual([500, again])
  })

  test.skipIf(inject('servers') !== null)('calls above the limit are rejected instead of collected', async () => {
    const waiting: (() => void)[] = []
    const hold: Endpoint = (_, response) => void waiting.push(() => response.writeHead(200).end(''))
    const { app, browser } = await open({ emailAndPassword: { enabled: true } }, await standIn({ [path]: hold }))
    const calls = Array.from({ length: 300 }, (_, count) =>
      browser().call('POST /sign-up/email', { body: { name: 'A', email: `p${count}@example.com`, password: breached } }),
    )
    const first = await Promise.race(calls)
    expect([first.status, first.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    await expect.poll(() => waiting.length).toBeGreaterThanOrEqual(32)
    expect(waiting.length).toBe(32)
    const timer = setInterval(() => {
      for (const release of waiting.splice(0)) release()
    }, 5)
    await Promise.all(calls)
    clearInterval(timer)
    expect((await app.db.selectFrom('user').select('id').execute()).length).toBeGreaterThanOrEqual(32)
  })
})

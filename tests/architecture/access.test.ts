/** The access matrix (ASVS 8.2): every call against every kind of caller. A call without an entry here fails the suite. */
import { describe, expect, test } from 'vitest'
import { enabledFeatures } from '../../src/core/feature.ts'
import { featureList } from '../../src/features/index.ts'
import { testApp } from '../kit/app.ts'
import type { Browser } from '../kit/browser.ts'

/** Who has no session, who has one, and who shows one that was ended or has run out. */
const callers = ['anonymous', 'user', 'signed out', 'expired', 'forged'] as const
type Caller = (typeof callers)[number]

interface Entry {
  readonly input?: { readonly query?: Record<string, string>; readonly body?: object; readonly params?: Record<string, string> }
  /** The status for every caller, or one for each. */
  readonly expected: number | Readonly<Record<Caller, number>>
}

const email = 'eve@example.com'
const password = 'correct horse battery'

const matrix: Readonly<Record<string, Entry>> = {
  'GET /get-session': { expected: 200 },
  'POST /sign-out': { expected: { anonymous: 400, user: 200, 'signed out': 200, expired: 200, forged: 400 } },
  'GET /list-sessions': { expected: { anonymous: 401, user: 200, 'signed out': 401, expired: 401, forged: 401 } },
  'POST /update-session': { expected: { anonymous: 401, user: 200, 'signed out': 401, expired: 401, forged: 401 } },
  'POST /revoke-session': {
    input: { body: { token: 'unknown' } },
    expected: { anonymous: 401, user: 400, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /revoke-sessions': { expected: { anonymous: 401, user: 200, 'signed out': 401, expired: 401, forged: 401 } },
  'POST /revoke-other-sessions': { expected: { anonymous: 401, user: 200, 'signed out': 401, expired: 401, forged: 401 } },
  'GET /list-accounts': { expected: { anonymous: 401, user: 200, 'signed out': 401, expired: 401, forged: 401 } },
  'POST /unlink-account': {
    input: { body: { providerId: 'credential' } },
    expected: { anonymous: 401, user: 400, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /link-social': {
    input: { body: { provider: 'unknown' } },
    expected: { anonymous: 401, user: 404, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /get-access-token': {
    input: { body: { providerId: 'unknown' } },
    expected: { anonymous: 401, user: 400, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /refresh-token': {
    input: { body: { providerId: 'unknown' } },
    expected: { anonymous: 401, user: 400, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /account-info': {
    input: { body: { accountId: 'unknown' } },
    expected: { anonymous: 401, user: 400, 'signed out': 401, expired: 401, forged: 401 },
  },
  'GET /account-info': {
    input: { query: { accountId: 'unknown' } },
    expected: { anonymous: 401, user: 400, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /sign-up/email': { input: { body: { name: 'Eve', email, password } }, expected: 200 },
  'POST /sign-in/email': { input: { body: { email, password } }, expected: 401 },
  'POST /sign-in/social': { input: { body: { provider: 'unknown' } }, expected: 404 },
  'POST /send-verification-email': {
    input: { body: { email } },
    expected: { anonymous: 200, user: 400, 'signed out': 200, expired: 200, forged: 200 },
  },
  'GET /verify-email': { input: { query: { token: 'unknown' } }, expected: 401 },
  'POST /request-password-reset': { input: { body: { email } }, expected: 200 },
  'POST /forget-password': { input: { body: { email } }, expected: 200 },
  'GET /reset-password/:token': { input: { params: { token: 'unknown' }, query: { callbackURL: '/' } }, expected: 302 },
  'POST /reset-password': { input: { body: { token: 'unknown', newPassword: password } }, expected: 400 },
  'POST /change-password': {
    input: { body: { currentPassword: 'wrong password', newPassword: password } },
    expected: { anonymous: 401, user: 400, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /verify-password': {
    input: { body: { password } },
    expected: { anonymous: 401, user: 200, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /update-user': {
    input: { body: { name: 'Anna' } },
    expected: { anonymous: 401, user: 200, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /change-email': {
    input: { body: { newEmail: email } },
    expected: { anonymous: 401, user: 200, 'signed out': 401, expired: 401, forged: 401 },
  },
  'POST /delete-user': { expected: { anonymous: 401, user: 200, 'signed out': 401, expired: 401, forged: 401 } },
  'GET /delete-user/callback': { input: { query: { token: 'unknown' } }, expected: 404 },
  'GET /set-up': { input: { query: { token: 'unknown' } }, expected: 200 },
  'POST /set-up': { input: { body: { token: 'unknown', newPassword: password } }, expected: 400 },
  'GET /mailbox': { expected: 200 },
  'GET /mailbox/list': { expected: 200 },
  'GET /mailbox/mail/:id': { input: { params: { id: 'unknown' } }, expected: 404 },
  'GET /ok': { expected: 200 },
  'GET /error': { expected: 200 },
  'GET /open-api/generate-schema': { expected: 200 },
  'GET /reference': { expected: 200 },
  'GET /reference/:asset': { input: { params: { asset: 'swagger-ui.css' } }, expected: 200 },
}

const send = () => undefined
const everything = {
  openAPI: true,
  mail: { catch: true },
  emailAndPassword: { enabled: true, sendResetPassword: send },
  emailVerification: { sendVerificationEmail: send },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
}
const ann = { name: 'Ann', email: 'ann@example.com', password }

async function arrive(caller: Caller): Promise<Browser> {
  const { browser, clock } = await testApp(everything)
  const visitor = browser()
  if (caller === 'anonymous') return visitor
  await visitor.call('POST /sign-up/email', { body: ann })
  const kept = new Map(visitor.cookies)
  if (caller === 'signed out') await visitor.call('POST /sign-out', {})
  if (caller === 'expired') clock.advance(604_801)
  for (const [name, value] of kept)
    visitor.cookies.set(name, caller === 'forged' ? value.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')) : value)
  return visitor
}

test('every call has an entry', async () => {
  const { app } = await testApp(everything)
  const declared = enabledFeatures(featureList, app.config).flatMap(({ routes = {} }) => Object.keys(routes))
  expect(Object.keys(matrix).sort()).toEqual(declared.sort())
})

describe.each(Object.entries(matrix))('%s', (key, { input = {}, expected }) => {
  test.each(callers)('%s', async (caller) => {
    const visitor = await arrive(caller)
    const answer = await visitor.call(key as 'GET /ok', input as object)
    expect(answer.status).toBe(typeof expected === 'number' ? expected : expected[caller])
  })
})

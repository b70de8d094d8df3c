/** A new password that is set without the former one recovers an account: what programs of a thief still have ends with it. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'
import { type PasswordNotice, setPasswordForUser } from '../password-change/index.ts'
import { setUserRole } from '../roles/index.ts'
import { createSetupLink } from '../setup/setup-link.ts'
import { findUserById } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const phoneNumber = '+491701234567'

/** Ann with a session, two API keys and a one-time token. */
async function withKeys(config: ConfigFile = {}) {
  const resets = captureMails()
  const notices = captureMails<PasswordNotice>()
  const texts: { readonly text: string }[] = []
  const kit = await testApp({
    apiKey: true,
    oneTimeToken: true,
    admin: true,
    phoneNumber: true,
    sms: { send: (message) => void texts.push(message) },
    seed: { roles: { admin: { user: ['set-password', 'update', 'list'] } } },
    emailAndPassword: { enabled: true, sendResetPassword: resets.send, sendPasswordChanged: notices.send },
    ...config,
  })
  const owner = kit.browser()
  const userId = String((await owner.call('POST /sign-up/email', { body: ann })).body.user?.id)
  const numbered = { emailVerified: true, phoneNumber, phoneNumberVerified: true }
  await kit.app.db.updateTable('user').set(numbered).where('id', '=', userId).execute()
  const create = async (name: string) => String((await owner.call('POST /api-key/create', { body: { name } })).body.key)
  const keys = [await create('first'), await create('second')]
  const handedOut = String((await owner.call('GET /one-time-token/generate', {})).body.token)
  const user = async () => (await findUserById(kit.app, userId)) ?? expect.fail('no user')
  const use = async (key: string) => (await kit.browser().call('GET /list-sessions', {}, { 'x-api-key': key })).status
  const used = async () => [await use(keys[0] ?? ''), await use(keys[1] ?? '')]
  return { ...kit, owner, userId, user, keys, handedOut, resets, notices, texts, used }
}
type Kit = Awaited<ReturnType<typeof withKeys>>

const requestLink = async ({ browser, resets }: Kit) => {
  await browser().call('POST /request-password-reset', { body: { email: ann.email } })
  return (await resets.next()).token
}

const recoveries: Readonly<Record<PasswordNotice['by'], ((kit: Kit) => Promise<{ status: number } | number | null>) | null>> = {
  'reset-link': async (kit) =>
    kit.browser().call('POST /reset-password', { body: { token: await requestLink(kit), newPassword } }),
  code: async ({ browser, texts }) => {
    await browser().call('POST /phone-number/request-password-reset', { body: { phoneNumber } })
    await expect.poll(() => texts.length).toBe(1)
    const otp = /^\d+/.exec(texts[0]?.text ?? '')?.[0] ?? ''
    return browser().call('POST /phone-number/reset-password', { body: { phoneNumber, otp, newPassword } })
  },
  administrator: async ({ app, browser, userId }) => {
    const admin = browser()
    const { user } = (await admin.call('POST /sign-up/email', { body: { ...ann, email: 'root@example.com' } })).body
    await setUserRole(app, String(user?.id), 'admin')
    return admin.call('POST /admin/set-user-password', { body: { userId, newPassword } })
  },
  operator: async ({ app, user }) => {
    const done = await setPasswordForUser(app, await user(), newPassword)
    expect(done).toEqual({ sessions: 1, apiKeys: 2 })
    return { status: 200 }
  },
  session: null,
  'setup-link': null,
  'verification-link': null,
}
const built = Object.entries(recoveries).flatMap(([by, run]) => (run ? [[by, run] as const] : []))

describe('API keys and one-time tokens end, and the notice says so', () => {
  test.each(built)('when a new password is set by: %s', async (by, run) => {
    const kit = await withKeys()
    expect(await kit.used()).toEqual([200, 200])
    expect(await run(kit)).toMatchObject({ status: 200 })
    expect(await kit.used()).toEqual([401, 401])
    const token = await kit.browser().call('POST /one-time-token/verify', { body: { token: kit.handedOut } })
    expect([token.status, token.body.code]).toEqual([400, 'INVALID_TOKEN'])
    expect(await kit.notices.next()).toMatchObject({ by, sessionsEnded: 1, apiKeysEnded: 2, apiKeysLeft: 0 })
    const events = await kit.app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'api-key.deleted').execute()
    expect(events.map(({ details }) => Reflect.get(details, 'reason'))).toEqual(['password-changed', 'password-changed'])
  })

  test('on the page of setup links too, when a reset link leads there', async () => {
    const kit = await withKeys({ dashboard: { enabled: false } })
    const token = await requestLink(kit)
    expect((await kit.browser().call('POST /set-up', { body: { token, newPassword } })).status).toBe(200)
    expect(await kit.used()).toEqual([401, 401])
    expect(await kit.notices.next()).toMatchObject({ by: 'reset-link', apiKeysEnded: 2 })
  })

  test('immediately on all daemons', async () => {
    const kit = await withKeys()
    const key = kit.keys[0] ?? ''
    const other = kit.app.config.database.url?.startsWith('sqlite') ? kit : await kit.another()
    const use = () => other.browser().call('GET /list-sessions', {}, { 'x-api-key': key })
    expect((await use()).status).toBe(200)
    await setPasswordForUser(kit.app, await kit.user(), newPassword)
    expect((await use()).status).toBe(401)
  })
})

describe('API keys stay', () => {
  test.each([true, false])('when the user gives the former password (revokeOtherSessions: %s)', async (revokeOtherSessions) => {
    const kit = await withKeys()
    const body = { currentPassword: ann.password, newPassword, revokeOtherSessions }
    expect((await kit.owner.call('POST /change-password', { body })).status).toBe(200)
    expect(await kit.used()).toEqual([200, 200])
    expect(await kit.notices.next()).toMatchObject({ by: 'session', sessionsEnded: 0, apiKeysEnded: 0, apiKeysLeft: 2 })
  })

  test('when an operator keeps the sessions', async () => {
    const kit = await withKeys()
    const kept = await setPasswordForUser(kit.app, await kit.user(), newPassword, { keepSessions: true })
    expect([kept, await kit.used()]).toEqual([{ sessions: 0, apiKeys: 0 }, [200, 200]])
  })

  test('when a setup link sets a password, which ends no session either', async () => {
    const kit = await withKeys()
    const token = new URL(await createSetupLink(kit.app, kit.userId)).searchParams.get('token') ?? ''
    expect((await kit.browser().call('POST /set-up', { body: { token, newPassword } })).status).toBe(200)
    expect(await kit.used()).toEqual([200, 200])
    expect(await kit.notices.next()).toMatchObject({ by: 'setup-link', apiKeysLeft: 2 })
  })

  test.each(built)('with apiKey.keepOnPasswordReset, when a new password is set by: %s', async (by, run) => {
    const kit = await withKeys({ apiKey: { keepOnPasswordReset: true } })
    if (by === 'operator') await setPasswordForUser(kit.app, await kit.user(), newPassword)
    else await run(kit)
    expect(await kit.used()).toEqual([200, 200])
    expect(await kit.notices.next()).toMatchObject({ by, apiKeysEnded: 0, apiKeysLeft: 2 })
  })
})

test('the email names what ended, and what still works', async () => {
  const kit = await withKeys({ mail: { catch: true }, emailAndPassword: { enabled: true } })
  const texts = async () => JSON.stringify((await kit.browser().call('GET /mailbox/list', {})).body)
  const change = { currentPassword: ann.password, newPassword }
  await kit.owner.call('POST /change-password', { body: change })
  await expect.poll(texts).toContain('2 API keys of your account still work.')
  await setPasswordForUser(kit.app, await kit.user(), ann.password)
  await expect.poll(texts).toContain('was changed by an operator. This ended 1 session and 2 API keys.')
})

test('the pages know what a reset ends', async () => {
  const shown = async (config: ConfigFile) => {
    const { browser } = await testApp(config)
    return (await browser().call('GET /public-settings', {})).body.passwordResetEnds
  }
  expect(await shown({ apiKey: true })).toEqual({ sessions: true, apiKeys: true })
  expect(await shown({})).toEqual({ sessions: true, apiKeys: false })
  const kept: ConfigFile = {
    apiKey: { keepOnPasswordReset: true },
    emailAndPassword: { enabled: true, revokeSessionsOnPasswordReset: false },
  }
  expect(await shown(kept)).toEqual({ sessions: false, apiKeys: false })
})

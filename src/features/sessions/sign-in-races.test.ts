/**
 * Sign-in methods that change between the proof of a sign-in and its session. A thief of a session can cause such changes
 * again and again, and must not keep the owner out by them; but a change that ends the proof ends the sign-in.
 */
// Also on servers: changes meet a transaction that has locked rows.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { ann as annAtProvider, socialApp, target } from '../../../tests/kit/social.ts'
import { transaction } from '../../core/transaction.ts'
import { requireNewPassword } from '../accounts/index.ts'
import type { ConfigFile } from '../index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { findUserByEmail, lockUser } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const phoneNumber = '+491701234567'

/** Ann with a password, a verified number and an account at Google; `pause.interrupt` runs right before a session is inserted. */
async function withAnn() {
  const pause: { interrupt: (() => Promise<unknown>) | null; isRepeated?: boolean } = { interrupt: null }
  const texts: { readonly text: string }[] = []
  const links = captureMails()
  const config: ConfigFile = {
    username: true,
    phoneNumber: true,
    sms: { send: (message) => void texts.push(message) },
    emailVerification: { sendVerificationEmail: links.send, autoSignInAfterVerification: true },
    databaseHooks: {
      session: {
        create: {
          before: async () => {
            const { interrupt } = pause
            if (!pause.isRepeated) pause.interrupt = null
            await interrupt?.()
          },
        },
      },
    },
  }
  const kit = await socialApp(config)
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: { ...ann, username: 'ann_smith' } as never })
  const columns = { emailVerified: true, phoneNumber, phoneNumberVerified: true }
  await kit.app.db.updateTable('user').set(columns).execute()
  await kit.signIn(visitor, 'google', annAtProvider, { start: 'POST /link-social' })
  const user = async () => (await findUserByEmail(kit.app, ann.email)) ?? expect.fail('no user')
  const move = async () => {
    const { id } = await user()
    await transaction(kit.app, (tx) => lockUser(tx, id))
  }
  return { ...kit, pause, texts, links, user, move }
}
type Kit = Awaited<ReturnType<typeof withAnn>>

const password = { password: ann.password }
type SignIn = (kit: Kit, browser: Browser) => Promise<unknown>
const ways: Readonly<Record<string, SignIn>> = {
  'a social account': async ({ signIn }, browser) => expect(target(await signIn(browser, 'google'))).toBe('/dashboard'),
  'an ID token': async ({ idToken }, browser) =>
    browser.call('POST /sign-in/social', { body: { provider: 'google', idToken: { token: await idToken() } } }),
  'an email address and a password': (_, browser) =>
    browser.call('POST /sign-in/email', { body: { email: ann.email, ...password } }),
  'a username and a password': (_, browser) =>
    browser.call('POST /sign-in/username', { body: { username: 'ann_smith', ...password } }),
  'a phone number and a password': (_, browser) =>
    browser.call('POST /sign-in/phone-number', { body: { phoneNumber, ...password } }),
  'a code': async ({ texts }, browser) => {
    await browser.call('POST /phone-number/send-otp', { body: { phoneNumber } })
    await expect.poll(() => texts.length).toBe(1)
    const code = /^\d+/.exec(texts[0]?.text ?? '')?.[0] ?? ''
    return browser.call('POST /phone-number/verify', { body: { phoneNumber, code } })
  },
  'a verification link': async ({ app, links }, browser) => {
    await app.db.updateTable('user').set({ emailVerified: false }).execute()
    await browser.call('POST /send-verification-email', { body: { email: ann.email } })
    return browser.call('GET /verify-email', { query: { token: (await links.next()).token } })
  },
}
const isSignedIn = async (browser: Browser) => (await browser.call('GET /get-session', {})).body !== null

describe('a change that leaves the proof as it is does not prevent a sign-in', () => {
  test.each(Object.entries(ways))('with %s', async (_, run) => {
    const kit = await withAnn()
    kit.pause.interrupt = kit.move
    const owner = kit.browser()
    await run(kit, owner)
    expect([kit.pause.interrupt, await isSignedIn(owner)]).toEqual([null, true])
  })

  test('with a social account, when a thief changes the password', async () => {
    const kit = await withAnn()
    kit.pause.interrupt = async () => void (await setPasswordForUser(kit.app, await kit.user(), newPassword))
    const owner = kit.browser()
    expect(target(await kit.signIn(owner, 'google'))).toBe('/dashboard')
    expect(await isSignedIn(owner)).toBe(true)
  })

  test('with a social account, however often the thief does it', async () => {
    const kit = await withAnn()
    Object.assign(kit.pause, { interrupt: kit.move, isRepeated: true })
    expect(target(await kit.signIn(kit.browser(), 'google'))).toBe('/dashboard')
  })
})

const ends: Readonly<Record<string, readonly [way: string, (kit: Kit) => Promise<unknown>]>> = {
  'the account is unlinked': [
    'a social account',
    ({ app }) => app.db.deleteFrom('account').where('providerId', '=', 'google').execute(),
  ],
  'the account belongs to another user now': [
    'an ID token',
    async ({ app, browser }) => {
      const { body } = await browser().call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com' } })
      await app.db
        .updateTable('account')
        .set({ userId: String(body.user?.id) })
        .where('providerId', '=', 'google')
        .execute()
    },
  ],
  'the password is another': [
    'an email address and a password',
    async ({ app, user }) => setPasswordForUser(app, await user(), newPassword),
  ],
  'the password must be replaced': [
    'a username and a password',
    async ({ app, user }) => requireNewPassword(app, (await user()).id),
  ],
  'the password was removed': [
    'a phone number and a password',
    ({ app }) => app.db.deleteFrom('account').where('providerId', '=', 'credential').execute(),
  ],
  'the user has another number': [
    'a code',
    ({ app }) => app.db.updateTable('user').set({ phoneNumber: '+491709999999' }).execute(),
  ],
  'the user has another email address': [
    'a verification link',
    ({ app }) => app.db.updateTable('user').set({ email: 'eve@example.com' }).execute(),
  ],
}

describe('a change that ends the proof ends the sign-in', () => {
  test.each(Object.entries(ends))('when %s', async (_, [way, change]) => {
    const kit = await withAnn()
    const move = kit.move
    kit.pause.interrupt = async () => {
      await move()
      await change(kit)
    }
    const owner = kit.browser()
    await Promise.resolve(ways[way]?.(kit, owner)).catch(() => undefined)
    expect([kit.pause.interrupt, await isSignedIn(owner)]).toEqual([null, false])
  })

  test('when the user is deleted', async () => {
    const kit = await withAnn()
    kit.pause.interrupt = () => kit.app.db.deleteFrom('user').execute()
    const owner = kit.browser()
    expect(target(await kit.signIn(owner, 'google'))).toContain('error=unable_to_create_session')
  })
})

test('a sign-in that a hook rejects is not repeated', async () => {
  let calls = 0
  const before = () => {
    calls += 1
    return false as const
  }
  const kit = await testApp({ databaseHooks: { session: { create: { before } } } })
  await kit.browser().call('POST /sign-up/email', { body: ann })
  calls = 0
  const rejected = await kit.browser().call('POST /sign-in/email', { body: { email: ann.email, ...password } })
  expect([rejected.body.code, calls]).toEqual(['FAILED_TO_CREATE_SESSION', 1])
})

/**
 * A person signs up with the email address of another and waits. When the owner proves the mailbox in another browser, nothing that was
 * set up before opens the account any more (contract 13 §6).
 */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Answer, type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { enrol } from '../../../tests/kit/second-factor.ts'
import type { CodeMail } from '../email-codes/mails.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const { email } = ann
/** What a browser sends with a call of a page of our own. */
const page = {
  origin: 'http://localhost:3000',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
}

const emptied = ['account', 'apikey', 'twoFactor', 'backupCode', 'passkey', 'trustedDevice', 'signInChallenge'] as const
type Table = (typeof emptied)[number]

async function arrive() {
  const codes = captureMails<CodeMail>()
  const links = captureMails<{ token: string }>()
  const kit = await testApp({
    ...{ apiKey: true, phoneNumber: true, twoFactor: true, passkey: true, mail: { catch: true } },
    emailOTP: { sendVerificationOTP: codes.send },
    magicLink: { sendMagicLink: links.send },
    socialProviders: { github: { clientId: 'acme', clientSecret: 'a secret of acme' } },
  })
  const squatter = kit.browser()
  const userId = String((await squatter.call('POST /sign-up/email', { body: ann })).body.user.id)
  return { ...kit, codes, links, squatter, userId }
}
type Kit = Awaited<ReturnType<typeof arrive>>

const post = (browser: Browser, path: string, body: object) => browser.call(`POST ${path}` as never, { body } as never, page)

/** Tables that are not empty after the setups of this name; without this, "is empty" afterwards would say nothing. */
const filled: Readonly<Record<string, readonly Table[]>> = {
  'an API key': ['apikey'],
  'a second factor that was not proven': ['twoFactor'],
  'a passkey': ['passkey'],
  'a second factor, a trusted browser and a sign-in that waits for its code': [
    ...(['twoFactor', 'backupCode', 'trustedDevice', 'signInChallenge'] as const),
  ],
}

/** What the person had set up before. */
const setups: Readonly<Record<string, (kit: Kit) => Promise<unknown>>> = {
  'a password': async () => {},
  'a social account, and no password': async ({ app, userId }) => {
    await app.db.updateTable('account').set({ providerId: 'github', accountId: '42', password: null }).execute()
    expect(await app.db.selectFrom('account').select('userId').execute()).toEqual([{ userId }])
  },
  'a phone number': ({ app }) =>
    app.db
      .updateTable('user')
      .set({ phoneNumber: '+491701234567', phoneNumberVerified: true, verifiedPhoneNumber: '+491701234567' })
      .execute(),
  'an API key': async ({ squatter }) => expect((await post(squatter, '/api-key/create', { name: 'Key' })).status).toBe(200),
  'a second factor that was not proven': async ({ squatter }) =>
    expect((await post(squatter, '/two-factor/enable', { password: ann.password })).status).toBe(200),
  'a passkey': async ({ squatter }) => {
    const { body } = await squatter.call('GET /passkey/generate-register-options', { query: {} })
    const response = { ...createAuthenticator().create(body) }
    expect((await squatter.call('POST /passkey/verify-registration', { body: { response } })).status).toBe(200)
  },
  'a second factor, a trusted browser and a sign-in that waits for its code': async (kit) => {
    const { code } = await enrol(kit, kit.squatter)
    const [trusted, waiting] = [kit.browser(), kit.browser()]
    for (const browser of [trusted, waiting])
      expect((await post(browser, '/sign-in/email', ann)).body).toMatchObject({ twoFactorRedirect: true })
    expect((await post(trusted, '/two-factor/verify-totp', { code: code(), trustDevice: true })).status).toBe(200)
  },
}

/** How the owner proves the mailbox. */
const proofs: Readonly<Record<string, (kit: Kit, owner: Browser) => Promise<Answer>>> = {
  'a code that signs in': async ({ codes }, owner) => {
    await post(owner, '/email-otp/send-verification-otp', { email, type: 'sign-in' })
    return post(owner, '/sign-in/email-otp', { email, otp: (await codes.next()).otp })
  },
  'a code that verifies the address': async ({ codes }, owner) => {
    await post(owner, '/email-otp/send-verification-otp', { email, type: 'email-verification' })
    return post(owner, '/email-otp/verify-email', { email, otp: (await codes.next()).otp })
  },
  'a magic link': async ({ links }, owner) => {
    await post(owner, '/sign-in/magic-link', { email })
    return post(owner, '/magic-link/verify', { token: (await links.next()).token })
  },
}

describe.each(Object.entries(proofs))('%s', (_, prove) => {
  test.each(Object.entries(setups))('ends what came with %s', async (name, setUp) => {
    const kit = await arrive()
    await setUp(kit)
    const { db } = kit.app
    const rows = (table: Table) => db.selectFrom(table).selectAll().execute()
    for (const table of filled[name] ?? []) expect((await rows(table)).length, table).toBeGreaterThan(0)
    const owner = kit.browser()
    const proof = await prove(kit, owner)
    expect([proof.status, proof.body.twoFactorRedirect]).toEqual([200, undefined])
    const columns = ['emailVerified', 'phoneNumber', 'twoFactorEnabled'] as const
    const { emailVerified, ...user } = await db.selectFrom('user').select(columns).executeTakeFirstOrThrow()
    expect([emailVerified, Object.values(user).filter(Boolean)]).toEqual([true, []])
    for (const table of emptied) expect(await rows(table), table).toEqual([])
    expect(await nameOf(kit.squatter)).toBeNull()
    expect((await post(kit.browser(), '/sign-in/email', ann)).status).toBe(401)
  })
})

test('says what ended, also when only passkeys, second factors and trusted browsers did', async () => {
  const kit = await arrive()
  const { db } = kit.app
  const [now, later] = [kit.clock.now(), new Date(kit.clock.now().getTime() + 86_400_000)]
  await db.deleteFrom('session').execute()
  await db.deleteFrom('account').execute()
  const factors = { id: 'factors', userId: kit.userId, verified: true, createdAt: now, updatedAt: now }
  await db.insertInto('twoFactor').values(factors).execute()
  const trusted = { id: 'browser', userId: kit.userId, key: 'key', createdAt: now, lastUsedAt: now, expiresAt: later }
  await db.insertInto('trustedDevice').values(trusted).execute()
  const owner = kit.browser()
  await post(owner, '/sign-in/magic-link', { email })
  expect((await post(owner, '/magic-link/verify', { token: (await kit.links.next()).token })).status).toBe(200)
  const events = await db.selectFrom('auditEvent').select('details').where('action', '=', 'earlier-access.ended').execute()
  const none = { password: false, providers: [], phoneNumber: false, sessions: 0, apiKeys: 0, passkeys: 0 }
  expect(events).toEqual([{ details: { ...none, secondFactors: 1, trustedBrowsers: 1 } }])
  await kit.settled()
  const mails = await db.selectFrom('outbox').select('kind').where('kind', '=', 'earlier-access-ended').execute()
  expect(mails).toHaveLength(1)
})

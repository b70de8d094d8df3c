import { describe, expect, test } from 'vitest'
import { baseURL, testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import { createEmailToken } from '../email-verification/index.ts'
import type { ConfigFile } from '../index.ts'
import type { ChangeMail } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newEmail = 'anna@example.com'

async function withAnn(verified: boolean, config: ConfigFile = {}) {
  const verifications = captureMails()
  const changes = captureMails<ChangeMail>()
  const kit = await testApp({
    emailVerification: { sendVerificationEmail: verifications.send, ...config.emailVerification },
    user: { changeEmail: { enabled: true, sendChangeEmailVerification: changes.send, ...config.user?.changeEmail } },
    ...(config.session && { session: config.session }),
    ...(config.databaseHooks && { databaseHooks: config.databaseHooks }),
  })
  const visitor = kit.browser()
  const signedUp = await visitor.call('POST /sign-up/email', { body: ann })
  await kit.app.db.updateTable('user').set({ emailVerified: verified }).execute()
  const change = (body: { newEmail: string; callbackURL?: string } = { newEmail: 'Anna@Example.com' }, by = visitor) =>
    by.call('POST /change-email', { body })
  const id = String(signedUp.body.user?.id)
  const rows = () => kit.app.db.selectFrom('user').select(['email', 'emailVerified']).where('id', '=', id).execute()
  const follow = (token: string, by = visitor, callbackURL?: string) =>
    by.call('GET /verify-email', { query: { token, ...(callbackURL !== undefined && { callbackURL }) } })
  return { ...kit, verifications, changes, visitor, signedUp, change, rows, follow }
}

const pathOf = (url: string) => url.slice(`${baseURL}/api/auth`.length)

describe('POST /change-email', () => {
  test('is rejected unless enabled', async () => {
    const { change } = await withAnn(true, { user: { changeEmail: { enabled: false } } })
    const response = await change()
    expect([response.status, response.body]).toEqual([
      400,
      { code: 'CHANGE_EMAIL_IS_DISABLED', message: 'Change email is disabled' },
    ])
  })

  test.each([true, false])('rejects the current email address and one that is already used (verified: %s)', async (verified) => {
    const { browser, change, rows } = await withAnn(verified)
    const same = await change({ newEmail: 'ANN@example.com' })
    expect([same.status, same.body]).toEqual([400, { code: 'EMAIL_IS_THE_SAME', message: 'Email is the same' }])
    await browser().call('POST /sign-up/email', { body: { ...ann, email: newEmail } })
    const taken = await change()
    expect([taken.status, taken.body]).toEqual([
      400,
      { code: 'COULDNT_UPDATE_YOUR_EMAIL', message: "Couldn't update your email" },
    ])
    expect((await rows())[0]?.email).toBe(ann.email)
  })

  test('rejects an invalid email address, a foreign callbackURL, and a request without a session', async () => {
    const { browser, change } = await withAnn(true)
    expect((await change({ newEmail: 'anna@example' })).body.code).toBe('VALIDATION_ERROR')
    expect((await change({ newEmail, callbackURL: 'https://evil.test' })).body.code).toBe('INVALID_CALLBACKURL')
    expect((await change({ newEmail }, browser())).status).toBe(401)
  })

  test.each([true, false])('requires a fresh session (verified: %s)', async (verified) => {
    const { app, change, changes, clock, rows } = await withAnn(verified, { session: { updateAge: 3600 } })
    clock.advance(86_400)
    const stale = await change()
    expect([stale.status, stale.body]).toEqual([403, { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' }])
    expect(await rows()).toEqual([{ email: ann.email, emailVerified: verified }])
    await app.db.updateTable('session').set({ authenticatedAt: app.now() }).execute()
    expect((await change()).status).toBe(200)
    if (verified) await changes.next()
  })

  test('accepts an older session with requireFreshSession: false', async () => {
    const { change, clock, rows } = await withAnn(false, { user: { changeEmail: { enabled: true, requireFreshSession: false } } })
    clock.advance(86_400)
    expect((await change()).status).toBe(200)
    expect((await rows())[0]?.email).toBe(newEmail)
  })
})

describe('an unverified email address', () => {
  test('is replaced immediately, and a verification link is sent to the new one', async () => {
    const { change, rows, verifications, visitor, changes } = await withAnn(false)
    const response = await change({ newEmail: 'Anna@Example.com', callbackURL: '/done' })
    expect([response.status, response.body]).toEqual([200, { status: true }])
    expect(response.setCookie).toEqual([expect.stringContaining('latchkey.session_token=')])
    expect(await rows()).toEqual([{ email: newEmail, emailVerified: false }])
    const mail = await verifications.next()
    expect(mail.user.email).toBe(newEmail)
    expect(mail.url).toMatch(/&callbackURL=%2Fdone$/)
    const followed = await visitor.request(pathOf(mail.url))
    expect(followed.headers.get('location')).toBe('/done')
    expect(await rows()).toEqual([{ email: newEmail, emailVerified: true }])
    expect(changes.sent).toEqual([])
  })

  test('is replaced without an email when none can be sent', async () => {
    const { change, rows, verifications } = await withAnn(false, { emailVerification: { sendVerificationEmail: false } })
    expect((await change()).body).toEqual({ status: true })
    expect(await rows()).toEqual([{ email: newEmail, emailVerified: false }])
    expect(verifications.sent).toEqual([])
  })
})

describe('a verified email address', () => {
  test('gets a confirmation link that replaces it, and the new one gets a verification link', async () => {
    const { change, rows, changes, verifications, visitor, signedUp } = await withAnn(true)
    const response = await change({ newEmail: 'Anna@Example.com', callbackURL: '/done' })
    expect([response.status, response.body, response.setCookie]).toEqual([200, { status: true }, []])
    expect(await rows()).toEqual([{ email: ann.email, emailVerified: true }])
    const mail = await changes.next()
    expect(mail).toMatchObject({ user: { email: ann.email }, newEmail })
    expect(mail.url).toBe(`${baseURL}/api/auth/verify-email?token=${mail.token}&callbackURL=%2Fdone`)
    const followed = await visitor.request(pathOf(mail.url))
    expect([followed.status, followed.headers.get('location')]).toEqual([302, '/done'])
    expect(followed.setCookie).toEqual([expect.stringContaining(`latchkey.session_token=${signedUp.body.token}.`)])
    expect(await rows()).toEqual([{ email: newEmail, emailVerified: false }])
    const second = await verifications.next()
    expect([second.user.email, second.url]).toEqual([newEmail, expect.stringMatching(/&callbackURL=%2Fdone$/)])
    await visitor.request(pathOf(second.url))
    expect(await rows()).toEqual([{ email: newEmail, emailVerified: true }])
  })

  test('responds with the updated user when the link has no callbackURL', async () => {
    const { change, changes, follow, signedUp, clock } = await withAnn(true)
    await change()
    const { token } = await changes.next()
    clock.advance(60)
    const { status, body } = await follow(token)
    const updatedAt = '2026-01-31T12:01:00.000Z'
    expect([status, body]).toEqual([200, { status: true, user: { ...signedUp.body.user, email: newEmail, updatedAt } }])
    const again = await follow(token)
    expect([again.status, again.body]).toEqual([401, { code: 'USER_NOT_FOUND', message: 'user_not_found' }])
  })

  test('accepts the link only with a session of its user', async () => {
    const { browser, change, changes, follow, rows } = await withAnn(true)
    await change()
    const { token } = await changes.next()
    const anonymous = await follow(token, browser())
    expect([anonymous.status, anonymous.body]).toEqual([401, { code: 'UNAUTHORIZED', message: 'unauthorized' }])
    const eve = browser()
    await eve.call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com' } })
    const redirected = await follow(token, eve, '/done?a=b')
    expect(redirected.headers.get('location')).toBe('/done?a=b&error=unauthorized')
    expect((await rows())[0]).toEqual({ email: ann.email, emailVerified: true })
    expect((await follow(token)).status).toBe(200)
  })

  test('rejects the link while the new email address is used, and accepts it when it is free again', async () => {
    const { app, browser, change, changes, follow, rows } = await withAnn(true)
    await change()
    const { token } = await changes.next()
    await browser().call('POST /sign-up/email', { body: { ...ann, email: newEmail } })
    const taken = await follow(token)
    expect([taken.status, taken.body]).toEqual([401, { code: 'EMAIL_ALREADY_EXISTS', message: 'email_already_exists' }])
    await app.db.deleteFrom('user').where('email', '=', newEmail).execute()
    expect((await follow(token)).status).toBe(200)
    expect(await rows()).toEqual([{ email: newEmail, emailVerified: false }])
  })

  test('a used link changes nothing when the user has the former email address again', async () => {
    const { app, change, changes, follow, rows } = await withAnn(true)
    await change()
    const { token } = await changes.next()
    await follow(token)
    await app.db.updateTable('user').set({ email: ann.email, emailVerified: true }).execute()
    const again = await follow(token)
    expect([again.status, again.body.user.email]).toEqual([200, ann.email])
    expect(await rows()).toEqual([{ email: ann.email, emailVerified: true }])
  })

  test('rejects a link from before a new password, and keeps one from before a new name', async () => {
    const { browser, change, changes, follow, rows, visitor } = await withAnn(true)
    const thief = browser()
    await thief.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
    await change({ newEmail: 'thief@example.com' }, thief)
    const { token } = await changes.next()
    const body = { currentPassword: ann.password, newPassword: 'another horse entirely', revokeOtherSessions: true }
    expect((await visitor.call('POST /change-password', { body })).status).toBe(200)
    for (let use = 0; use < 2; use += 1) {
      const rejected = await follow(token)
      expect([rejected.status, rejected.body]).toEqual([401, { code: 'INVALID_TOKEN', message: 'invalid_token' }])
    }
    expect(await rows()).toEqual([{ email: ann.email, emailVerified: true }])
    await change()
    await visitor.call('POST /update-user', { body: { name: 'Anna' } })
    expect((await follow((await changes.next()).token)).status).toBe(200)
    expect((await rows())[0]?.email).toBe(newEmail)
  })

  test('accepts a link without the revision, as earlier versions sent them', async () => {
    const { app, follow, rows, visitor } = await withAnn(true)
    const body = { currentPassword: ann.password, newPassword: 'another horse entirely' }
    await visitor.call('POST /change-password', { body })
    expect((await follow(await createEmailToken(app, { email: ann.email, updateTo: newEmail }, 60))).status).toBe(200)
    expect((await rows())[0]?.email).toBe(newEmail)
  })

  test('cannot be changed when no email can be sent', async () => {
    const { change } = await withAnn(true, { user: { changeEmail: { enabled: true, sendChangeEmailVerification: false } } })
    const response = await change()
    expect([response.status, response.body]).toEqual([
      400,
      { code: 'VERIFICATION_EMAIL_ISNT_ENABLED', message: "Verification email isn't enabled" },
    ])
  })
})

describe('with antiEnumeration', () => {
  const eve = { name: 'Eve', email: 'eve@example.com', password: 'correct horse battery' }

  /** Ann, signed in, who wants the email address of Eve or a free one. */
  async function withBoth(verified: boolean, config: ConfigFile = {}) {
    const verifications = captureMails()
    const changes = captureMails<ChangeMail>()
    const kit = await testApp({
      emailAndPassword: { enabled: true, requireEmailVerification: true, antiEnumeration: true },
      emailVerification: { sendVerificationEmail: verifications.send },
      user: { changeEmail: { enabled: true, sendChangeEmailVerification: changes.send } },
      mail: { from: 'Acme <a@example.com>', catch: true },
      ...config,
    })
    const { record } = recordStatements(kit)
    const visitor = kit.browser()
    for (const body of [ann, eve]) await record(() => kit.browser().call('POST /sign-up/email', { body }))
    const setVerified = (emailVerified: boolean) => kit.app.db.updateTable('user').set({ emailVerified })
    await setVerified(true).execute()
    await record(() => visitor.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } }))
    await setVerified(verified).where('email', '=', ann.email).execute()
    for (let mail = 0; mail < 2; mail += 1) await verifications.next()
    const change = (to: string) => record(() => visitor.call('POST /change-email', { body: { newEmail: to } }))
    const open = (link: { token: string }, by = visitor) =>
      record(() => by.call('GET /verify-email', { query: { token: link.token } }))
    const emails = async () =>
      (await kit.app.db.selectFrom('user').select(['email', 'emailVerified']).orderBy('createdAt').orderBy('name').execute())[0]
    const notices = () =>
      kit.app.db
        .selectFrom('outbox')
        .select('recipient')
        .where('kind', '=', 'email-in-use')
        .where('recipient', '!=', '')
        .execute()
    return { ...kit, verifications, changes, visitor, change, open, emails, notices }
  }

  test('notifies the owner of an email address that is used, and nothing else reveals it', async () => {
    const { change, changes, open, emails, notices, verifications } = await withBoth(true)
    const results = []
    for (const to of [eve.email, newEmail]) {
      const requested = await change(to)
      expect([requested.result.status, requested.result.body]).toEqual([200, { status: true }])
      const opened = await open(await changes.next())
      expect(await emails()).toEqual({ email: ann.email, emailVerified: true })
      results.push([requested.statements, opened.result.status, opened.result.body, opened.result.setCookie, opened.statements])
    }
    expect(results[0]).toEqual(results[1])
    expect(await notices()).toEqual([{ recipient: eve.email }])
    expect((await verifications.next()).user.email).toBe(newEmail)
    expect(verifications.sent).toHaveLength(3)
  })

  test('replaces a verified email address when the link in an email to the new one is opened', async () => {
    const { browser, change, changes, open, emails, verifications } = await withBoth(true)
    await change(newEmail)
    const confirmation = await changes.next()
    await open(confirmation)
    const link = await verifications.next()
    expect(link.user.email).toBe(newEmail)
    const again = await open(confirmation)
    expect([again.result.status, again.result.body.user.email]).toEqual([200, ann.email])
    expect((await open(link, browser())).result.body.code).toBe('UNAUTHORIZED')
    expect((await open(link)).result.body.user.email).toBe(newEmail)
    expect(await emails()).toEqual({ email: newEmail, emailVerified: true })
    expect(verifications.sent).toHaveLength(3)
  })

  test('replaces an unverified email address by that link too, and not immediately', async () => {
    const { change, open, emails, verifications, changes } = await withBoth(false)
    await change(newEmail)
    expect(await emails()).toEqual({ email: ann.email, emailVerified: false })
    const link = await verifications.next()
    expect(link.user.email).toBe(newEmail)
    await open(link)
    expect(await emails()).toEqual({ email: newEmail, emailVerified: true })
    expect(changes.sent).toEqual([])
  })

  test.each(['confirmation', 'new address'])('rejects a link from before a new password: %s', async (step) => {
    const { change, changes, open, emails, verifications, visitor } = await withBoth(true)
    await change(newEmail)
    const confirmation = await changes.next()
    if (step === 'new address') await open(confirmation)
    const link = step === 'new address' ? await verifications.next() : confirmation
    const body = { currentPassword: ann.password, newPassword: 'another horse entirely', revokeOtherSessions: true }
    expect((await visitor.call('POST /change-password', { body })).status).toBe(200)
    expect((await open(link)).result.body.code).toBe('INVALID_TOKEN')
    expect(await emails()).toEqual({ email: ann.email, emailVerified: true })
  })

  test('rejects the link to the new address of an unverified user from before a new password', async () => {
    const { change, open, emails, verifications, visitor } = await withBoth(false)
    await change(newEmail)
    const body = { currentPassword: ann.password, newPassword: 'another horse entirely', revokeOtherSessions: true }
    expect((await visitor.call('POST /change-password', { body })).status).toBe(200)
    expect((await open(await verifications.next())).result.body.code).toBe('INVALID_TOKEN')
    expect(await emails()).toEqual({ email: ann.email, emailVerified: false })
  })

  test('rejects the link when the email address is used since', async () => {
    const { app, change, open, emails, verifications } = await withBoth(false)
    await change(newEmail)
    await app.db.updateTable('user').set({ email: newEmail }).where('email', '=', eve.email).execute()
    expect((await open(await verifications.next())).result.body.code).toBe('EMAIL_ALREADY_EXISTS')
    expect(await emails()).toEqual({ email: ann.email, emailVerified: false })
  })

  test('is rejected for a unique field that users may set', async () => {
    const badge = (input: boolean) =>
      withBoth(true, { user: { additionalFields: { badge: { type: 'string', unique: true, required: false, input } } } })
    await expect(badge(true)).rejects.toThrow('anti-enumeration-unique')
    await expect(badge(false)).resolves.toBeDefined()
  })
})

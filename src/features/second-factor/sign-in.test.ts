/** Signing in with an authenticator app or a backup code (contract 11 §3, §4). */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Answer, nameOf } from '../../../tests/kit/browser.ts'
import { signUp } from '../../../tests/kit/members.ts'
import { authenticator, enable, hasSession, signInAs, verify, withAnn } from '../../../tests/kit/second-factor.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'

describe('a sign-in of a user with an authenticator app', () => {
  test('gives no session, but a challenge, which a code completes once', async () => {
    const { browser, code, app } = await withAnn()
    const visitor = browser()
    const first = await signInAs(visitor, 'Ann', { callbackURL: '/dash' })
    expect([first.status, hasSession(first), first.headers.get('location')]).toEqual([200, false, null])
    expect(first.body).toEqual({
      twoFactorRedirect: true,
      twoFactorMethods: ['totp'],
      challenge: {
        kind: 'verify',
        expiresAt: new Date(app.now().getTime() + 600_000).toISOString(),
        expiresIn: 600,
        methods: [{ type: 'totp' }, { type: 'backup-code', left: 10 }],
        trustDevice: true,
      },
    })
    expect(first.setCookie.filter((header) => header.startsWith('latchkey.two_factor='))).toEqual([
      expect.stringMatching(/^latchkey\.two_factor=2fa-[\w-]{20}\.[^;]+; Max-Age=600;/),
    ])
    expect(await nameOf(visitor)).toBeNull()
    const wrong = await verify(visitor, '000000')
    expect([wrong.status, wrong.body]).toEqual([401, { code: 'INVALID_CODE', message: 'Invalid code' }])
    const copy = browser()
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
    const done = await verify(visitor, code())
    expect([done.status, hasSession(done), await nameOf(visitor)]).toEqual([200, true, 'Ann'])
    expect(done.body).toMatchObject({
      token: expect.any(String),
      user: { email: 'ann@example.com' },
      redirect: true,
      url: '/dash',
    })
    expect(visitor.cookies.has('latchkey.two_factor')).toBe(false)
    const again = await verify(copy, code(1))
    expect([again.status, again.body.code]).toEqual([401, 'INVALID_TWO_FACTOR_COOKIE'])
  })

  test('says how many seconds are left, also to a client whose clock is wrong', async () => {
    const { browser, clock } = await withAnn()
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    clock.advance(61)
    expect((await visitor.call('GET /two-factor/challenge', {})).body.expiresIn).toBe(539)
  })

  test('does not accept a code twice, also not in another challenge', async () => {
    const { browser, code } = await withAnn()
    const [one, other] = [browser(), browser()]
    await signInAs(one, 'Ann')
    await signInAs(other, 'Ann')
    expect((await verify(one, code())).status).toBe(200)
    const replayed = await verify(other, code())
    expect([replayed.status, replayed.body.code]).toEqual([401, 'INVALID_CODE'])
    expect((await verify(other, code(1))).status).toBe(200)
  })

  test('ends with a session that says how strong it is', async () => {
    const { browser, code, app } = await withAnn()
    const visitor = browser()
    await signInAs(visitor, 'Ann', { rememberMe: false })
    const done = await verify(visitor, code())
    expect(done.setCookie.join()).not.toMatch(/session_token=[^,]*Max-Age/)
    const status = await visitor.call('GET /two-factor/status', {})
    expect(status.body).toMatchObject({
      enabled: true,
      methods: [{ type: 'totp' }],
      backupCodesLeft: 10,
      session: { acr: 'urn:latchkey:acr:2', amr: ['pwd', 'otp', 'mfa'] },
    })
    const events = await app.db.selectFrom('auditEvent').select(['action', 'details']).orderBy('createdAt').execute()
    expect(events.filter(({ action }) => action === 'user.signed-in').map(({ details }) => details)).toContainEqual({
      method: 'password',
      acr: 'urn:latchkey:acr:2',
      factors: ['pwd', 'otp', 'mfa'],
      reason: 'has-factor',
    })
  })
})

test('a challenge and its code write one row, delete one and update two, more than a sign-in without a second factor', async () => {
  const kit = await withAnn()
  const { browser: bob } = await signUp(kit, 'Bob')
  await bob.call('POST /sign-out', {})
  const { record } = recordStatements(kit)
  // Audit events are apart: each one is a row, and updates the end of the chain.
  const written = async (call: () => Promise<Answer>) => {
    const { result, rows } = await record(call)
    expect(result.status).toBe(200)
    return rows.filter((row) => !/ audit_?\w+$/.test(row) && /^(insert|update|delete) /.test(row))
  }
  const visitor = kit.browser()
  const plain = await written(() => signInAs(kit.browser(), 'Bob'))
  const challenged = [...(await written(() => signInAs(visitor, 'Ann'))), ...(await written(() => verify(visitor, kit.code())))]
  for (const row of plain) {
    expect(challenged).toContain(row)
    challenged.splice(challenged.indexOf(row), 1)
  }
  expect(challenged.sort()).toEqual([
    'delete signinchallenge',
    'insert signinchallenge',
    'update signinchallenge',
    'update twofactor',
    // The lock of the user: it sets a column to the value that it has, which MySQL does not write.
    'update user',
  ])
})

describe('the audit log says why a sign-in was challenged or not, in the words of its explanation', () => {
  type Kit = Awaited<ReturnType<typeof withAnn>>
  async function reasonsOf({ app, userId }: Kit, action: string) {
    const rows = app.db.selectFrom('auditEvent').select('details').where('action', '=', action).where('userId', '=', userId)
    return (await rows.orderBy('createdAt').execute()).map(({ details }) => details?.reason)
  }
  async function explain(kit: Kit) {
    const { browser: root, userId } = await signUp(kit, 'Root')
    await kit.app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', userId).execute()
    const steps = ['password', 'passkey'].map(async (method) => {
      const query = { userId: kit.userId, method }
      return (await root.call('GET /admin/explain-sign-in', { query })).body.steps as { step: string; reason: string }[]
    })
    return (await Promise.all(steps)).flat().map(({ step, reason }) => `${step} ${reason}`)
  }

  test('a second factor, a trusted browser, and two factors in one', async () => {
    const kit = await withAnn({ admin: true, passkey: true })
    const device = createAuthenticator()
    const { body } = await kit.ann.call('GET /passkey/generate-register-options', { query: {} })
    await kit.ann.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
    const visitor = kit.browser()
    const steps: (() => Promise<unknown>)[] = [
      () => signInAs(visitor, 'Ann'),
      () => verify(visitor, kit.code(), { trustDevice: true }),
      () => signInAs(visitor, 'Ann'),
      async () => {
        const other = kit.browser()
        const options = await other.call('POST /passkey/generate-authenticate-options', {})
        const response = { ...device.get(options.body) }
        await other.call('POST /passkey/verify-authentication', { body: { response } })
      },
    ]
    for (const step of steps) {
      kit.clock.advance(1)
      await step()
    }
    expect(await reasonsOf(kit, 'two-factor.challenged')).toEqual(['has-factor'])
    expect(await reasonsOf(kit, 'user.signed-in')).toEqual([undefined, 'has-factor', 'trusted-browser', 'two-factors-in-one'])
    const explained = await explain(kit)
    expect(explained).toEqual(
      expect.arrayContaining(['challenge has-factor', 'challenge two-factors-in-one', 'trusted-browser browsers:1']),
    )
  })

  test('a rule', async () => {
    const kit = await testApp({ admin: true, mail: { catch: true }, twoFactor: { required: [{ roles: ['staff'] }] } })
    const { userId } = await signUp(kit, 'Bob')
    await kit.app.db.updateTable('user').set({ role: 'staff' }).where('id', '=', userId).execute()
    const visitor = kit.browser()
    await signInAs(visitor, 'Bob')
    const begun = await enable(visitor)
    kit.clock.advance(1)
    expect((await verify(visitor, authenticator(begun.body.totpURI, kit.app)())).status).toBe(200)
    const events = kit.app.db.selectFrom('auditEvent').select(['action', 'details']).where('userId', '=', userId)
    const written = await events.orderBy('createdAt').execute()
    const reasonOf = (wanted: string) => written.findLast(({ action }) => action === wanted)?.details
    expect(reasonOf('two-factor.challenged')).toEqual({ method: 'password', reason: 'required', rule: 'role:staff' })
    expect(reasonOf('user.signed-in')).toMatchObject({ method: 'password', reason: 'required', factors: ['pwd', 'otp', 'mfa'] })
  })
})

describe('a backup code', () => {
  const use = (visitor: Parameters<typeof verify>[0], code: string, more = {}) =>
    visitor.call('POST /two-factor/verify-backup-code', { body: { code, ...more } })

  test('signs in once, with or without its hyphen, but in its case', async () => {
    const { browser, backupCodes } = await withAnn()
    const [code = '', second = ''] = backupCodes
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    const swapped = code.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    expect((await use(visitor, swapped)).body.code).toBe('INVALID_BACKUP_CODE')
    const done = await use(visitor, code.replace('-', ' '), { trustDevice: true })
    expect([done.status, done.body.backupCodesLeft, await nameOf(visitor)]).toEqual([200, 9, 'Ann'])
    expect(visitor.cookies.has('latchkey.trust_device')).toBe(false)
    const other = browser()
    await signInAs(other, 'Ann')
    expect((await use(other, code)).body.code).toBe('INVALID_BACKUP_CODE')
    const kept = await use(other, second, { disableSession: true })
    expect([kept.status, Object.keys(kept.body).sort(), hasSession(kept)]).toEqual([200, ['backupCodesLeft', 'user'], false])
    expect((await other.call('GET /two-factor/challenge', {})).body).toMatchObject({ kind: 'verify', email: 'a…@example.com' })
  })
})

describe('a trusted browser', () => {
  test('needs no second factor for 30 days from the proof, and gets a new id at each sign-in', async () => {
    const { browser, code, clock } = await withAnn({ session: { expiresIn: 86_400 } })
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    await verify(visitor, code(), { trustDevice: true })
    const first = visitor.cookies.get('latchkey.trust_device')
    expect(first).toMatch(/^trust-device-/)
    await visitor.call('POST /sign-out', {})
    clock.advance(3600)
    const again = await signInAs(visitor, 'Ann')
    expect([again.status, hasSession(again)]).toEqual([200, true])
    expect(visitor.cookies.get('latchkey.trust_device')).not.toBe(first)
    expect((await visitor.call('GET /two-factor/status', {})).body.session).toMatchObject({
      acr: 'urn:latchkey:acr:1',
      amr: ['pwd'],
    })
    clock.advance(30 * 86_400)
    expect((await signInAs(visitor, 'Ann')).body.twoFactorRedirect).toBe(true)
  })
})

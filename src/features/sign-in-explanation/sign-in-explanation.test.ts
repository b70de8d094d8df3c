/** What administrators see of second factors, and the explanation of a sign-in (contract 11 §12). */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { enrol, signInAs, verify } from '../../../tests/kit/second-factor.ts'
import type { ConfigFile } from '../index.ts'

/** Ada is an administrator, Uma a user. */
async function withUma(config: ConfigFile = {}) {
  const kit = await administrate(await testApp({ admin: true, twoFactor: true, passkey: true, mail: { catch: true }, ...config }))
  const { browser, userId } = kit.uma
  const explain = async (method?: string) => {
    const query = { userId, ...(method !== undefined && { method }) }
    const { status, body } = await kit.ada.browser.call('GET /admin/explain-sign-in', { query })
    expect(status).toBe(200)
    return (body.steps as { step: string; result: string; reason: string }[]).map(
      ({ step, result, reason }) => `${step} ${result} ${reason}`,
    )
  }
  const change = (columns: object) => kit.app.db.updateTable('user').set(columns).where('id', '=', userId).execute()
  return { ...kit, uma: browser, userId, explain, change }
}

async function addPasskey(browser: Browser) {
  const device = createAuthenticator()
  const { body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  const response = { ...device.create(body) }
  expect((await browser.call('POST /passkey/verify-registration', { body: { response } })).status).toBe(200)
}

/** What the server stores about the sign-ins of users, to see that a call changes none of it. */
const stored = async ({ app }: Awaited<ReturnType<typeof withUma>>) => {
  const tables = ['user', 'session', 'twoFactor', 'backupCode', 'signInChallenge', 'trustedDevice', 'passkey', 'outbox'] as const
  return Promise.all(tables.map((table) => app.db.selectFrom(table).selectAll().orderBy('id').execute()))
}

describe('the list of second factors of a user', () => {
  test('of a user without any is empty', async () => {
    const { ada, userId } = await withUma()
    const { status, body } = await ada.browser.call('GET /admin/list-user-factors', { query: { userId } })
    expect([status, body]).toEqual([
      200,
      {
        ...{ enabled: false, methods: [], backupCodesLeft: 0, passkeys: [], trustedDevices: [] },
        ...{ required: null, pendingReset: null },
      },
    ])
  })

  test('has methods, passkeys and trusted browsers, and no secrets', async () => {
    const kit = await withUma()
    const { code, backupCodes } = await enrol(kit, kit.uma)
    await addPasskey(kit.uma)
    const trusted = kit.browser()
    await signInAs(trusted, 'Uma')
    await verify(trusted, code(), { trustDevice: true })
    const { body } = await kit.ada.browser.call('GET /admin/list-user-factors', { query: { userId: kit.userId } })
    expect(body).toMatchObject({
      enabled: true,
      methods: [{ type: 'passkey' }, { type: 'totp', createdAt: expect.any(String) }],
      backupCodesLeft: 10,
      passkeys: [{ id: expect.any(String), provider: null, createdAt: expect.any(String), lastUsedAt: null }],
      trustedDevices: [{ id: expect.any(String), expiresAt: expect.any(String) }],
    })
    const secrets = await kit.app.db.selectFrom('twoFactor').select('secret').execute()
    const keys = await kit.app.db.selectFrom('trustedDevice').select('key').execute()
    const passkeys = await kit.app.db.selectFrom('passkey').select(['credentialID', 'publicKey']).execute()
    const hidden = [...secrets, ...keys, ...passkeys].flatMap((row) => Object.values(row))
    for (const secret of [...backupCodes, ...hidden]) expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('is for administrators, and of users who exist', async () => {
    const { ada, uma, userId, events, clock } = await withUma()
    for (const key of ['GET /admin/list-user-factors', 'GET /admin/explain-sign-in'] as const) {
      const denied = await uma.call(key, { query: { userId } })
      expect([denied.status, denied.body.code]).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'])
      const unknown = await ada.browser.call(key, { query: { userId: 'unknown' } })
      expect([unknown.status, unknown.body.code]).toEqual([404, 'USER_NOT_FOUND'])
      await ada.browser.call(key, { query: { userId } })
      // Equal readings are recorded once a minute.
      clock.advance(61)
    }
    expect((await events('user.read')).filter(({ targetId }) => targetId === userId)).toHaveLength(2)
  })
})

describe('the explanation of a sign-in', () => {
  test('of a user without a second factor ends with a session', async () => {
    const { explain } = await withUma()
    expect(await explain()).toEqual([
      'method:password available has-password',
      'method:passkey unavailable no-passkey',
      'admission admitted no-rejection',
      'challenge none no-factor',
      'step-up fresh-session max-age:86400',
    ])
  })

  test('names the factors that are offered, and why the others are not', async () => {
    const kit = await withUma()
    await enrol(kit, kit.uma)
    const before = await stored(kit)
    expect(await kit.explain('password')).toEqual([
      'method:password available has-password',
      'admission admitted no-rejection',
      'challenge totp has-factor',
      'factor:passkey not-offered not-set-up',
      'factor:totp offered usable',
      'factor:otp:sms not-offered not-set-up',
      'factor:otp:email not-offered not-set-up',
      'factor:backup-code offered left:10',
      'trusted-browser accepted browsers:0',
      'codes compared failures:0',
      'step-up recent-factor max-age:900',
    ])
    expect(await stored(kit)).toEqual(before)
  })

  test('says what the sign-in then does', async () => {
    const kit = await withUma()
    await enrol(kit, kit.uma)
    await addPasskey(kit.uma)
    const steps = await kit.explain('password')
    const { body } = await signInAs(kit.browser(), 'Uma')
    const methods = body.challenge.methods.map(({ type }: { type: string }) => type)
    const offered = steps.filter((step) => step.includes(' offered ')).map((step) => step.split(' ')[0]?.slice('factor:'.length))
    expect(offered).toEqual(methods)
    expect(steps).toContain(`challenge ${methods[0]} has-factor`)
  })

  test('stops at a ban', async () => {
    const { explain, change, browser } = await withUma()
    await change({ banned: true })
    expect(await explain('password')).toEqual(['method:password available has-password', 'admission rejected BANNED_USER'])
    expect((await signInAs(browser(), 'Uma')).body.code).toBe('BANNED_USER')
  })

  test('says that a passkey which verifies its user proves both factors', async () => {
    const kit = await withUma()
    await enrol(kit, kit.uma)
    await addPasskey(kit.uma)
    expect(await kit.explain('passkey')).toEqual([
      'method:passkey available has-passkey',
      'method:passkey:without-user-verification available has-passkey',
      'admission admitted no-rejection',
      'challenge none two-factors-in-one',
      'step-up recent-factor max-age:900',
    ])
    expect(await kit.explain('passkey:without-user-verification')).toContain('challenge passkey has-factor')
  })

  test('offers no code to where the first factor came from', async () => {
    const sent = { otpOptions: { channels: ['email' as const] } }
    const kit = await withUma({ mail: { catch: true }, emailOTP: true, magicLink: true, twoFactor: sent })
    await enrol(kit, kit.uma)
    await kit.change({ emailVerified: true })
    await kit.app.db.updateTable('twoFactor').set({ otpChannels: 'email' }).execute()
    expect(await kit.explain('password')).toContain('factor:otp:email offered usable')
    for (const method of ['email-code', 'magic-link']) {
      const steps = await kit.explain(method)
      expect(steps).toContain(`method:${method} available has-email`)
      expect(steps).toContain('factor:otp:email not-offered first-factor-channel')
      expect(steps).toContain('trusted-browser not-accepted other-method')
    }
  })

  test('shows codes that are turned off, and a challenge that the user cannot answer', async () => {
    const kit = await withUma()
    await enrol(kit, kit.uma)
    await kit.app.db.updateTable('twoFactor').set({ failures: 100, suspendedAt: kit.app.now(), secret: null }).execute()
    await kit.app.db.deleteFrom('backupCode').execute()
    const steps = await kit.explain('password')
    expect(steps).toContain('challenge unanswerable has-factor')
    expect(steps).toContain('factor:totp not-offered suspended')
    expect(steps).toContain('codes suspended failures:100')
  })

  test('shows the delay after wrong codes', async () => {
    const kit = await withUma()
    await enrol(kit, kit.uma)
    await kit.app.db
      .updateTable('twoFactor')
      .set({ failures: 12, blockedUntil: kit.app.now().getTime() + 120_000 })
      .execute()
    expect(await kit.explain()).toContain('codes delayed:120 failures:12')
  })

  test('of an unknown method, or of one that the user cannot use, says why', async () => {
    const { explain, change, ada, app } = await withUma({
      emailAndPassword: { enabled: true, requireEmailVerification: true },
    })
    await app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', ada.userId).execute()
    await signInAs(ada.browser, 'Ada')
    expect(await explain('fax')).toEqual(['method:fax unavailable off'])
    await change({ emailVerified: false })
    expect(await explain('password')).toEqual(['method:password unavailable email-not-verified'])
    await change({ emailVerified: true })
    expect(await explain('password')).toContain('method:password available has-password')
  })

  test('works without second factors', async () => {
    const { explain, ada, userId } = await withUma({ twoFactor: false, passkey: false })
    expect(await explain()).toEqual([
      'method:password available has-password',
      'admission admitted no-rejection',
      'challenge none off',
    ])
    const { status, body } = await ada.browser.call('GET /admin/list-user-factors', { query: { userId } })
    expect([status, body.methods]).toEqual([200, []])
  })
})

describe('the explanation of a sign-in with a provider', () => {
  const trusting = async (
    trustProviders: NonNullable<Exclude<ConfigFile['twoFactor'], boolean | undefined>['trustProviders']>,
  ) => {
    const kit = await withUma({
      twoFactor: { trustProviders },
      socialProviders: { google: { clientId: 'id', clientSecret: 'secret' } },
    })
    await enrol(kit, kit.uma)
    const now = kit.app.now()
    const times = { createdAt: now, updatedAt: now }
    const account = { id: kit.app.random.id(), userId: kit.userId, providerId: 'google', accountId: '1', ...times }
    await kit.app.db.insertInto('account').values(account).execute()
    return kit
  }

  test('says that the configuration trusts the provider', async () => {
    const kit = await trusting(['google'])
    expect((await kit.explain('social')).slice(0, 3)).toEqual([
      'method:social:google available linked',
      'admission admitted no-rejection',
      'challenge accepted provider-trusted',
    ])
  })

  test('says which claim the provider must assert', async () => {
    const steps = await (await trusting([{ id: 'google', when: { amr: 'mfa' } }])).explain('social:google')
    expect(steps).toContain('challenge totp has-factor')
    expect(steps).toContain('provider conditional amr:mfa')
  })

  test('of a provider that is not trusted is as any other', async () => {
    const steps = await (await trusting([])).explain('social:google')
    expect(steps).toContain('challenge totp has-factor')
    expect(steps.join()).not.toContain('conditional')
  })
})

describe('the explanation of a sign-in under a rule', () => {
  const under = (rule: object, config: ConfigFile = {}) =>
    withUma({ twoFactor: { required: [{ roles: ['user'], ...rule }] } as ConfigFile['twoFactor'] & object, ...config })
  const ruleSteps = (steps: readonly string[]) => steps.filter((step) => step.startsWith('rule'))

  test('says until when a second factor must be set up, without starting the grace', async () => {
    const kit = await under({ graceDays: 14 })
    await kit.app.db.deleteFrom('twoFactorDue').execute()
    const due = new Date(kit.app.now().getTime() + 14 * 86_400_000).toISOString()
    expect(ruleSteps(await kit.explain('password'))).toEqual([
      'rule grace role:user',
      'rule-methods passkey,totp role:user',
      `rule-due ${due} role:user`,
    ])
    expect(await kit.app.db.selectFrom('twoFactorDue').selectAll().execute()).toEqual([])
    const { body } = await kit.ada.browser.call('GET /admin/list-user-factors', { query: { userId: kit.userId } })
    expect(body.required).toEqual({ by: 'role:user', dueAt: due, methods: ['passkey', 'totp'] })
  })

  test('says that the sign-in ends in the set-up, as it then does', async () => {
    const kit = await under({ graceDays: 1 })
    kit.clock.advance(86_400)
    const steps = await kit.explain('password')
    expect(steps).toContain('challenge none no-factor')
    expect(steps).toContain('rule setup role:user')
    expect((await signInAs(kit.browser(), 'Uma')).body.code).toBe('SECOND_FACTOR_SETUP_REQUIRED')
  })

  test('says that a second factor satisfies it, and that browsers may not be trusted', async () => {
    const kit = await under({ graceDays: 1, trustedDevices: false })
    await enrol(kit, kit.uma)
    const steps = await kit.explain('password')
    expect(ruleSteps(steps)).toEqual(['rule satisfied role:user', 'rule-methods passkey,totp role:user'])
    expect(steps).toContain('trusted-browser not-accepted rule')
  })

  test('challenges a user with a passkey that satisfies it, although they have not enabled it', async () => {
    const kit = await under({ graceDays: 1 })
    await addPasskey(kit.uma)
    const before = await stored(kit)
    expect(await kit.explain('password')).toContain('challenge passkey required')
    expect(await stored(kit)).toEqual(before)
    expect((await signInAs(kit.browser(), 'Uma')).body.twoFactorMethods).toEqual(['passkey'])
  })

  test('does not hold for a provider that the configuration trusts', async () => {
    const kit = await withUma({
      twoFactor: { required: [{ roles: ['user'], graceDays: 1 }], trustProviders: ['google'] },
      socialProviders: { google: { clientId: 'id', clientSecret: 'secret' } },
    })
    const times = { createdAt: kit.app.now(), updatedAt: kit.app.now() }
    const account = { id: kit.app.random.id(), userId: kit.userId, providerId: 'google', accountId: '1', ...times }
    await kit.app.db.insertInto('account').values(account).execute()
    const steps = await kit.explain('social:google')
    expect(steps).toContain('challenge accepted provider-trusted')
    expect(ruleSteps(steps)).toEqual([])
  })
})

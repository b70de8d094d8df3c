/** Rules of the policy that members of an organization need a second factor. */
import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Member, outcome, withAcme } from '../../../tests/kit/members.ts'
import { enable, enrol, signInAs } from '../../../tests/kit/second-factor.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import type { ConfigFile } from '../index.ts'

const permitting: ConfigFile = { twoFactor: { required: [{ organizations: true }] } }
const day = 86_400

/** Ann owns Acme, and has a second factor. */
async function withPolicies(config: ConfigFile = {}, policy: object | null = { required: true }) {
  const kit = await withAcme({}, { ...permitting, ...config })
  const { ann, organizationId, app } = kit
  const factor = await enrol(kit, ann.browser)
  const setPolicy = (body: object, { browser }: Pick<Member, 'browser'> = ann) =>
    browser.call('POST /organization/set-two-factor-policy', { body: { organizationId, ...body } as never })
  if (policy) expect(outcome(await setPolicy(policy))).toBe('200')
  const read = ({ browser }: Pick<Member, 'browser'>) =>
    browser.call('GET /organization/list-roles', { query: { organizationId } })
  const stateOf = async (userId: string) =>
    app.db.selectFrom('member').select('twoFactorMetAt').where('userId', '=', userId).executeTakeFirstOrThrow()
  const dueOf = async ({ browser }: Member) =>
    (await browser.call('GET /organization/get-full-organization', { query: { organizationSlug: 'acme' } })).body.twoFactorDueAt
  return { ...kit, factor, setPolicy, read, stateOf, dueOf }
}

describe('setting the policy', () => {
  test('returns the organization, and is recorded once', async () => {
    const { setPolicy, activity, app, organizationId } = await withPolicies({}, null)
    const { body } = await setPolicy({ required: true, graceDays: 14 })
    expect(body).toEqual({
      organization: expect.objectContaining({
        id: organizationId,
        slug: 'acme',
        twoFactorRequired: true,
        twoFactorGraceDays: 14,
      }),
    })
    await setPolicy({ required: true, graceDays: 14 })
    // Without days it stays.
    expect((await setPolicy({ required: true })).body.organization.twoFactorGraceDays).toBe(14)
    expect((await setPolicy({ required: false })).body.organization).toMatchObject({
      twoFactorRequired: false,
      twoFactorGraceDays: null,
    })
    const changed = 'organization.two-factor-policy-changed'
    expect((await activity()).filter((action) => action === changed)).toHaveLength(2)
    const events = await app.db.selectFrom('auditEvent').select('details').where('action', '=', changed).execute()
    expect(events.map(({ details }) => details)).toContainEqual({
      ...{ name: 'Acme', slug: 'acme', required: true, graceDays: 14, showAdministrators: false },
    })
  })

  test('needs the configuration, the permission, a proof, and a second factor of the user who sets it', async () => {
    const { setPolicy, join, clock } = await withPolicies({}, null)
    expect(outcome(await setPolicy({ required: true, graceDays: 366 }))).toBe('400 VALIDATION_ERROR')
    expect(outcome(await setPolicy({ required: true, graceDays: -1 }))).toBe('400 VALIDATION_ERROR')
    expect(outcome(await setPolicy({ required: true }, await join('Bob')))).toBe(
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION',
    )
    const admin = await join('Cleo', 'admin')
    expect(outcome(await setPolicy({ required: true }, admin))).toBe('400 YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE')
    expect(outcome(await setPolicy({ required: false }, admin))).toBe('200')
    clock.advance(901)
    expect(outcome(await setPolicy({ required: true }))).toBe('403 SESSION_IS_NOT_FRESH')
    const without = await withAcme({}, { twoFactor: true })
    const body = { organizationId: without.organizationId, required: false }
    expect(outcome(await without.ann.browser.call('POST /organization/set-two-factor-policy', { body }))).toBe(
      '400 TWO_FACTOR_POLICIES_ARE_NOT_ENABLED',
    )
  })
})

describe('a member without a second factor', () => {
  test('is stopped in this organization only, signs in, and is let in again with one', async () => {
    const { join, read, other, organizationId, ...kit } = await withPolicies()
    const bob = await join('Bob')
    const stopped = { code: 'SECOND_FACTOR_REQUIRED', message: 'Second factor required', organizationId }
    expect((await read(bob)).body).toEqual(stopped)
    expect((await bob.browser.call('POST /organization/set-active', { body: { organizationSlug: 'acme' } })).body).toEqual(
      stopped,
    )
    const own = await other('Bert')
    expect(outcome(await own.browser.call('GET /organization/list-roles', { query: {} }))).toBe('200')
    const again = kit.browser()
    expect(outcome(await signInAs(again, 'Bob'))).toBe('200')
    expect((await again.call('GET /organization/list', { query: {} })).body).toHaveLength(1)
    await enrol(kit, again)
    expect(outcome(await read({ browser: again }))).toBe('200')
    // In every session of the user.
    expect(outcome(await read(bob))).toBe('200')
    expect(outcome(await again.call('POST /two-factor/disable', { body: { password: 'correct horse battery' } as never }))).toBe(
      '200',
    )
    expect(outcome(await read({ browser: again }))).toBe('403 SECOND_FACTOR_REQUIRED')
  })

  test('is one who has codes by email only, as for the rules; a passkey is a second factor', async () => {
    const { join, read, app, ...kit } = await withPolicies(
      {
        passkey: true,
        twoFactor: { required: [{ organizations: true }], otpOptions: { channels: ['email'], sendOTP: () => {} } },
      },
      null,
    )
    const bob = await join('Bob')
    await app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', bob.userId).execute()
    expect(outcome(await enable(bob.browser, { method: 'otp', channel: 'email' }))).toBe('200')
    await kit.setPolicy({ required: true })
    expect(outcome(await read(bob))).toBe('403 SECOND_FACTOR_REQUIRED')
    const admin = await join('Cleo', 'admin')
    const device = createAuthenticator()
    const { body } = await admin.browser.call('GET /passkey/generate-register-options', { query: {} })
    const response = { ...device.create(body) }
    expect(outcome(await admin.browser.call('POST /passkey/verify-registration', { body: { response } }))).toBe('200')
    expect(outcome(await read(admin))).toBe('200')
    expect(outcome(await kit.setPolicy({ required: true, graceDays: 1 }, admin))).toBe('200')
  })

  test('has the grace from their first call, not from when the policy was set', async () => {
    const { join, read, clock, stateOf, dueOf, app } = await withPolicies({}, { required: true, graceDays: 2 })
    const bob = await join('Bob')
    await app.db.updateTable('member').set({ twoFactorMetAt: null }).execute()
    clock.advance(5 * day)
    const metAt = app.now()
    expect((await stateOf(bob.userId)).twoFactorMetAt).toBeNull()
    expect(await dueOf(bob)).toBe(new Date(metAt.getTime() + 2 * day * 1000).toISOString())
    clock.advance(day)
    expect(outcome(await read(bob))).toBe('200')
    expect((await stateOf(bob.userId)).twoFactorMetAt).toEqual(metAt)
    clock.advance(day - 1)
    expect(outcome(await read(bob))).toBe('200')
    clock.advance(1)
    expect(outcome(await read(bob))).toBe('403 SECOND_FACTOR_REQUIRED')
  })

  test('gets a new grace when the policy is set again, and the longer one when it is changed', async () => {
    const { join, read, clock, setPolicy, ann, factor } = await withPolicies({}, { required: true, graceDays: 1 })
    const bob = await join('Bob')
    clock.advance(day)
    expect(outcome(await read(bob))).toBe('403 SECOND_FACTOR_REQUIRED')
    await ann.browser.call('POST /two-factor/verify-totp', { body: { code: factor.code() } })
    await setPolicy({ required: true, graceDays: 3 })
    expect(outcome(await read(bob))).toBe('200')
    await setPolicy({ required: false })
    clock.advance(10)
    await setPolicy({ required: true, graceDays: 1 })
    expect(outcome(await read(bob))).toBe('200')
    clock.advance(day)
    expect(outcome(await read(bob))).toBe('403 SECOND_FACTOR_REQUIRED')
  })

  test('can leave, and cannot join by an invitation without grace', async () => {
    const { join, setPolicy, organizationId, ann, app } = await withPolicies()
    const bob = await join('Bob')
    expect(outcome(await bob.browser.call('POST /organization/leave', { body: { organizationId } }))).toBe('200')
    const invited = await ann.browser.call('POST /organization/invite-member', {
      body: { email: bob.email, role: 'member', organizationId },
    })
    const accept = () => bob.browser.call('POST /organization/accept-invitation', { body: { invitationId: invited.body.id } })
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    expect(outcome(await accept())).toBe('403 SECOND_FACTOR_REQUIRED')
    await setPolicy({ required: true, graceDays: 1 })
    expect(outcome(await accept())).toBe('200')
  })

  test('is not stopped once the configuration permits no policies', async () => {
    const { join, read, app } = await withPolicies()
    const bob = await join('Bob')
    expect(outcome(await read(bob))).toBe('403 SECOND_FACTOR_REQUIRED')
    Object.assign(app, { config: { ...app.config, twoFactor: { ...app.config.twoFactor, required: [] } } })
    expect(outcome(await read(bob))).toBe('200')
  })
})

test('the policy is read with the membership: calls take no statement more, but under a policy those that read the factors', async () => {
  const without = await withAcme({}, { twoFactor: true })
  const bob = await without.join('Bob')
  const policies = await withPolicies({}, null)
  const [eve, withFactor] = [await policies.join('Eve'), policies.ann]
  const call = ({ browser }: Member) => browser.call('GET /organization/get-active-member-role', { query: {} })
  const usual = await recordStatements(without).record(() => call(bob))
  const recorder = recordStatements(policies)
  const recorded = [await recorder.record(() => call(eve)), await recorder.record(() => call(withFactor))]
  expect(usual.statements.length).toBeGreaterThan(0)
  for (const { statements } of recorded) expect(statements).toEqual(usual.statements)
  await policies.setPolicy({ required: true, graceDays: 3 })
  await call(eve)
  const readers = [await recorder.record(() => call(eve)), await recorder.record(() => call(withFactor))]
  for (const { statements } of readers) expect(statements).toHaveLength(usual.statements.length + 2)
})

describe('the members without a second factor', () => {
  test('are listed for those who may set the policy', async () => {
    const { ann, join, organizationId } = await withPolicies({}, null)
    const bob = await join('Bob')
    const list = async ({ browser }: Member, more: object) => {
      const query = { organizationId, filterField: 'twoFactorEnabled', ...more } as never
      const { status, body } = await browser.call('GET /organization/list-members', { query })
      return status === 200
        ? [body.total, body.members.map(({ user }: { user: { name: string } }) => user.name)]
        : `${status} ${body.code}`
    }
    expect(await list(ann, { filterValue: 'false' })).toEqual([1, ['Bob']])
    expect(await list(ann, { filterValue: 'true' })).toEqual([1, ['Ann']])
    expect(await list(ann, { filterValue: 'true', filterOperator: 'ne' })).toEqual([1, ['Bob']])
    expect(await list(ann, { filterValue: 'yes' })).toBe('400 VALIDATION_ERROR')
    expect(await list(ann, { filterValue: 'true', filterOperator: 'contains' })).toBe('400 VALIDATION_ERROR')
    expect(await list(bob, { filterValue: 'false' })).toBe('403 FORBIDDEN')
    const without = await withAcme()
    const query = { filterField: 'twoFactorEnabled', filterValue: 'false' } as const
    expect(outcome(await without.ann.browser.call('GET /organization/list-members', { query }))).toBe('400 VALIDATION_ERROR')
  })

  test('are those whom the policy stops: codes by email do not satisfy it, a passkey and codes by text message do', async () => {
    const sendOTP = () => {}
    const { ann, join, organizationId, app, setPolicy, read } = await withPolicies(
      {
        passkey: true,
        mail: { catch: true },
        sms: { send: () => {} },
        phoneNumber: true,
        twoFactor: { required: [{ organizations: true }], otpOptions: { channels: ['sms', 'email'], sendOTP } },
      },
      null,
    )
    const set = (userId: string, columns: object) => app.db.updateTable('user').set(columns).where('id', '=', userId).execute()
    const setFactor = (userId: string, columns: object) =>
      app.db.updateTable('twoFactor').set(columns).where('userId', '=', userId).execute()
    const withCodes = async (name: string, channel: 'sms' | 'email') => {
      const member = await join(name)
      await set(member.userId, { emailVerified: true, phoneNumber: `+4915112345${members.length}`, phoneNumberVerified: true })
      expect(outcome(await enable(member.browser, { method: 'otp', channel }))).toBe('200')
      return member
    }
    const withPasskey = async (name: string, columns: object = {}) => {
      const member = await join(name)
      const { body } = await member.browser.call('GET /passkey/generate-register-options', { query: {} })
      const response = { ...createAuthenticator().create(body) }
      expect(outcome(await member.browser.call('POST /passkey/verify-registration', { body: { response } }))).toBe('200')
      if (Object.keys(columns).length > 0)
        await app.db.updateTable('passkey').set(columns).where('userId', '=', member.userId).execute()
      return member
    }
    const members: Member[] = [ann]
    const add = async (member: Promise<Member>) => members[members.push(await member) - 1]?.userId ?? ''
    await add(join('None'))
    await add(withCodes('Email', 'email'))
    await add(withCodes('Sms', 'sms'))
    await set(await add(withCodes('Moved', 'sms')), { phoneNumberVerified: false })
    await setFactor(await add(withCodes('Suspended', 'sms')), { suspendedAt: app.now() })
    await add(withPasskey('Passkey'))
    await add(withPasskey('Copied', { suspendedAt: app.now() }))
    await add(withPasskey('Foreign', { rpID: 'example.org' }))
    const pending = await join('Pending')
    await add(Promise.resolve(pending))
    expect(outcome(await enable(pending.browser))).toBe('200')
    await setPolicy({ required: true })

    const names = async (filterValue: string) => {
      const query = { organizationId, filterField: 'twoFactorEnabled', filterValue } as never
      const { body } = await ann.browser.call('GET /organization/list-members', { query })
      expect(body.total).toBe(body.members.length)
      return body.members.map(({ user }: { user: { name: string } }) => user.name).sort()
    }
    const expected = {
      true: ['Ann', 'Passkey', 'Sms'],
      false: ['Copied', 'Email', 'Foreign', 'Moved', 'None', 'Pending', 'Suspended'],
    }
    expect({ true: await names('true'), false: await names('false') }).toEqual(expected)
    const stopped = await Promise.all(members.map(async (member) => [member.email, outcome(await read(member))]))
    const emailOf = (name: string) => `${name.toLowerCase()}@example.com`
    expect(stopped.flatMap(([email, result]) => (result === '200' ? email : [])).sort()).toEqual(expected.true.map(emailOf))
    await ann.browser.call('POST /organization/send-two-factor-reminders', { body: { organizationId } })
    const reminders = app.db.selectFrom('outbox').select('recipient').where('kind', '=', 'organization-two-factor')
    expect((await reminders.execute()).map(({ recipient }) => recipient).sort()).toEqual(expected.false.map(emailOf))
  })

  test('get one reminder a day', async () => {
    const { ann, join, organizationId, clock, activity, ...kit } = await withPolicies({ mail: { catch: true } }, null)
    const bob = await join('Bob')
    const remind = ({ browser }: Member) =>
      browser.call('POST /organization/send-two-factor-reminders', { body: { organizationId } })
    const recipients = async () =>
      (await kit.app.db.selectFrom('outbox').select('recipient').where('kind', '=', 'organization-two-factor').execute()).map(
        ({ recipient }) => recipient,
      )
    expect(outcome(await remind(bob))).toBe('403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION')
    expect((await remind(ann)).body).toEqual({ sent: 1, hasMore: false })
    expect(await activity()).toContain('organization.two-factor-reminded')
    const parallel = await Promise.all(Array.from({ length: 8 }, () => remind(ann)))
    expect(parallel.map(({ body }) => body.sent)).toEqual(Array.from({ length: 8 }, () => 0))
    expect(await recipients()).toEqual(['bob@example.com'])
    clock.advance(day)
    expect((await remind(ann)).body).toEqual({ sent: 1, hasMore: false })
    expect(await recipients()).toEqual(['bob@example.com', 'bob@example.com'])
    await enrol({ ...kit, clock }, bob.browser)
    expect((await remind(ann)).body).toEqual({ sent: 0, hasMore: false })
  })
})

import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import { flushDenials } from '../audit/index.ts'
import type { ConfigFile } from '../index.ts'

const password = 'correct horse battery'
type Options = Extract<ConfigFile['organization'], object>

const outcome = ({ status, body }: Answer) => [status, body?.code].filter(Boolean).join(' ')

/** Ann is the owner of Acme, Ben an admin and Mia a member of it; Eve has an organization of her own. */
async function withAcme(organization: Options = {}, config: ConfigFile = {}) {
  const kit = await testApp({ organization: { enabled: true, ...organization }, ...config })
  const { db } = kit.app
  const ids: Record<string, string> = {}
  const signUp = async (name: string, verified = true) => {
    const browser = kit.browser()
    const email = `${name.toLowerCase()}@example.com`
    const { body } = await browser.call('POST /sign-up/email', { body: { name, email, password } })
    ids[name] = body.user.id
    await db.updateTable('user').set({ emailVerified: verified }).where('id', '=', body.user.id).execute()
    return browser
  }
  const [ann, ben, mia, eve] = [await signUp('Ann'), await signUp('Ben'), await signUp('Mia'), await signUp('Eve')]
  const body = { name: 'Acme', slug: 'acme', metadata: { plan: 'secret plan' } }
  const acme: string = (await ann.call('POST /organization/create', { body })).body.id
  const other: string = (await eve.call('POST /organization/create', { body: { name: 'Other', slug: 'other' } })).body.id
  const add = async (userId: string, role: string, teamId: string | null = null) => {
    const row = { id: `m-${userId}`.slice(0, 36), organizationId: acme, userId, role, teamId, createdAt: kit.clock.now() }
    await db.insertInto('member').values(row).execute()
    const { id, createdAt } = row
    if (teamId !== null) await db.insertInto('teamMember').values({ id, teamId, userId, memberId: id, createdAt }).execute()
    await db
      .updateTable('organization')
      .set((eb) => ({ memberCount: eb('memberCount', '+', 1) }))
      .where('id', '=', acme)
      .execute()
    return row
  }
  await add(ids.Ben ?? '', 'admin')
  await add(ids.Mia ?? '', 'member')
  const team = async (name: string, organizationId = acme) => {
    const id = `team-${name}`
    await db.insertInto('team').values({ id, name, organizationId, createdAt: kit.clock.now(), updatedAt: null }).execute()
    return id
  }
  const invite = (by: Browser, given: object = {}) =>
    by.call('POST /organization/invite-member', {
      body: { email: 'una@example.com', role: 'member', organizationId: acme, ...given },
    })
  const rows = () => db.selectFrom('invitation').selectAll().orderBy('createdAt').orderBy('id').execute()
  const activity = async () =>
    (await db.selectFrom('auditEvent').selectAll().where('organizationId', 'is not', null).execute()).filter(
      ({ action }) => action !== 'organization.created',
    )
  return { ...kit, signUp, ids, ann, ben, mia, eve, acme, other, add, team, invite, rows, activity }
}

const accept = (by: Browser, invitationId: string) => by.call('POST /organization/accept-invitation', { body: { invitationId } })
const reject = (by: Browser, invitationId: string) => by.call('POST /organization/reject-invitation', { body: { invitationId } })
const cancel = (by: Browser, invitationId: string) => by.call('POST /organization/cancel-invitation', { body: { invitationId } })
const get = (by: Browser, id: string) => by.call('GET /organization/get-invitation', { query: { id } })
const list = (by: Browser, query: object = {}) => by.call('GET /organization/list-invitations', { query })
const own = (by: Browser) => by.call('GET /organization/list-user-invitations', {})
const active = async (by: Browser) => (await by.call('GET /get-session', {})).body.session.activeOrganizationId

describe('invite-member', () => {
  test('stores a pending invitation in lower case for two days, and records it', async () => {
    const { ann, acme, ids, invite, clock, activity } = await withAcme()
    const { status, body } = await invite(ann, { email: 'Una@Example.COM', role: ['member', 'admin'] })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^\w{32}$/),
      organizationId: acme,
      email: 'una@example.com',
      role: 'member,admin',
      status: 'pending',
      expiresAt: new Date(clock.now().getTime() + 172_800_000).toISOString(),
      inviterId: ids.Ann,
    })
    const target = {
      targetType: 'invitation',
      targetId: body.id,
      organizationId: acme,
      details: { role: 'member,admin', expiresAt: body.expiresAt },
    }
    expect(await activity()).toEqual([expect.objectContaining({ action: 'invitation.created', actorId: ids.Ann, ...target })])
  })

  test('checks in the order of the contract', async () => {
    const { ann, ben, mia, eve, other, invite, browser } = await withAcme({ invitationLimit: 1 })
    expect(outcome(await invite(browser()))).toBe('401 UNAUTHORIZED')
    expect(outcome(await invite(ann, { email: 'una@example' }))).toBe('400 VALIDATION_ERROR')
    expect(outcome(await invite(ann, { role: [] }))).toBe('400 VALIDATION_ERROR')
    expect(outcome(await invite(mia, { organizationId: undefined }))).toBe('400 ORGANIZATION_NOT_FOUND')
    const bad = { email: 'mia@example.com', role: 'owner,unknown' }
    expect(outcome(await invite(eve, bad))).toBe('400 MEMBER_NOT_FOUND')
    expect(outcome(await invite(ann, { ...bad, organizationId: other }))).toBe('400 MEMBER_NOT_FOUND')
    expect(outcome(await invite(ann, { ...bad, organizationId: 'unknown' }))).toBe('400 MEMBER_NOT_FOUND')
    expect(outcome(await invite(mia, bad))).toBe('403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION')
    const creator = await invite(ben, bad)
    expect(outcome(creator)).toBe('403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE')
    expect(creator.body.message).toBe('you are not allowed to invite user with this role')
    expect(outcome(await invite(ann, bad))).toBe('400 ROLE_NOT_FOUND')
    expect(outcome(await invite(ann, { email: 'MIA@example.com' }))).toBe('400 USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION')
    expect(outcome(await invite(ann))).toBe('200')
    expect(outcome(await invite(ann, { email: 'UNA@example.com' }))).toBe('400 USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION')
    expect(outcome(await invite(ann, { email: 'ula@example.com' }))).toBe('403 INVITATION_LIMIT_REACHED')
  })

  test('uses the active organization by default', async () => {
    const { ann, invite, acme } = await withAcme()
    expect((await invite(ann, { organizationId: undefined })).body.organizationId).toBe(acme)
  })

  test('rejects a role that permits more than the own one, and with checkRoles off only that', async () => {
    const roles = { owner: { invitation: ['create'], member: ['create', 'delete'] }, admin: { invitation: ['create'] } }
    const options = { roles: { ...roles, powerful: { member: ['delete'] } }, checkRoles: false }
    const { ben, ann, invite } = await withAcme(options)
    expect(outcome(await invite(ben, { role: 'powerful' }))).toBe('403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE')
    expect(outcome(await invite(ann, { role: 'powerful' }))).toBe('200')
    expect(outcome(await invite(ben, { role: 'unknown', email: 'ula@example.com' }))).toBe('200')
  })

  test('renews a pending invitation that is sent again: the same one with a new role, sender and expiry', async () => {
    const { ann, ben, ids, invite, rows, clock, activity } = await withAcme({ invitationLimit: 1 })
    const first = (await invite(ann, { role: 'admin' })).body
    clock.advance(3600)
    const again = (await invite(ben, { resend: true })).body
    const expiresAt = new Date(clock.now().getTime() + 172_800_000).toISOString()
    expect(again).toEqual({ ...first, role: 'member', inviterId: ids.Ben, expiresAt })
    expect(await rows()).toHaveLength(1)
    expect((await activity()).map(({ action }) => action).sort()).toEqual(['invitation.created', 'invitation.resent'])
  })

  test('takes the role of the call that sends it again, so that a corrected role is the one that is accepted', async () => {
    const { ann, invite, rows } = await withAcme()
    const first = (await invite(ann, { role: 'admin' })).body
    const again = (await invite(ann, { role: 'member', resend: true })).body
    expect([first.role, again.role, again.id]).toEqual(['admin', 'member', first.id])
    expect((await rows()).map(({ role }) => role)).toEqual(['member'])
  })

  test('creates another one with cancelPendingInvitationsOnReInvite, and cancels the former', async () => {
    const { ann, invite, rows, clock } = await withAcme({ cancelPendingInvitationsOnReInvite: true, invitationLimit: 1 })
    const first = (await invite(ann)).body
    clock.advance(1)
    const second = (await invite(ann, { resend: true })).body
    expect(second.id).not.toBe(first.id)
    expect((await rows()).map(({ id, status, pendingEmail }) => [id, status, pendingEmail])).toEqual([
      [first.id, 'canceled', null],
      [second.id, 'pending', 'una@example.com'],
    ])
  })

  test('leaves one invitation of several that a database of better-auth has', async () => {
    const { ann, invite, rows, app, clock } = await withAcme()
    const { id } = (await invite(ann)).body
    const [row] = await rows()
    if (!row) throw new Error('no row')
    await app.db.updateTable('invitation').set({ pendingEmail: null }).execute()
    clock.advance(1)
    await app.db
      .insertInto('invitation')
      .values({ ...row, id: 'newer', pendingEmail: null, createdAt: clock.now() })
      .execute()
    expect((await invite(ann, { resend: true })).body.id).toBe('newer')
    expect((await rows()).map((one) => [one.id, one.status, one.pendingEmail])).toEqual([
      [id, 'canceled', null],
      ['newer', 'pending', 'una@example.com'],
    ])
  })

  test('does not count invitations that have expired, and takes their place', async () => {
    const { ann, invite, rows, clock } = await withAcme({ invitationLimit: 2, invitationExpiresIn: 60 })
    await invite(ann)
    await invite(ann, { email: 'ula@example.com' })
    clock.advance(60)
    expect(outcome(await invite(ann))).toBe('200')
    expect(outcome(await invite(ann, { email: 'uma@example.com' }))).toBe('200')
    expect(outcome(await invite(ann, { email: 'ula@example.com' }))).toBe('403 INVITATION_LIMIT_REACHED')
    expect((await rows()).map(({ status }) => status)).toEqual(Array(4).fill('pending'))
  })

  test('calls the function of a limit with user, organization and member', async () => {
    const calls: Record<string, unknown>[] = []
    const invitationLimit = (data: object) => {
      calls.push({ ...data })
      return 0
    }
    const { ann, acme, invite } = await withAcme({ invitationLimit })
    expect(outcome(await invite(ann))).toBe('403 INVITATION_LIMIT_REACHED')
    const expected = {
      user: { name: 'Ann' },
      organization: { id: acme, metadata: { plan: 'secret plan' } },
      member: { role: 'owner' },
    }
    expect(calls).toEqual([expect.objectContaining({ member: expect.anything() })])
    expect(calls[0]).toMatchObject(expected)
  })

  test('checks the team, which must be one of the organization and have room', async () => {
    const { ann, add, ids, team, other, invite, signUp } = await withAcme({ teams: { enabled: true, maximumMembersPerTeam: 1 } })
    const [own, foreign, full] = [await team('own'), await team('foreign', other), await team('full')]
    await signUp('Fay')
    await add(ids.Fay ?? '', 'member', full)
    expect(outcome(await invite(ann, { teamId: foreign }))).toBe('400 TEAM_NOT_FOUND')
    expect(outcome(await invite(ann, { teamId: 'unknown' }))).toBe('400 TEAM_NOT_FOUND')
    expect(outcome(await invite(ann, { teamId: full }))).toBe('403 TEAM_MEMBER_LIMIT_REACHED')
    expect((await invite(ann, { teamId: own })).body.teamId).toBe(own)
  })

  test('ignores a team while teams are disabled', async () => {
    const { ann, team, invite, rows } = await withAcme()
    const { body } = await invite(ann, { teamId: await team('own') })
    expect(body).not.toHaveProperty('teamId')
    expect((await rows())[0]?.teamId).toBeNull()
  })
})

describe('accept-invitation', () => {
  test('makes the recipient a member, and the organization active in this session only', async () => {
    const { ann, ids, acme, invite, signUp, browser, activity, app, rows } = await withAcme()
    const una = await signUp('Una')
    const elsewhere = browser()
    await elsewhere.call('POST /sign-in/email', { body: { email: 'una@example.com', password } })
    const invitation = (await invite(ann, { email: 'Una@example.com', role: 'admin' })).body
    const { status, body } = await accept(una, invitation.id)
    expect(status).toBe(200)
    const member = { id: expect.any(String), organizationId: acme, userId: ids.Una, role: 'admin', createdAt: expect.any(String) }
    expect(body).toEqual({ invitation: { ...invitation, status: 'accepted' }, member })
    expect([await active(una), await active(elsewhere)]).toEqual([acme, null])
    expect((await activity()).find(({ action }) => action === 'member.joined')).toMatchObject({
      actorId: ids.Una,
      targetType: 'user',
      userId: ids.Una,
      details: { role: 'admin' },
    })
    const counted = await app.db.selectFrom('organization').select('memberCount').where('id', '=', acme).executeTakeFirst()
    expect(counted?.memberCount).toBe(4)
    expect((await rows())[0]?.pendingEmail).toBeNull()
    expect(outcome(await accept(una, invitation.id))).toBe('400 INVITATION_NOT_FOUND')
  })

  test('writes the cached copy of the session again', async () => {
    const { ann, acme, invite, signUp } = await withAcme({}, { session: { cookieCache: { enabled: true } } })
    const una = await signUp('Una')
    const { setCookie } = await accept(una, (await invite(ann)).body.id)
    expect(setCookie).toEqual([expect.stringMatching(/^latchkey\.session_data=/)])
    const copy = JSON.parse(Buffer.from(una.cookies.get('latchkey.session_data') ?? '', 'base64url').toString())
    expect(copy.session.session.activeOrganizationId).toBe(acme)
    expect(await active(una)).toBe(acme)
  })

  test('checks in the order of the contract, also for reject-invitation', async () => {
    const { ann, ben, browser, clock, invite, signUp, app, ids } = await withAcme({ membershipLimit: 3 })
    const una = await signUp('Una', false)
    const { id } = (await invite(ann)).body
    for (const call of [accept, reject]) {
      expect(outcome(await call(browser(), id))).toBe('401 UNAUTHORIZED')
      const missing = await call(una, 'unknown')
      expect([outcome(missing), missing.body.message]).toEqual(['400 INVITATION_NOT_FOUND', 'Invitation not found'])
      expect(outcome(await call(ben, id))).toBe('403 YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION')
      const unverified = '403 EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION'
      expect(outcome(await call(una, id))).toBe(unverified)
    }
    await app.db
      .updateTable('user')
      .set({ emailVerified: true })
      .where('id', '=', ids.Una ?? '')
      .execute()
    expect(outcome(await accept(una, id))).toBe('403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
    clock.advance(172_800)
    for (const call of [accept, reject]) expect(outcome(await call(una, id))).toBe('400 INVITATION_NOT_FOUND')
  })

  test('does not require a verified email address with requireEmailVerificationOnInvitation off', async () => {
    const { ann, invite, signUp } = await withAcme({ requireEmailVerificationOnInvitation: false })
    const una = await signUp('Una', false)
    expect(await own(una)).toMatchObject({ status: 200, body: [] })
    expect(outcome(await accept(una, (await invite(ann)).body.id))).toBe('200')
  })

  test('leaves a member what they are, and uses up the invitation', async () => {
    const { ann, acme, invite, signUp, add, ids, app } = await withAcme()
    const una = await signUp('Una')
    const { id } = (await invite(ann, { role: 'admin' })).body
    const row = await add(ids.Una ?? '', 'member')
    const { status, body } = await accept(una, id)
    expect([status, body.invitation.status, body.member.id, body.member.role]).toEqual([200, 'accepted', row.id, 'member'])
    expect(await active(una)).toBe(acme)
    const organization = await app.db.selectFrom('organization').select('memberCount').where('id', '=', acme).executeTakeFirst()
    expect(organization?.memberCount).toBe(4)
  })

  test('leaves the invitation pending when the team is full, and puts the member into the team when it is not', async () => {
    const { ann, add, ids, team, invite, signUp, rows, app } = await withAcme({
      teams: { enabled: true, maximumMembersPerTeam: 1 },
    })
    const [una, teamId] = [await signUp('Una'), await team('small')]
    await signUp('Fay')
    const { id } = (await invite(ann, { teamId })).body
    const fay = await add(ids.Fay ?? '', 'member', teamId)
    expect(outcome(await accept(una, id))).toBe('403 TEAM_MEMBER_LIMIT_REACHED')
    expect((await rows())[0]).toMatchObject({ status: 'pending', pendingEmail: 'una@example.com' })
    await app.db.deleteFrom('teamMember').where('memberId', '=', fay.id).execute()
    expect((await accept(una, id)).body).toMatchObject({ invitation: { teamId }, member: { teamId } })
  })

  test('accepts without a team when the team was deleted', async () => {
    const { ann, team, invite, signUp, app } = await withAcme({ teams: { enabled: true } })
    const [una, teamId] = [await signUp('Una'), await team('gone')]
    const { id } = (await invite(ann, { teamId })).body
    await app.db.deleteFrom('team').where('id', '=', teamId).execute()
    expect((await accept(una, id)).body.member.teamId).toBeNull()
  })
})

describe('reject-invitation and cancel-invitation', () => {
  test('the recipient rejects', async () => {
    const { ann, ids, invite, signUp, activity } = await withAcme()
    const una = await signUp('Una')
    const invitation = (await invite(ann)).body
    expect((await reject(una, invitation.id)).body).toEqual({ invitation: { ...invitation, status: 'rejected' }, member: null })
    for (const call of [accept, reject]) expect(outcome(await call(una, invitation.id))).toBe('400 INVITATION_NOT_FOUND')
    expect((await activity()).find(({ action }) => action === 'invitation.rejected')).toMatchObject({ actorId: ids.Una })
    expect(outcome(await invite(ann))).toBe('200')
  })

  test('a member who may do so cancels a pending one, also after it expired', async () => {
    const { ann, mia, eve, invite, clock, activity } = await withAcme()
    const invitation = (await invite(ann)).body
    expect(outcome(await cancel(ann, 'unknown'))).toBe('400 INVITATION_NOT_FOUND')
    expect(outcome(await cancel(eve, invitation.id))).toBe('400 MEMBER_NOT_FOUND')
    expect(outcome(await cancel(mia, invitation.id))).toBe('403 YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION')
    clock.advance(172_800)
    expect((await cancel(ann, invitation.id)).body).toEqual({ ...invitation, status: 'canceled' })
    expect(outcome(await cancel(ann, invitation.id))).toBe('400 INVITATION_NOT_FOUND')
    expect((await activity()).map(({ action }) => action)).toContain('invitation.canceled')
  })

  test.each(['accepted', 'rejected'])('an %s one cannot be canceled', async (status) => {
    const { ann, invite, app } = await withAcme()
    const { id } = (await invite(ann)).body
    await app.db.updateTable('invitation').set({ status, pendingEmail: null }).execute()
    expect(outcome(await cancel(ann, id))).toBe('400 INVITATION_NOT_FOUND')
  })
})

describe('get-invitation', () => {
  test('shows the recipient who invites them, and no data of the organization', async () => {
    const { ann, invite, signUp } = await withAcme()
    const una = await signUp('Una', false)
    const invitation = (await invite(ann)).body
    const expected = { organizationName: 'Acme', organizationSlug: 'acme', inviterEmail: 'ann@example.com' }
    expect((await get(una, invitation.id)).body).toEqual({ ...invitation, ...expected })
  })

  test('shows nothing to others, and fails as the contract requires', async () => {
    const { ann, ben, eve, browser, invite, signUp, app, ids } = await withAcme()
    const una = await signUp('Una')
    const { id } = (await invite(ben)).body
    expect(outcome(await una.call('GET /organization/get-invitation', { query: {} as never }))).toBe('400 VALIDATION_ERROR')
    expect(outcome(await get(browser(), id))).toBe('401 NOT_AUTHENTICATED')
    expect(outcome(await get(una, 'unknown'))).toBe('400 INVITATION_NOT_FOUND')
    for (const stranger of [eve, ann, ben]) {
      const { status, body } = await get(stranger, id)
      const message = 'You are not the recipient of the invitation'
      expect([status, body]).toEqual([403, { code: 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION', message }])
    }
    await app.db
      .deleteFrom('member')
      .where('userId', '=', ids.Ben ?? '')
      .execute()
    expect(outcome(await get(una, id))).toBe('400 INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION')
    // A removed member could have invited another account of their own.
    expect(outcome(await accept(una, id))).toBe('400 INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION')
    expect((await own(una)).body).toEqual([])
    await cancel(ann, id)
    expect(outcome(await get(una, id))).toBe('400 INVITATION_NOT_FOUND')
  })
})

describe('a member who gets another role', () => {
  test('gives no more by earlier invitations than by new ones', async () => {
    const { ann, ben, ids, invite, signUp, acme, add, rows } = await withAcme()
    const second = (await add(ids.Eve ?? '', 'owner')).id
    const kept = (await invite(ben)).body.id
    const lost = (await invite(ben, { email: 'ben.other@example.com', role: 'admin' })).body.id
    const ofOther = (await invite(ann, { email: 'zoe@example.com', role: 'admin' })).body.id
    const setRole = (memberId: string, role: string) =>
      ann.call('POST /organization/update-member-role', { body: { memberId, role, organizationId: acme } })
    expect((await setRole(`m-${ids.Ben}`, 'member')).status).toBe(200)
    expect((await setRole(second, 'admin')).status).toBe(200)
    expect((await rows()).map(({ id, status }) => [id, status]).sort()).toEqual(
      [
        [kept, 'pending'],
        [lost, 'canceled'],
        [ofOther, 'pending'],
      ].sort(),
    )
    const browser = await signUp('Ben.Other')
    expect(outcome(await accept(browser, lost))).toBe('400 INVITATION_NOT_FOUND')
  })
})

describe('lists', () => {
  test('list-invitations has all of the organization and none of another one', async () => {
    const { ann, mia, eve, acme, other, invite, ids } = await withAcme()
    await invite(ann)
    await invite(eve, { email: 'uli@example.com', organizationId: other })
    expect((await list(mia, { organizationId: acme })).body).toEqual([
      expect.objectContaining({ email: 'una@example.com', inviterId: ids.Ann }),
    ])
    expect(outcome(await list(mia))).toBe('400 ORGANIZATION_ID_IS_REQUIRED')
    const stranger = await list(eve, { organizationId: acme })
    expect([outcome(stranger), stranger.body.message]).toEqual([
      '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
      'You are not a member of this organization',
    ])
  })

  test('list-invitations filters by state and start of the email address', async () => {
    const { ann, ben, invite, signUp, clock, app } = await withAcme({ invitationExpiresIn: 100 })
    const una = await signUp('Una')
    for (const name of ['old', 'una', 'u_a', 'uwe']) {
      clock.advance(30)
      await invite(ann, { email: `${name}@example.com` })
    }
    const emails = async (query: object) =>
      (await list(ann, query)).body.map(({ email }: { email: string }) => email.split('@')[0])
    const { id } = (await list(ann, { search: 'una' })).body[0]
    await accept(una, id)
    await app.db.updateTable('invitation').set({ status: 'rejected' }).where('email', '=', 'uwe@example.com').execute()
    clock.advance(20)
    expect(await emails({})).toEqual(['old', 'una', 'u_a', 'uwe'])
    expect(await emails({ status: 'expired' })).toEqual(['old'])
    expect(await emails({ status: 'pending' })).toEqual(['u_a'])
    expect(await emails({ status: 'accepted' })).toEqual(['una'])
    expect(await emails({ status: 'rejected' })).toEqual(['uwe'])
    expect(await emails({ status: 'canceled' })).toEqual([])
    expect(await emails({ search: 'U_' })).toEqual(['u_a'])
    expect(await emails({ search: '%' })).toEqual([])
    expect(await emails({ search: 'u', limit: 2 })).toEqual(['uwe', 'u_a'])
    expect(outcome(await list(ben, { status: 'unknown' }))).toBe('400 VALIDATION_ERROR')
  })

  test('pages of list-invitations together are the whole list, newest first', async () => {
    const { ann, eve, other, invite, clock } = await withAcme()
    for (let count = 0; count < 7; count += 1) {
      // Some have the same time.
      if (count % 3 === 0) clock.advance(1)
      await invite(ann, { email: `u${count}@example.com` })
    }
    const foreign = (await invite(eve, { organizationId: other })).body.id
    const all = (await list(ann)).body.map(({ id }: { id: string }) => id)
    const seen: string[] = []
    let after: string | undefined
    for (let page = 0; page < 4; page += 1) {
      const { body, headers } = await list(ann, { limit: 2, ...(after && { after }) })
      expect(headers.get('x-total-count')).toBe('7')
      const next = /[?&]after=([\w-]+).*>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      expect(next !== undefined).toBe(page < 3)
      // Both continue the list: the position in the header, and the ID of the last row.
      after = page % 2 ? next : body.at(-1).id
      seen.push(...body.map(({ id }: { id: string }) => id))
    }
    expect(seen).toEqual(all.toReversed())
    for (const unknown of ['unknown', foreign])
      expect(outcome(await list(ann, { limit: 2, after: unknown }))).toBe('400 VALIDATION_ERROR')
  })

  test('list-user-invitations has what the current user can accept', async () => {
    const { ann, eve, other, invite, signUp, clock } = await withAcme()
    const [una, uli] = [await signUp('Una'), await signUp('Uli', false)]
    await invite(ann, { email: 'uma@example.com' })
    await invite(ann)
    clock.advance(1)
    await invite(eve, { organizationId: other })
    const from = (name: string, sender: string) => ({
      email: 'una@example.com',
      organizationName: name,
      organizationSlug: name.toLowerCase(),
      inviterName: sender,
      inviterEmail: `${sender.toLowerCase()}@example.com`,
    })
    const { body } = await own(una)
    expect(body).toMatchObject([from('Acme', 'Ann'), from('Other', 'Eve')])
    expect(JSON.stringify(body)).not.toContain('secret plan')
    await reject(una, body[0].id)
    expect((await own(una)).body).toMatchObject([{ organizationName: 'Other' }])
    clock.advance(172_800)
    expect((await own(una)).body).toEqual([])
    const unverified = '403 EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION'
    expect(outcome(await own(uli))).toBe(unverified)
  })

  test('check-invitations shows the state of each email address, in the same number of statements', async () => {
    const kit = await withAcme()
    const { ann, mia, eve, invite, clock } = kit
    await invite(ann, { email: 'old@example.com' })
    clock.advance(172_800)
    await invite(ann)
    const check = (by: Browser, emails: string[], given: object = {}) =>
      by.call('POST /organization/check-invitations', { body: { emails, organizationId: kit.acme, ...given } })
    const emails = ['new@example.com', 'no address', 'MIA@example.com', 'Una@example.com', 'old@example.com', 'eve@example.com']
    const states = ['new', 'invalid', 'member', 'invited', 'new', 'new']
    expect((await check(ann, emails)).body).toEqual(emails.map((email, position) => ({ email, state: states[position] })))
    expect((await check(ann, [])).body).toEqual([])
    expect((await check(ann, ['?'])).body).toEqual([{ email: '?', state: 'invalid' }])
    expect(outcome(await check(mia, emails, { organizationId: undefined }))).toBe('400 ORGANIZATION_NOT_FOUND')
    expect(outcome(await check(eve, emails))).toBe('400 MEMBER_NOT_FOUND')
    expect(outcome(await check(mia, emails))).toBe('403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION')
    const many = Array.from({ length: 200 }, (_, count) => `u${count}@example.com`)
    expect(outcome(await check(ann, [...many, 'one@example.com']))).toBe('400 VALIDATION_ERROR')
    // The rejected calls before are written after their responses.
    await flushDenials(kit.app)
    const { record } = recordStatements(kit)
    const one = await record(() => check(ann, many.slice(0, 1)))
    const all = await record(() => check(ann, many))
    expect(all.result.body).toHaveLength(200)
    expect(all.statements).toEqual(one.statements)
  })
})

/** Invite links: what they give, when they end, and what visitors learn. */
import { describe, expect, test } from 'vitest'
import { administrate, withAdmin } from '../../../tests/kit/administration.ts'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'
import { createInviteLink, type NewInviteLink, revokeInviteLink } from './links.ts'

const invite: ConfigFile = { signUp: { mode: 'invite' } }
const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? ''

async function createLink(kit: Pick<TestApp, 'app'>, given: Partial<NewInviteLink> = {}) {
  const { link, url } = await createInviteLink(kit.app, null, { maxUses: 1, ...given })
  return { link, token: tokenOf(url) }
}

const open = (browser: Browser, token: string) => browser.call('POST /invite-link/open', { body: { token } })
const signUp = (browser: Browser, email: string) =>
  browser.call('POST /sign-up/email', { body: { email, name: 'Ann', password: 'correct horse battery' } })

describe('with sign-up by invitation', () => {
  test('a visitor without a link cannot sign up, and one with a link can', async () => {
    const kit = await testApp(invite)
    expect((await signUp(kit.browser(), 'ann@example.com')).body.code).toBe('SIGN_UP_NOT_ALLOWED')
    const { link, token } = await createLink(kit)
    const browser = kit.browser()
    expect((await open(browser, token)).status).toBe(200)
    expect((await signUp(browser, 'ann@example.com')).status).toBe(200)
    const rows = await kit.app.db.selectFrom('inviteLink').select(['id', 'uses']).execute()
    expect(rows).toEqual([{ id: link.id, uses: 1 }])
  })

  test('a failed sign-up takes no use', async () => {
    const kit = await testApp(invite)
    const { token } = await createLink(kit)
    const browser = kit.browser()
    await open(browser, token)
    const short = { email: 'ann@example.com', name: 'Ann', password: 'short' }
    expect((await browser.call('POST /sign-up/email', { body: short })).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await signUp(browser, 'ann@example.com')).status).toBe(200)
  })

  test('opening a link again takes no use, and another user needs another use', async () => {
    const kit = await testApp(invite)
    const { token } = await createLink(kit)
    const [first, second] = [kit.browser(), kit.browser()]
    for (const browser of [first, first, second]) expect((await open(browser, token)).status).toBe(200)
    expect((await signUp(first, 'ann@example.com')).status).toBe(200)
    expect((await signUp(second, 'bob@example.com')).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  })

  test.each(['expired', 'revoked', 'used up', 'unknown'])('a link that is %s has the same response as any other', async (how) => {
    const kit = await testApp(invite)
    const { link, token } = await createLink(kit, { expiresIn: 60 })
    const carrier = kit.browser()
    await open(carrier, token)
    if (how === 'expired') kit.clock.advance(61)
    if (how === 'revoked') await revokeInviteLink(kit.app, link.id)
    if (how === 'used up') await kit.app.db.updateTable('inviteLink').set({ uses: 1 }).execute()
    const sent = how === 'unknown' ? 'x'.repeat(32) : token
    const { status, body } = await open(kit.browser(), sent)
    expect([status, body]).toEqual([404, { code: 'INVITE_LINK_NOT_FOUND', message: 'Invite link not found' }])
    if (how !== 'unknown') expect((await signUp(carrier, 'ann@example.com')).body.code).toBe('SIGN_UP_NOT_ALLOWED')
  })
})

describe('what a link gives', () => {
  test('the role, to the new user only', async () => {
    const kit = await withAdmin({}, { signUp: { inviteLinks: true } })
    const { body } = await kit.ada.browser.call('POST /admin/create-invite-link', { body: { role: 'admin' } })
    const browser = kit.browser()
    await open(browser, tokenOf(body.url))
    const { user } = (await signUp(browser, 'bob@example.com')).body
    expect((await kit.userOf(user.id))?.role).toBe('admin')
    expect((await kit.events('invite-link.used')).map(({ userId }) => userId)).toEqual([user.id])
  })

  test('membership of its organization, with its role', async () => {
    const kit = await administrate(await testApp({ admin: true, organization: true, signUp: { inviteLinks: true } }))
    const created = await kit.ada.browser.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
    const organizationId = created.body.id
    const { token } = await createLink(kit, { organizationId, organizationRole: 'admin', maxUses: 3 })
    const preview = await kit.browser().call('POST /invite-link/preview', { body: { token } })
    expect(preview.body).toEqual({ organization: { name: 'Acme' } })
    const browser = kit.browser()
    await open(browser, token)
    const { user } = (await signUp(browser, 'bob@example.com')).body
    // A user with an account joins too, once.
    for (const _ of [1, 2])
      expect((await kit.uma.browser.call('POST /invite-link/accept', { body: { token } })).body).toEqual({ organizationId })
    const used = (await kit.events('invite-link.used', 'member.joined')).filter(({ userId }) => userId === kit.uma.userId)
    expect(used.map(({ action }) => action).sort()).toEqual(['invite-link.used', 'member.joined'])
    const members = kit.app.db.selectFrom('member').select(['userId', 'role']).where('organizationId', '=', organizationId)
    const found = await members.where('userId', '!=', kit.ada.userId).execute()
    expect(new Map(found.map(({ userId, role }) => [userId, role]))).toEqual(
      new Map([
        [user.id, 'admin'],
        [kit.uma.userId, 'admin'],
      ]),
    )
    expect(await kit.app.db.selectFrom('inviteLink').select('uses').execute()).toEqual([{ uses: 2 }])
  })

  test('nothing to an administrator who creates a user in the same browser', async () => {
    const kit = await withAdmin({}, { signUp: { inviteLinks: true } })
    const { body } = await kit.ada.browser.call('POST /admin/create-invite-link', { body: { role: 'admin', maxUses: 5 } })
    await open(kit.ada.browser, tokenOf(body.url))
    const created = await kit.ada.browser.call('POST /admin/create-user', {
      body: { email: 'bob@example.com', name: 'Bob', password: 'correct horse battery' },
    })
    expect((await kit.userOf(created.body.user.id))?.role).toBe('user')
    expect(await kit.app.db.selectFrom('inviteLink').select('uses').execute()).toEqual([{ uses: 0 }])
  })
})

describe('administrators', () => {
  test('create a link, see it without its token, and revoke it', async () => {
    const kit = await withAdmin({}, { signUp: { inviteLinks: true } })
    const { body } = await kit.ada.browser.call('POST /admin/create-invite-link', { body: { label: 'Conference', maxUses: 3 } })
    expect(body.url).toMatch(/^http:\/\/localhost:3000\/join\?token=\w{32}$/)
    const listed = await kit.ada.browser.call('GET /admin/list-invite-links', {})
    expect(listed.body.inviteLinks).toEqual([body.inviteLink])
    expect(JSON.stringify(listed.body)).not.toContain(tokenOf(body.url))
    const revoked = await kit.ada.browser.call('POST /admin/revoke-invite-link', { body: { id: body.inviteLink.id } })
    expect(revoked.body.inviteLink.state).toBe('revoked')
    expect((await open(kit.browser(), tokenOf(body.url))).status).toBe(404)
  })

  test('cannot give a role that permits more than their own', async () => {
    const config = {
      seed: { roles: { inviter: { inviteLink: ['create'], user: ['set-role'] } } },
      signUp: { inviteLinks: true },
    }
    const kit = await withAdmin({}, config)
    const now = kit.app.now()
    const role = {
      id: 'inviter',
      name: 'inviter',
      permissions: JSON.stringify(config.seed.roles.inviter),
      createdAt: now,
      updatedAt: now,
    }
    await kit.app.db.insertInto('role').values(role).execute()
    const { browser } = await kit.join('Ivy', 'inviter')
    const { body } = await browser.call('POST /admin/create-invite-link', { body: { role: 'admin' } })
    expect(body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE')
  })
})

describe.each(places)('at %s', (place) => {
  test('64 visitors with a link for five users get five accounts', async () => {
    const kit = await openRacers(place, invite)
    const { token } = await createLink(kit, { maxUses: 5 })
    const browsers = kit.browsers()
    await Promise.all(browsers.map((browser) => open(browser, token)))
    const answers = await race(browsers, (browser, count) => signUp(browser, `user-${count}@example.com`))
    expect(tally(answers)).toEqual({ 200: 5, '403 SIGN_UP_NOT_ALLOWED': many - 5 })
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toHaveLength(5)
    expect(await kit.app.db.selectFrom('inviteLink').select('uses').execute()).toEqual([{ uses: 5 }])
  })
})

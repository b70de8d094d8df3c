/** What concurrent calls for invitations cannot exceed, with one daemon and with two. */
import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { expectOneWinner, many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'

const password = 'correct horse battery'
type Options = Extract<ConfigFile['organization'], object>

const accept = (by: Browser, invitationId: string) => by.call('POST /organization/accept-invitation', { body: { invitationId } })

describe.each(places)('with %s', (place) => {
  /** Ann is the owner of Acme. */
  async function withAcme(organization: Options = {}, config: ConfigFile = {}) {
    const kit = await openRacers(place, { organization: { enabled: true, ...organization }, ...config })
    const { db } = kit.app
    const signUp = async (browser: Browser, name: string) => {
      const email = `${name.toLowerCase()}@example.com`
      await browser.call('POST /sign-up/email', { body: { name, email, password } })
      await db.updateTable('user').set({ emailVerified: true }).where('email', '=', email).execute()
      return browser
    }
    const ann = await signUp(kit.browser(), 'Ann')
    const organizationId: string = (await ann.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })).body.id
    const invite = (by: Browser, name: string, given: object = {}) =>
      by.call('POST /organization/invite-member', {
        body: { email: `${name}@example.com`, role: 'member', organizationId, ...given },
      })
    /** As many users as there are calls, each with an invitation. */
    const withInvited = async (given: object = {}) => {
      const browsers = kit.browsers()
      await Promise.all(browsers.map((browser, count) => signUp(browser, `u${count}`)))
      const ids: string[] = []
      for (let count = 0; count < many; count += 1) ids.push((await invite(ann, `u${count}`, given)).body.id)
      return { browsers, ids }
    }
    const invitations = () => db.selectFrom('invitation').selectAll().execute()
    const pending = () => db.selectFrom('invitation').select('id').where('status', '=', 'pending').execute()
    /** The members, who must be as many as the organization says. */
    const countMembers = async () => {
      const { memberCount } = await db.selectFrom('organization').select('memberCount').executeTakeFirstOrThrow()
      expect(await db.selectFrom('member').select('id').execute()).toHaveLength(memberCount)
      return memberCount
    }
    return { ...kit, ann, organizationId, signUp, invite, withInvited, invitations, pending, countMembers }
  }

  test(`one of ${many} concurrent invitations of one email address is created`, async () => {
    const { ann, browsers, invite, invitations } = await withAcme()
    const answers = await race(browsers(ann), (browser, count) => invite(browser, count % 2 ? 'una' : 'Una'))
    expectOneWinner(answers, '400 USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION')
    expect(await invitations()).toHaveLength(1)
  })

  test('a member who is demoted while they invite invites no one', async () => {
    let demote: (() => Promise<unknown>) | null = null
    // Called after the permission is checked, and before the organization is locked.
    const invitationLimit = async () => {
      await demote?.()
      return 100
    }
    const { app, ann, invite, invitations } = await withAcme({ invitationLimit })
    demote = () => app.db.updateTable('member').set({ role: 'member' }).execute()
    const response = await invite(ann, 'una')
    expect([response.status, response.body.code]).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION'])
    expect(await invitations()).toEqual([])
  })

  test.each([true, false])('one is pending after concurrent renewals, with cancellation of the former: %s', async (cancels) => {
    const { ann, browsers, invite, pending } = await withAcme({ cancelPendingInvitationsOnReInvite: cancels })
    const answers = await race(browsers(ann), (browser) => invite(browser, 'una', { resend: true }))
    expect(tally(answers)).toEqual({ 200: many })
    expect(await pending()).toHaveLength(1)
  })

  test(`an invitation that is accepted ${many} times makes one member`, async () => {
    const { ann, browser, browsers, invite, signUp, countMembers } = await withAcme()
    const una = await signUp(browser(), 'Una')
    const { id } = (await invite(ann, 'una')).body
    expectOneWinner(await race(browsers(una), (one) => accept(one, id)), '400 INVITATION_NOT_FOUND')
    expect(await countMembers()).toBe(2)
  })

  test('an invitation is accepted, rejected or canceled, whichever comes first', async () => {
    const { ann, browser, browsers, invite, signUp, countMembers, invitations } = await withAcme()
    const una = await signUp(browser(), 'Una')
    const { id } = (await invite(ann, 'una')).body
    const paths = ['accept', 'reject', 'cancel'] as const
    const racers = browsers(una).map((one, count) => (count % 3 === 2 ? (browsers(ann)[count] ?? one) : one))
    const answers = await race(racers, (one, count) =>
      one.call(`POST /organization/${paths[count % 3] ?? 'accept'}-invitation`, { body: { invitationId: id } }),
    )
    const winner = expectOneWinner(answers, '400 INVITATION_NOT_FOUND')
    expect(await countMembers()).toBe(winner % 3 === 0 ? 2 : 1)
    expect((await invitations())[0]?.status).toBe(['accepted', 'rejected', 'canceled'][winner % 3])
  })

  test('a recipient who deletes their account does not leave a member behind, and no call fails', async () => {
    const kit = await withAcme({}, { user: { deleteUser: { enabled: true } } })
    const una = await kit.signUp(kit.browser(), 'Una')
    const { id } = (await kit.invite(kit.ann, 'una')).body
    const answers = await race(kit.browsers(una), (one, count) =>
      count % 2 ? accept(one, id) : one.call('POST /delete-user', { body: { password } }),
    )
    expect(Object.keys(tally(answers)).filter((outcome) => outcome.startsWith('5'))).toEqual([])
    expect(await kit.app.db.selectFrom('member').select('id').execute()).toHaveLength(1)
  })

  test('an organization with room for 3 takes 3 recipients', async () => {
    const { withInvited, countMembers, pending } = await withAcme({ membershipLimit: 4 })
    const { browsers, ids } = await withInvited()
    const answers = await race(browsers, (browser, count) => accept(browser, ids[count] ?? ''))
    expect(tally(answers)).toEqual({ 200: 3, '403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED': many - 3 })
    expect(await countMembers()).toBe(4)
    expect(await pending()).toHaveLength(many - 3)
  })

  test('a team with room for 3 takes 3 recipients', async () => {
    const { app, clock, organizationId, withInvited, countMembers } = await withAcme({
      teams: { enabled: true, maximumMembersPerTeam: 3 },
    })
    const team = { id: 'team', name: 'Team', organizationId, createdAt: clock.now(), updatedAt: null }
    await app.db.insertInto('team').values(team).execute()
    const { browsers, ids } = await withInvited({ teamId: team.id })
    const answers = await race(browsers, (browser, count) => accept(browser, ids[count] ?? ''))
    expect(tally(answers)).toEqual({ 200: 3, '403 TEAM_MEMBER_LIMIT_REACHED': many - 3 })
    expect(await countMembers()).toBe(4)
  })

  test('pending invitations do not exceed their limit', async () => {
    const { ann, browsers, invite, invitations } = await withAcme({ invitationLimit: 5 })
    const answers = await race(browsers(ann), (browser, count) => invite(browser, `u${count}`))
    expect(tally(answers)).toEqual({ 200: 5, '403 INVITATION_LIMIT_REACHED': many - 5 })
    expect(await invitations()).toHaveLength(5)
  })

  test('emails of one member do not exceed their limit, also to several organizations', async () => {
    const config: ConfigFile = { mail: { from: 'Acme <a@example.com>', catch: true } }
    const { ann, browsers, invite, invitations, app } = await withAcme({ invitationMailLimit: { max: 5 } }, config)
    const { id } = (await ann.call('POST /organization/create', { body: { name: 'Other', slug: 'other' } })).body
    const answers = await race(browsers(ann), (browser, count) =>
      invite(browser, `u${count}`, count % 2 ? { organizationId: id } : {}),
    )
    expect(tally(answers)).toEqual({ 200: 5, '429 TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER': many - 5 })
    expect(await invitations()).toHaveLength(5)
    const mails = await app.db.selectFrom('outbox').select('id').where('kind', '=', 'organization-invitation').execute()
    expect(mails).toHaveLength(5)
  })
})

import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { nameInMail } from '../../lib/mail-name.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList } from '../index.ts'
import type { InvitationMail } from './invitation-mail.ts'

const password = 'correct horse battery'
type Options = Extract<ConfigFile['organization'], object>
type SentMail = { to: string; subject: string; text: string; html: string }

/** Ann Smith is the owner of an organization. */
async function withOrganization(organization: Options = {}, config: ConfigFile = {}, name = 'Acme') {
  const mails = captureMails<SentMail>()
  const kit = await testApp({
    organization: { enabled: true, ...organization },
    mail: { from: 'Acme <a@example.com>', send: mails.send },
    ...config,
  })
  const ann = kit.browser()
  await ann.call('POST /sign-up/email', { body: { name: 'Ann Smith', email: 'ann@example.com', password } })
  await ann.call('POST /organization/create', { body: { name, slug: 'acme', metadata: { plan: 'pro' } } })
  const invite = (email = 'una@example.com', given: object = {}, by: Browser = ann) =>
    by.call('POST /organization/invite-member', { body: { email, role: 'member', ...given } })
  const outbox = () =>
    kit.app.db
      .selectFrom('outbox')
      .selectAll()
      .where('kind', '=', 'organization-invitation')
      .where('recipient', '!=', '')
      .execute()
  const countInvitations = async () => (await kit.app.db.selectFrom('invitation').select('id').execute()).length
  return { ...kit, ann, invite, outbox, countInvitations, mails }
}

describe('the invitation email', () => {
  test('says who invites to what, as what role and until when, with a link to the page', async () => {
    const { invite, mails } = await withOrganization()
    const { id } = (await invite('Una@Example.com', { role: ['member', 'admin'] })).body
    const mail = await mails.next()
    expect(mail).toMatchObject({ to: 'una@example.com', subject: 'Ann Smith invited you to Acme' })
    expect(mail.text).toContain('Ann Smith invited you to join the organization Acme on Latchkey.\n')
    expect(mail.text).toContain('Email address: una@example.com\nYour role: member, admin\n')
    expect(mail.text).toContain(`http://localhost:3000/accept-invitation?id=${id}\n`)
    expect(mail.text).toContain('expires in 2 days')
    expect(mail.html).toContain(`href="http://localhost:3000/accept-invitation?id=${id}"`)
  })

  test('contains names as text: short, without control characters, HTML or what becomes a link', async () => {
    const name = `<b>Win</b>\r\n\u202ehttps://evil.example/${'x'.repeat(200)}`
    const { ann, invite, mails } = await withOrganization({}, {}, name)
    await ann.call('POST /update-user', { body: { name: 'visit www.evil.example' } })
    await invite()
    const { subject, text, html } = await mails.next()
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/evil\.example|https?:\/\/evil|\u202e|x{60}/)
      expect(part.replaceAll('\u2060', '')).toContain('evil.example')
    }
    expect(html).not.toContain('<b>')
    expect(subject).not.toMatch(/[\r\n]/)
  })

  test.each([
    ['Acme', 'Acme'],
    ['  Acme \n GmbH\u0000 ', 'Acme GmbH'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['a.b a. b mailto:x@y/z', 'a.\u2060b a. b mailto:\u2060x@\u2060y/\u2060z'],
    ['👩'.repeat(60), '👩'.repeat(60)],
    ['👩'.repeat(61), `${'👩'.repeat(59)}…`],
  ])('shows the name %j as %j', (name, shown) => {
    expect(nameInMail(name)).toBe(shown)
  })

  test('is passed to sendInvitationEmail with the organization, the inviter and the invitation', async () => {
    const sent = captureMails<InvitationMail>()
    const { invite } = await withOrganization({ sendInvitationEmail: sent.send }, { mail: { enabled: false } })
    const { body } = await invite()
    const { id, email, role } = body
    const createdAt = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await sent.next()).toEqual({
      id,
      email,
      role,
      organization: { id: body.organizationId, name: 'Acme', slug: 'acme', logo: null, metadata: { plan: 'pro' }, createdAt },
      inviter: {
        id: expect.any(String),
        organizationId: body.organizationId,
        userId: body.inviterId,
        role: 'owner',
        teamId: null,
        createdAt,
        user: {
          id: body.inviterId,
          name: 'Ann Smith',
          email: 'ann@example.com',
          emailVerified: expect.any(Boolean),
          image: null,
          createdAt,
          updatedAt: createdAt,
        },
      },
      invitation: { ...body, teamId: null },
      url: `http://localhost:3000/accept-invitation?id=${id}`,
    })
  })

  test('has no link for sendInvitationEmail when the hosted pages are disabled', async () => {
    const sent = captureMails<InvitationMail>()
    const { invite } = await withOrganization({ sendInvitationEmail: sent.send }, { dashboard: { enabled: false } })
    await invite()
    expect((await sent.next()).url).toBeNull()
  })

  test('is not sent with sendInvitationEmail: false, or without mail', async () => {
    for (const kit of [
      await withOrganization({ sendInvitationEmail: false, invitationMailLimit: { max: 1 } }),
      await withOrganization({ invitationMailLimit: { max: 1 } }, { mail: { enabled: false } }),
    ]) {
      expect((await kit.invite()).status).toBe(200)
      expect((await kit.invite('ula@example.com')).status).toBe(200)
      expect(await kit.outbox()).toEqual([])
    }
  })

  test('requires a function of its own when the hosted pages are disabled', () => {
    const issues = (sendInvitationEmail: undefined | false | (() => void), pages = false, templates = {}) => {
      const parsed = parseConfig(featureList, {
        secret: 'a secret of the tests, 0123456789 abcdefghij',
        environment: 'development',
        baseURL: 'http://localhost:3000',
        database: { url: 'sqlite::memory:' },
        dashboard: { enabled: pages },
        mail: { from: 'a@example.com', send: () => {}, templates },
        organization: { enabled: true, sendInvitationEmail },
      })
      return 'issues' in parsed ? parsed.issues.map(({ id }) => id) : []
    }
    expect(issues(undefined)).toEqual(['invitation-page'])
    expect(issues(false)).toEqual([])
    expect(issues(() => {})).toEqual([])
    expect(issues(undefined, true)).toEqual([])
    expect(issues(undefined, false, { 'organization-invitation': () => ({ subject: '', text: '', html: '' }) })).toEqual([])
  })
})

describe('the limit of invitation emails of a member', () => {
  const limited = { invitationMailLimit: { max: 2, window: 600 } }

  test('rejects further invitations, also those sent again, and stores nothing', async () => {
    const { invite, outbox, countInvitations, clock } = await withOrganization(limited)
    await invite()
    clock.advance(100)
    expect((await invite('una@example.com', { resend: true })).status).toBe(200)
    const { status, body, headers } = await invite('ula@example.com')
    expect([status, body.code]).toEqual([429, 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER'])
    expect([headers.get('retry-after'), headers.get('x-retry-after')]).toEqual(['500', '500'])
    expect((await invite('una@example.com', { resend: true })).status).toBe(429)
    expect([(await outbox()).length, await countInvitations()]).toEqual([2, 1])
    clock.advance(500)
    expect((await invite('ula@example.com')).status).toBe(200)
  })

  test('is five an hour for a member whose email address is not verified, and the limit of the network for all', async () => {
    const sends = { emailVerification: { sendVerificationEmail: () => {} }, mailLimit: { enabled: true, perNetwork: { max: 9 } } }
    const { ann, app, invite, countInvitations } = await withOrganization({}, sends)
    const statuses = async (count: number, by: string) =>
      Promise.all(Array.from({ length: count }, async (_, at) => (await invite(`${by}${at}@example.com`)).status))
    const first = await statuses(7, 'a')
    expect(first.filter((status) => status === 200)).toHaveLength(5)
    expect(first.filter((status) => status === 429)).toHaveLength(2)
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    const second = await statuses(7, 'b')
    // One email of this network came from the sign-up.
    expect(second.filter((status) => status === 200)).toHaveLength(4)
    expect(await countInvitations()).toBe(9)
    expect((await ann.call('GET /get-session', {})).status).toBe(200)
  })

  test('counts all organizations of the member, and each member', async () => {
    const { ann, browser, invite } = await withOrganization(limited)
    await invite()
    const other = (await ann.call('POST /organization/create', { body: { name: 'Other', slug: 'other' } })).body.id
    await invite('una@example.com', { organizationId: other })
    expect((await invite('ula@example.com')).status).toBe(429)
    const ben = browser()
    await ben.call('POST /sign-up/email', { body: { name: 'Ben', email: 'ben@example.com', password } })
    await ben.call('POST /organization/create', { body: { name: 'Third', slug: 'third' } })
    expect((await invite('ula@example.com', {}, ben)).status).toBe(200)
  })

  test('does not count invitations that are rejected for another reason', async () => {
    const { invite } = await withOrganization(limited)
    await invite()
    for (let call = 0; call < 5; call += 1) expect((await invite()).status).toBe(400)
    expect((await invite('ula@example.com')).status).toBe(200)
  })
})

test('a recipient gets no more invitation emails than their limit, and the response is the same', async () => {
  const { invite, outbox } = await withOrganization({}, { mailLimit: { enabled: true, max: 2 } })
  const first = await invite()
  const { id, ...shown } = first.body
  for (let call = 0; call < 3; call += 1) {
    const { status, body } = await invite('una@example.com', { resend: true })
    expect([status, body]).toEqual([200, { id, ...shown }])
  }
  expect(await outbox()).toHaveLength(2)
})

/** Invitations in the browser: several are sent together, and each recipient comes to the organization on their way. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { browsers, prepareResponse, resetPreparedResponses, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const owner = { name: 'Ingrid', email: 'ingrid@example.com', password: 'correct horse battery' }
const rosa = { name: 'Rosa', email: 'rosa@example.com', password: 'another horse entirely' }
const eve = { name: 'Eve', email: 'eve@example.com', password: 'a third horse, if needed' }

const una = { name: 'Una', email: 'una@example.com', password: 'a fourth horse, sure' }

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Invite members' })
const status = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** An owner with an organization, and other users with verified email addresses. */
async function withOrganization(config: ConfigFile = {}) {
  const pages = await hostedPages({ emailVerification: { sendOnSignUp: true }, organization: {}, ...config })
  const { kit, origin } = pages
  // The pages compare times with the clock of the browser.
  kit.clock.advance((Date.now() - kit.clock.now().getTime()) / 1000)
  const browser = kit.browser()
  for (const body of [owner, rosa, eve]) await kit.browser().call('POST /sign-up/email', { body })
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  await kit.app.db.deleteFrom('caughtMail').execute()
  await browser.call('POST /sign-in/email', { body: owner })
  const named = { name: 'Halden Ferry Lines', slug: 'halden' }
  const { body: organization } = await browser.call('POST /organization/create', { body: named }, { origin })
  const invite = async (email: string, role = 'member'): Promise<string> => {
    const body = { organizationId: organization.id, email, role }
    const invited = await browser.call('POST /organization/invite-member', { body }, { origin })
    expect(invited.status).toBe(200)
    return invited.body.id
  }
  const invitations = `/organizations/${organization.id}/invitations`
  const membersOf = () =>
    kit.app.db
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .select(['user.email', 'member.role'])
      .where('member.organizationId', '=', organization.id)
      .orderBy('user.email')
      .execute()
  return { ...pages, organization, invite, invitations, membersOf, landing: (id: string) => `/accept-invitation?id=${id}` }
}

const fillIn = (page: Page, addresses: string) => dialog(page).getByLabel('Email addresses').first().fill(addresses)

async function signIn(page: Page, { email, password }: typeof owner) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

async function signUp(page: Page, { name, email, password }: typeof owner) {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Create account').click()
}

const accept = (page: Page) => button(page, 'Accept invitation').click()
/** The overview of the organization. */
const arrived = (page: Page) => heading(page, 'Halden Ferry Lines').waitFor()

describe('journeys', () => {
  test('invites several together with roles and teams, and skips members and what is not an address', async () => {
    const { openAs, invitations, invite, kit, organization } = await withOrganization({
      organization: { teams: { enabled: true } },
    })
    const harbour = { id: 'harbour', organizationId: organization.id, name: 'Harbour', createdAt: new Date() }
    await kit.app.db.insertInto('team').values(harbour).execute()
    await invite('pending@example.com')
    const page = await openAs(owner, invitations)
    await button(page, 'Invite members').first().click()
    await fillIn(page, 'Rosa <rosa@example.com>, new@example.com ingrid@example.com\npending@example.com nils@@example ')
    await dialog(page).getByText('Already a member, will be skipped').waitFor()
    await dialog(page).getByText('Not an email address, will be skipped').waitFor()
    await dialog(page).getByText('2 of 5 will be invited').waitFor()
    await dialog(page).getByLabel('Role of new@example.com').selectOption({ label: 'Admin' })
    await dialog(page).getByLabel('Send again to pending@example.com').check()
    for (const team of ['Halden Ferry Lines', 'Harbour'])
      await dialog(page).getByRole('group', { name: 'Teams' }).getByRole('checkbox', { name: team }).check()
    await dialog(page).getByText('3 of 5 will be invited').waitFor()
    await button(page, 'Send 3 invitations').click()
    await status(page, '3 invitations were sent. 2 addresses were skipped.').waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    await row(page, 'new@example.com').getByText('Admin').waitFor()
    await row(page, 'rosa@example.com').getByText('Pending').waitFor()
    expect(await row(page, 'pending@example.com').count()).toBe(1)
    const sent = await kit.app.db.selectFrom('invitation').select('teamId').execute()
    expect(sent.map(({ teamId }) => teamId?.split(',').length)).toEqual([2, 2, 2])
  })

  test('a new user signs up, verifies the email address, comes back and accepts', { timeout: 90_000 }, async () => {
    const { open, openAs, mailedLink, invitations, membersOf, origin } = await withOrganization()
    const page = await openAs(owner, invitations)
    await button(page, 'Invite members').first().click()
    await fillIn(page, una.email)
    await button(page, 'Send 1 invitation').click()
    await status(page, '1 invitation was sent.').waitFor()
    const guest = await open((await mailedLink(una.email)).slice(origin.length))
    await heading(guest, 'An invitation is waiting for you').waitFor()
    expect(await guest.getByText('Halden').count()).toBe(0)
    await link(guest, 'Create an account').click()
    await signUp(guest, una)
    await heading(guest, 'Join Halden Ferry Lines').waitFor()
    await guest.getByText('Verify your email address first').waitFor()
    expect(await button(guest, 'Accept invitation').count()).toBe(0)
    await button(guest, 'Send verification email').click()
    await heading(guest, 'Check your email').waitFor()
    await expect.poll(() => mailedLink(una.email)).toContain('/verify-email')
    await guest.goto(await mailedLink(una.email))
    await button(guest, 'Verify email address').click()
    await heading(guest, 'Your email address is verified').waitFor()
    await link(guest, 'Continue').click()
    await accept(guest)
    await arrived(guest)
    expect(await membersOf()).toContainEqual({ email: una.email, role: 'member' })
    await page.reload()
    await row(page, una.email).getByText('Accepted').waitFor()
  })

  test('without emails, says that links are passed on', async () => {
    const { openAs, invitations } = await withOrganization({ organization: { sendInvitationEmail: false } })
    const page = await openAs(owner, invitations)
    await button(page, 'Invite members').first().click()
    await dialog(page).getByText('This site does not send invitations by email.').waitFor()
    await fillIn(page, 'new@example.com')
    await button(page, 'Create 1 invitation').click()
    await status(page, '1 invitation was created. Copy its link from the list, and send it yourself.').waitFor()
    await button(page, 'Actions for new@example.com').click()
    await page.getByRole('menuitem', { name: 'Renew' }).click()
    await status(page, 'The invitation to new@example.com was renewed. Copy its link, and send it yourself.').waitFor()
  })

  test('after accepting, going back does not lead to the used invitation', async () => {
    const { openAs, invite, landing } = await withOrganization()
    const page = await openAs(rosa, '/organizations')
    await heading(page, 'Organizations').waitFor()
    await page.goto(new URL(landing(await invite(rosa.email)), page.url()).href)
    await accept(page)
    await arrived(page)
    await page.goBack()
    await heading(page, 'Organizations').waitFor()
  })

  test.each(browsers)('an existing user signs in, comes back and accepts, %s', async (_, options) => {
    const { open, invite, landing, membersOf, mailedLink, origin } = await withOrganization()
    const id = await invite(rosa.email, 'admin')
    expect(await mailedLink(rosa.email)).toBe(`${origin}${landing(id)}`)
    const page = await open(landing(id), options)
    await link(page, 'Sign in').click()
    await signIn(page, rosa)
    await heading(page, 'Join Halden Ferry Lines').waitFor()
    await page.getByText('ingrid@example.com has invited you.').waitFor()
    await page.getByRole('definition').filter({ hasText: 'Admin' }).waitFor()
    await accept(page)
    await page.waitForURL(/\/organizations\/\w+$/)
    expect(await membersOf()).toContainEqual({ email: rosa.email, role: 'admin' })
    await page.goto(`${origin}${landing(id)}`)
    await heading(page, 'This invitation no longer works').waitFor()
    await link(page, 'Go to your organizations').click()
    await page.waitForURL(/\/organizations$/)
  })

  test('another user reads nothing, and has a way to the right account', async () => {
    const { openAs, invite, landing, membersOf } = await withOrganization()
    const page = await openAs(eve, landing(await invite(rosa.email)))
    await heading(page, 'This invitation is for another email address').waitFor()
    await page.getByText(`You are signed in as ${eve.email}.`).waitFor()
    expect(await page.getByText('Halden').count()).toBe(0)
    expect(await page.getByText(rosa.email).count()).toBe(0)
    await button(page, 'Use another account').click()
    await link(page, 'Sign in').click()
    await signIn(page, rosa)
    await accept(page)
    await arrived(page)
    expect((await membersOf()).map(({ email }) => email)).toEqual([owner.email, rosa.email])
  })

  test.each(browsers)('a recipient declines, %s', async (_, options) => {
    const { openAs, invite, landing, invitations, membersOf } = await withOrganization()
    const page = await openAs(rosa, landing(await invite(rosa.email)), options)
    await link(page, 'Decline').click()
    await button(page, 'Decline invitation').click()
    await heading(page, 'You declined the invitation').waitFor()
    const own = await openAs(owner, invitations)
    await row(own, rosa.email).getByText('Declined').waitFor()
    expect(await membersOf()).toHaveLength(1)
  })

  test('an expired invitation says so, and works when it is sent again', async () => {
    const { kit, openAs, invite, landing, invitations, mailedLink } = await withOrganization()
    const id = await invite(rosa.email)
    await kit.app.db
      .updateTable('invitation')
      .set({ expiresAt: new Date(Date.now() - 3_600_000) })
      .execute()
    const page = await openAs(rosa, landing(id))
    await heading(page, 'This invitation no longer works').waitFor()
    const own = await openAs(owner, invitations)
    await row(own, rosa.email).getByText('Expired').waitFor()
    await kit.app.db.deleteFrom('caughtMail').execute()
    await own.getByRole('button', { name: `Actions for ${rosa.email}` }).click()
    await own.getByRole('menuitem', { name: 'Invite again' }).click()
    await status(own, `The invitation to ${rosa.email} was renewed and sent again.`).waitFor()
    expect(await mailedLink(rosa.email)).not.toContain(id)
    await page.goto(await mailedLink(rosa.email))
    await accept(page)
    await arrived(page)
  })

  test('a canceled invitation no longer works', async () => {
    const { openAs, invite, landing, invitations } = await withOrganization()
    const id = await invite(rosa.email)
    const page = await openAs(rosa, landing(id))
    await heading(page, 'Join Halden Ferry Lines').waitFor()
    const own = await openAs(owner, invitations)
    await own.getByRole('button', { name: `Actions for ${rosa.email}` }).click()
    await own.getByRole('menuitem', { name: 'Cancel invitation' }).click()
    const confirmation = own.getByRole('alertdialog', { name: `Cancel the invitation to ${rosa.email}?` })
    await confirmation.getByRole('button', { name: 'Cancel invitation' }).click()
    await status(own, `The invitation to ${rosa.email} was canceled.`).waitFor()
    await row(own, rosa.email).getByText('Canceled').waitFor()
    await accept(page)
    await heading(page, 'This invitation no longer works').waitFor()
  })
})

describe('the landing page', () => {
  test.each(['/accept-invitation?id=unknown', `/accept-invitation?id=${'x'.repeat(300)}`, '/accept-invitation'])(
    'says that %s no longer works',
    async (path) => {
      const { openAs } = await withOrganization()
      await heading(await openAs(rosa, path), 'This invitation no longer works').waitFor()
    },
  )

  test('keeps the way back through a sign-up that first needs a verified email address', async () => {
    const emailAndPassword = { enabled: true, requireEmailVerification: true }
    const { kit, open, mailedLink, invite, landing, membersOf } = await withOrganization({ emailAndPassword })
    const page = await open(landing(await invite(una.email)))
    await kit.app.db.deleteFrom('caughtMail').execute()
    await link(page, 'Create an account').click()
    await signUp(page, una)
    await heading(page, 'Check your email').waitFor()
    await expect.poll(() => mailedLink(una.email)).toContain('/verify-email')
    await page.goto(await mailedLink(una.email))
    await button(page, 'Verify email address').click()
    await heading(page, 'Your email address is verified').waitFor()
    await link(page, 'Sign in').click()
    await signIn(page, una)
    await accept(page)
    await arrived(page)
    expect(await membersOf()).toContainEqual({ email: una.email, role: 'member' })
  })

  test('says when the organization is full', async () => {
    const organization = { membershipLimit: 1 }
    const { openAs, invite, landing, membersOf } = await withOrganization({ organization })
    const page = await openAs(rosa, landing(await invite(rosa.email)))
    await accept(page)
    await page.getByText('ORGANIZATION_MEMBERSHIP_LIMIT_REACHED').waitFor()
    await page.getByText('Ask the sender of the invitation to make room, then try again.').waitFor()
    expect(await membersOf()).toHaveLength(1)
  })

  test('counts down when there were too many attempts, and says when the server does not respond', async () => {
    const { openAs, invite, landing } = await withOrganization()
    const page = await openAs(rosa, landing(await invite(rosa.email)))
    const body = { code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER', message: 'Too many requests.' }
    prepareResponse('/organization/accept-invitation', body, 429, { 'x-retry-after': '42' })
    await accept(page)
    await page.getByRole('button', { name: /^Try again in 0:4/ }).waitFor()
    resetPreparedResponses()
    await page.reload()
    await button(page, 'Accept invitation').waitFor()
    await page.context().setOffline(true)
    await accept(page)
    await page.getByText('The server did not respond.').waitFor()
    await page.context().setOffline(false)
  })

  test('a member with another invitation comes to the organization', async () => {
    const { openAs, invite, landing, kit, organization, membersOf } = await withOrganization()
    const page = await openAs(rosa, landing(await invite(rosa.email, 'admin')))
    const { id: userId } = await kit.app.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', rosa.email)
      .executeTakeFirstOrThrow()
    const row = { id: 'a-member', organizationId: organization.id, userId, role: 'member', teamId: null, createdAt: new Date() }
    await kit.app.db.insertInto('member').values(row).execute()
    await accept(page)
    await arrived(page)
    expect(await membersOf()).toContainEqual({ email: rosa.email, role: 'member' })
  })
})

describe('the invite dialog', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `guest${index}@example.com`).join('\n')

  test('keeps what could not be sent, with the reason, and sends it again', async () => {
    const { openAs, invitations } = await withOrganization({ organization: { invitationLimit: 3 } })
    const page = await openAs(owner, `${invitations}?invite=yes`)
    await fillIn(page, many(5))
    await button(page, 'Send 5 invitations').click()
    await dialog(page).getByText('3 invitations were sent.').waitFor()
    await dialog(page).getByText('INVITATION_LIMIT_REACHED').waitFor()
    await dialog(page).getByText('2 addresses').waitFor()
    await dialog(page).getByLabel('Role of guest3@example.com').waitFor()
    await button(page, 'Cancel').click()
    await page.getByRole('button', { name: 'Actions for guest0@example.com' }).click()
    await page.getByRole('menuitem', { name: 'Cancel invitation' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel invitation' }).click()
    await status(page, 'The invitation to guest0@example.com was canceled.').waitFor()
    await button(page, 'Invite members').first().click()
    await fillIn(page, 'guest3@example.com')
    await button(page, 'Send 1 invitation').click()
    await status(page, '1 invitation was sent.').waitFor()
    await row(page, 'guest3@example.com').getByText('Pending').waitFor()
  })

  test('waits when there are too many calls, and continues by itself', async () => {
    const { openAs, invitations, kit } = await withOrganization()
    const page = await openAs(owner, `${invitations}?invite=yes`)
    const body = { code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER', message: 'Too many requests.' }
    let calls = 0
    await page.route('**/organization/invite-member', (route) => {
      calls += 1
      return calls === 2 ? route.fulfill({ status: 429, headers: { 'x-retry-after': '1' }, json: body }) : route.continue()
    })
    await fillIn(page, many(3))
    await button(page, 'Send 3 invitations').click()
    await status(page, '3 invitations were sent.').waitFor()
    expect(calls).toBe(4)
    expect(await kit.app.db.selectFrom('invitation').select('id').execute()).toHaveLength(3)
  })

  test('sends 100 addresses, and stops when asked', async () => {
    const { openAs, invitations, kit } = await withOrganization()
    const page = await openAs(owner, `${invitations}?invite=yes`)
    const sent = async () => (await kit.app.db.selectFrom('invitation').select('id').execute()).length
    const stopped = Promise.withResolvers<void>()
    await page.route('**/organization/invite-member', async (route) => {
      if ((await sent()) === 3) await stopped.promise
      await route.continue()
    })
    await fillIn(page, many(100))
    await dialog(page).getByText('100 of 100 will be invited').waitFor()
    await button(page, 'Send 100 invitations').click()
    await dialog(page).getByText('3 of 100 sent').waitFor()
    await button(page, 'Stop').click()
    stopped.resolve()
    await dialog(page).getByText('4 invitations were sent.').waitFor()
    await button(page, 'Send 96 invitations').click()
    await status(page, '96 invitations were sent.').waitFor()
    expect(await sent()).toBe(100)
  })

  test('says what is wrong when nothing can be sent', async () => {
    const { openAs, invitations } = await withOrganization()
    const page = await openAs(owner, `${invitations}?invite=yes`)
    await button(page, 'Send invitations').click()
    await dialog(page).getByText('Enter at least one email address that can be invited.').waitFor()
    await fillIn(page, many(201))
    await dialog(page).getByText('At most 200 addresses in one go.').waitFor()
  })
})

describe('the list of invitations', () => {
  test('filters by status, searches, and keeps both in the address', async () => {
    const { openAs, invite, invitations, kit } = await withOrganization()
    for (const email of [rosa.email, 'guest1@example.com', 'guest2@example.com']) await invite(email)
    await kit.app.db.updateTable('invitation').set({ status: 'rejected' }).where('email', '=', rosa.email).execute()
    const page = await openAs(owner, invitations)
    await page.getByLabel('Status').selectOption('rejected')
    await row(page, rosa.email).waitFor()
    await expect.poll(() => row(page, 'guest').count()).toBe(0)
    await page.reload()
    await row(page, rosa.email).getByText('Declined').waitFor()
    await page.getByLabel('Search invitations').fill('guest1')
    await page.getByText('No matching invitations').waitFor()
    await page.getByLabel('Status').selectOption('')
    await row(page, 'guest1@example.com').waitFor()
    expect(await row(page, 'guest2@example.com').count()).toBe(0)
  })

  test('shows the link for a recipient whose email did not arrive', async () => {
    const { openAs, invite, invitations, origin, landing } = await withOrganization()
    const id = await invite(rosa.email)
    const page = await openAs(owner, invitations)
    await page.getByRole('button', { name: `Actions for ${rosa.email}` }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await page.getByText(`${origin}${landing(id)}`).waitFor()
    await page.getByText(`Only the owner of ${rosa.email} can use it`).waitFor()
  })

  test('a member sees it without actions', async () => {
    const { openAs, invite, invitations, landing } = await withOrganization()
    const page = await openAs(rosa, landing(await invite(rosa.email)))
    await accept(page)
    await arrived(page)
    await page.goto(new URL(invitations, page.url()).href)
    await row(page, rosa.email).getByText('Accepted').waitFor()
    expect(await page.getByRole('button', { name: /^Actions|^Invite/ }).count()).toBe(0)
  })
})

describe('the organizations of a user', () => {
  test('invitations are noticed in the navigation, and accepted or declined there', async () => {
    const { kit, openAs, invite } = await withOrganization()
    await invite(rosa.email)
    const page = await openAs(rosa, '/account')
    await page.getByRole('link', { name: '1 invitation is waiting' }).click()
    await page.getByText('Ingrid invites you as Member.').waitFor()
    await button(page, 'Accept the invitation to Halden Ferry Lines').click()
    await status(page, 'You are now a member of Halden Ferry Lines.').waitFor()
    await row(page, 'Halden Ferry Lines').getByText('Member').first().waitFor()
    await expect.poll(() => page.getByText('invitation is waiting').count()).toBe(0)
    await button(page, 'Leave Halden Ferry Lines').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave organization' }).click()
    await status(page, 'You left Halden Ferry Lines.').waitFor()
    await invite(rosa.email)
    await page.reload()
    await button(page, 'Decline the invitation to Halden Ferry Lines').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Decline invitation' }).click()
    await status(page, 'You declined the invitation to Halden Ferry Lines.').waitFor()
    expect(await kit.app.db.selectFrom('member').select('id').execute()).toHaveLength(1)
  })

  test('the only owner learns what to do before they leave', async () => {
    const { openAs } = await withOrganization()
    const page = await openAs(owner, '/organizations')
    await button(page, 'Leave Halden Ferry Lines').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave organization' }).click()
    await page.getByText('Every organization keeps at least one owner. Give another member this role first.').waitFor()
  })

  test('with an unverified email address, the page offers to verify it', async () => {
    const { kit, openAs, invite } = await withOrganization()
    await invite(rosa.email)
    await kit.app.db.updateTable('user').set({ emailVerified: false }).where('email', '=', rosa.email).execute()
    const page = await openAs(rosa, '/organizations')
    await page.getByText('Invitations appear here once your email address is verified').waitFor()
    await button(page, 'Send verification email').click()
    await page.getByText(`We sent an email to ${rosa.email}.`).waitFor()
  })
})

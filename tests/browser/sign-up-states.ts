/** States of the pages about who may sign up: invite links and the waiting list, of visitors and of administrators. */
import type { Page } from 'playwright-core'
import { prepareResponse } from '../kit/hosted-pages.ts'
import { visit } from './inspection.ts'
import { ada, type Lead, loadError, opensDialog, reloading, type States, submitEmpty, withResponse } from './leads.ts'

const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const ann = 'ada.lovelace.of.the.analytical.engine@mathematics.department.haldenferry.example'

const link = {
  ...{ id: 'a', label: 'Conference of mathematicians in May', state: 'active', maxUses: 10_000, uses: 1234 },
  ...{ role: 'support', organizationId: 'o', organizationRole: 'member', createdBy: 'u', createdAt: at(-1), expiresAt: at(6) },
}
const plain = { ...link, label: null, role: null, organizationId: null }
const inviteLinks = [
  link,
  { ...plain, id: 'b', state: 'used', uses: 10_000 },
  { ...plain, id: 'c', state: 'expired' },
  { ...plain, id: 'd', state: 'revoked' },
]
const url = 'http://localhost:3000/join?token=aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF'

const applicant = {
  id: 'a',
  email: ann,
  name: 'Ada Lovelace',
  state: 'waiting',
  createdAt: at(-3),
  decidedAt: null,
  decidedBy: null,
}
const decided = { ...applicant, decidedAt: at(-1), decidedBy: 'u' }
const applicants = [applicant, { ...applicant, id: 'b', name: null }]
const ended = [
  { ...decided, id: 'c', state: 'approved' },
  { ...decided, id: 'd', state: 'declined' },
]

const lists = (entries: readonly object[], text: string): Lead =>
  withResponse('/admin/list-waiting-list*', 200, { entries, nextCursor: null, waiting: 12_345 }, text)
const listsLinks = (links: readonly object[], text: string): Lead =>
  withResponse('/admin/list-invite-links*', 200, { inviteLinks: links, nextCursor: null }, text)

const create = async (page: Page) => {
  await page.getByRole('button', { name: 'Create invite link' }).click()
  await page.getByRole('dialog').waitFor()
}
const submit = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Create invite link' }).click()

async function createErrors(page: Page): Promise<void> {
  await create(page)
  await page.getByLabel('Number of users').fill('0')
  await submit(page)
  await page.locator('[role=dialog] [aria-invalid=true]').first().waitFor()
}

async function created(page: Page): Promise<void> {
  await create(page)
  prepareResponse('/admin/create-invite-link', { ...link, url })
  await submit(page)
  await page.getByText('Copy the link now').waitFor()
}

const after = (first: Lead, then: Lead): Lead =>
  reloading(async (page) => {
    await first(page)
    await then(page)
  })

/** With the token of a link, whose preview responds so. */
const invites =
  (organization: object | null, heading: string | RegExp): Lead =>
  async (page) => {
    prepareResponse('/invite-link/preview', { organization })
    await visit(page, new URL('/join?token=unknown', page.url()).href)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
const organization = { name: 'Halden Ferry' }

/** With another user, who is signed in after it. */
const signedIn =
  (lead: Lead): Lead =>
  async (page) => {
    const { origin } = new URL(page.url())
    const data = { email: ada.email, password: ada.password }
    await page.request.post(`${origin}/api/auth/sign-in/email`, { data, headers: { origin } })
    await lead(page)
  }

async function joined(page: Page): Promise<void> {
  await page.getByLabel('Name').fill(ada.name)
  await page.getByLabel('Email address').fill(ada.email)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor()
}

const preview = {
  ...{ email: 'a•••@example.com', isLocked: false, opensByReset: true },
  ends: { sessions: 12, apiKeys: 1, linksAndCodes: 2, linkedAccounts: 3, trustedBrowsers: 1 },
}
const asks =
  (response: object, text: string): Lead =>
  async (page) => {
    prepareResponse('/lock-account/check', response)
    await visit(page, new URL('/lock-account?token=unknown', page.url()).href)
    await page.getByText(text).first().waitFor()
  }

export const signUpStates: States = {
  '/admin/invite-links': {
    links: listsLinks(inviteLinks, 'Conference of mathematicians'),
    empty: listsLinks([], 'No invite links'),
    'create dialog': create,
    'form errors': createErrors,
    'created link': created,
    'revoke dialog': after(listsLinks(inviteLinks, 'Conference of mathematicians'), opensDialog('Revoke the link')),
    'load error': loadError('/admin/list-invite-links*'),
  },
  '/admin/waiting-list': {
    applicants: lists(applicants, ann),
    decided: lists(ended, 'Approved'),
    empty: lists([], 'No applicants'),
    'no results': async (page) => {
      await visit(page, `${page.url()}?search=unknown`)
      await page.getByText('No applicants found').waitFor()
    },
    'approve dialog': after(lists(applicants, ann), opensDialog('Approve 2 applicants')),
    'load error': loadError('/admin/list-waiting-list*'),
  },
  '/join': {
    'a visitor': invites(null, /^You are invited to/),
    'a visitor, to an organization': invites(organization, /^You are invited to join/),
    'a user': signedIn(invites(null, /^You are invited to/)),
    'a user, to an organization': signedIn(invites(organization, /^You are invited to join/)),
  },
  '/waiting-list': { 'form errors': submitEmpty, joined },
  '/lock-account': {
    question: asks(preview, '12 signed-in devices'),
    'locked before': asks({ ...preview, isLocked: true, opensByReset: false }, 'The account is locked already'),
  },
}

/** Every declared screen in its states: accessible in both themes, usable at 320 px, translated, and right to left. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withChromium } from '../kit/hosted-pages.ts'
import { adminStates } from './admin-states.ts'
import { apiKeyStates } from './api-key-states.ts'
import { eventStates } from './event-states.ts'
import {
  declaredScreens,
  expectAccessible,
  expectCatalogueTexts,
  expectNoSidewaysScroll,
  exportedComponents,
  loadAxe,
  serveAxe,
  visit,
} from './inspection.ts'
import { invitationStates } from './invitation-states.ts'
import { operationsStates } from './operations-states.ts'
import { phoneStates } from './phone-states.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

const keys = { clientId: 'an-id', clientSecret: 'a-secret' }

/** Everything that adds a screen is on. */
const config = {
  admin: { enabled: true, listTimeout: 60_000 },
  jwt: true,
  openAPI: true,
  multiSession: true,
  apiKey: true,
  organization: { teams: { enabled: true } },
  username: true,
  phoneNumber: { signUpOnVerification: { getTempEmail: (number: string) => `${number.slice(1)}@phone.example.com` } },
  sms: { catch: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  socialProviders: { github: keys },
  genericOAuth: {
    config: [
      { ...keys, providerId: 'acme', name: 'Halden ID', authorizationUrl: 'https://id.test/a', tokenUrl: 'https://id.test/t' },
    ],
  },
}
const development = { administrator: { email: 'admin@localhost.test', password: 'correct horse battery' } }

async function openSite() {
  const { kit, open, origin } = await hostedPages(config, { development })
  serveAxe(kit.app)
  const page = await open('/api/auth/ok')
  return {
    kit,
    page,
    origin,
    signUp: async () => {
      await page.request.post(`${origin}/api/auth/sign-up/email`, { data: ada, headers: { origin } })
      // With the permissions of an administrator, every screen has all of its parts.
      await kit.app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', ada.email).execute()
    },
    /** The path of a screen with the ID of an organization of Ada, or of another user. */
    fillIn: async (path: string): Promise<string> => {
      if (path.includes('$userId')) {
        const { body } = await kit.browser().call('POST /sign-up/email', { body: { ...ada, email: 'bob@example.com' } })
        return path.replace('$userId', body.user.id)
      }
      if (!path.includes('$organizationId')) return path
      const data = { name: 'Halden Ferry', slug: 'halden' }
      const response = await page.request.post(`${origin}/api/auth/organization/create`, { data, headers: { origin } })
      return path.replace('$organizationId', (await response.json()).id)
    },
  }
}

/** Presses the button of each form without filling it in. */
async function submitEmpty(page: Page): Promise<void> {
  await page.locator('main form button[type=submit]').first().click()
  await page.locator('main [aria-invalid=true]').first().waitFor()
}

/** Responses of calls that are hard to cause. */
const limited = (path: string) => async (page: Page) => {
  const body = { code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER', message: 'Too many requests. Please try again later.' }
  await page.route(`**${path}`, (route) => route.fulfill({ status: 429, headers: { 'x-retry-after': '42' }, json: body }))
}

async function signInLimited(page: Page): Promise<void> {
  await limited('/sign-in/email')(page)
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.keyboard.press('Enter')
  await page.getByText('Too many attempts.').waitFor()
}

/** Reloads the page with another response of a call. */
const withResponse = (path: string, status: number, json: unknown) => async (page: Page) => {
  await page.route(`**${path}`, (route) => route.fulfill({ status, json }))
  await page.reload()
}
/** Only `repeated` is a failure of the server: calls that failed so are repeated for three seconds before the page shows it. */
const serverError = { code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' }
const loadError =
  (path: string, repeated = false) =>
  async (page: Page) => {
    await withResponse(path, repeated ? 500 : 400, serverError)(page)
    await page.getByText(serverError.code).waitFor()
  }

async function textMessage(page: Page): Promise<void> {
  const mail = { id: 'sms', kind: 'phone-verification', recipient: '+491701234567', subject: '', html: '', isText: true }
  const more = { text: '482913 is your Acme code.', code: '482913', createdAt: '2026-05-01T10:00:00Z' }
  await withResponse('/mailbox/list', 200, { mails: [{ ...mail, ...more }] })(page)
  await page.locator('main li a').first().click()
  await page.getByRole('button', { name: 'Copy the code' }).waitFor()
}

async function emptyMailbox(page: Page): Promise<void> {
  await withResponse('/mailbox/list', 200, { mails: [] })(page)
  await page.getByText('No messages yet').waitFor()
}

async function goOffline(page: Page): Promise<void> {
  await loadAxe(page)
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
}

const opensDialog = (button: string | RegExp) => async (page: Page) => {
  await page.locator('main').getByRole('button', { name: button }).first().click()
  await page.getByRole('alertdialog').waitFor()
}

async function endedSession(page: Page): Promise<void> {
  await page.route('**/update-user', (route) =>
    route.fulfill({ status: 401, json: { code: 'UNAUTHORIZED', message: 'Unauthorized' } }),
  )
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
}

const eve = { ...ada, name: 'Eve', email: 'eve@example.com' }

/** A second account in this browser, which is the current one then. */
async function addAccount(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await page.request.post(`${origin}/api/auth/sign-up/email`, { data: eve, headers: { origin } })
}

async function accountMenu(page: Page): Promise<void> {
  await addAccount(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await page.getByRole('button', { name: 'Account menu of' }).click()
  await page.getByRole('menuitemradio', { name: ada.email }).waitFor()
}

async function anotherAccount(page: Page): Promise<void> {
  await addAccount(page)
  await visit(page, `${page.url()}?account=another`)
  await page.getByText(eve.email).waitFor()
}

async function navigationSheet(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('dialog').waitFor()
}

async function verifyLimited(page: Page): Promise<void> {
  await limited('/verification-link')(page)
  await visit(page, `${page.url()}?token=unknown`)
  await page.getByText('Too many attempts.').waitFor()
}

async function deleteByUnknownLink(page: Page): Promise<void> {
  await visit(page, `${page.url()}?token=unknown`)
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('heading', { name: 'This link cannot delete your account' }).waitFor()
}

const githubAsListed = {
  id: 'github',
  name: 'GitHub',
  signUp: 'always',
  redirectURI: 'https://accounts.example.com/api/auth/callback/github',
  scopes: [
    { name: 'read:user', grants: 'Read the profile' },
    { name: 'https://www.example.com/auth/calendar.readonly.and.more', grants: null },
  ],
  linking: 'always',
  usesPKCE: true,
  canRefresh: true,
  idTokenSignIn: false,
}

const listsProviders = (providers: readonly object[], text: string) => async (page: Page) => {
  await withResponse('/auth/admin/social-providers', 200, providers)(page)
  await page.getByText(text).first().waitFor()
}

async function linkedAccounts(page: Page): Promise<void> {
  const account = { accountId: '583231', provider: 'github', providerId: 'github', scopes: ['read:user', 'user:email'] }
  await withResponse('/list-accounts', 200, [{ ...account, id: 'a', createdAt: '2026-05-01T10:00:00Z' }])(page)
  await page.getByText('This is your only sign-in method.').waitFor()
}

async function providerOffline(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor()
  await loadAxe(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await page.getByText('The server did not respond.').waitFor()
}

type States = Readonly<Record<string, Readonly<Record<string, (page: Page) => Promise<unknown>>>>>

/** Responses that lead to states of the pages of an organization. */
const role = '/organization/get-active-member-role**'
const notAMember = { code: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION', message: 'You are not a member of this organization' }

async function cannotBeOpened(page: Page): Promise<void> {
  await withResponse(role, 403, notAMember)(page)
  await page.getByRole('heading', { name: 'You cannot open this organization' }).waitFor()
}

async function asMember(page: Page): Promise<void> {
  await withResponse(role, 200, { role: 'member' })(page)
  await page.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
}

async function switcher(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Halden Ferry' }).click()
  await page.getByRole('option', { name: 'Halden Ferry' }).waitFor()
}

const emptyList = (path: string, json: unknown, text: string) => async (page: Page) => {
  await withResponse(path, 200, json)(page)
  await page.getByRole('heading', { name: text }).waitFor()
}

const opensMenu = (item?: string) => async (page: Page) => {
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menu').waitFor()
  if (item === undefined) return
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor()
}

/** Bob is a member too. */
async function changesRole(page: Page): Promise<void> {
  const bob = { id: 'bob', userId: 'bob', organizationId: 'x', role: 'member', teamId: null, createdAt: '2026-05-01T10:00:00Z' }
  const members = [{ ...bob, user: { id: 'bob', name: 'Ada', email: ada.email, image: null } }]
  await withResponse('/organization/list-members**', 200, { members, total: 1, hasMore: false, next: null })(page)
  await opensMenu('Change role')(page)
  await page.getByLabel('Admin').check()
  await page.getByText('May do in addition').waitFor()
}

async function slugIsTaken(page: Page): Promise<void> {
  await page.route('**/organization/check-slug', (route) =>
    route.fulfill({ status: 400, json: { code: 'SLUG_IS_TAKEN', message: 'slug is taken' } }),
  )
  await page.getByLabel('Slug').fill('taken')
  await page.getByText('Another organization has the slug taken.').waitFor()
}

async function limitReached(page: Page): Promise<void> {
  const error = { code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS', message: 'Too many' }
  await page.route('**/organization/create', (route) => route.fulfill({ status: 403, json: error }))
  await page.getByLabel('Name').fill('Halden')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('You have as many organizations as you may have.').waitFor()
}

const organizationStates: States = {
  '/organizations/create': { 'form errors': submitEmpty, 'slug is taken': slugIsTaken, 'limit reached': limitReached },
  '/organizations/$organizationId': {
    'cannot be opened': cannotBeOpened,
    'load error': loadError(role),
    'activity cannot be loaded': loadError('/organization/list-events**'),
    switcher,
  },
  '/organizations/$organizationId/members': {
    'load error': loadError('/organization/list-members**'),
    'no results': emptyList(
      '/organization/list-members**',
      { members: [], total: 0, hasMore: false, next: null },
      'No member matches',
    ),
    menu: opensMenu(),
    'role dialog': changesRole,
    'team dialog': opensMenu('Move to team'),
  },
  '/organizations/$organizationId/teams': {
    'load error': loadError('/organization/list-teams**'),
    empty: emptyList('/organization/list-teams**', [], 'No teams yet'),
    menu: opensMenu(),
    'members dialog': opensMenu('Edit members'),
    'name dialog': opensMenu('Rename team'),
  },
  '/organizations/$organizationId/activity': {
    'load error': loadError('/organization/list-events**'),
    empty: emptyList('/organization/list-events**', { events: [], nextCursor: null, previousCursor: null }, 'No activity'),
    'not permitted': asMember,
  },
  '/organizations/$organizationId/settings': {
    'not permitted': asMember,
    'slug is taken': slugIsTaken,
    confirmation: opensDialog('Delete organization'),
  },
}

/** States beyond the first view, by the address of the screen: what leads to them. */
const states: States = {
  '/sign-in': {
    'form errors': submitEmpty,
    'rate limited': signInLimited,
    offline: goOffline,
    'provider offline': providerOffline,
    'another account': anotherAccount,
  },
  '/sign-up': { 'form errors': submitEmpty },
  '/forgot-password': { 'form errors': submitEmpty },
  '/sign-in/phone': { 'form errors': submitEmpty },
  '/forgot-password/phone': { 'form errors': submitEmpty },
  '/mailbox': { empty: emptyMailbox, 'text message': textMessage, 'load error': loadError('/mailbox/list') },
  '/account': { 'session ended': endedSession, 'navigation sheet': navigationSheet, accounts: accountMenu },
  '/account/password': { 'form errors': submitEmpty, 'load error': loadError('/list-accounts'), linked: linkedAccounts },
  '/admin/social-providers': {
    providers: listsProviders([githubAsListed], 'Read the profile'),
    empty: listsProviders([], 'No social provider is configured'),
    'load error': loadError('/auth/admin/social-providers'),
  },
  '/account/sessions': { 'load error': loadError('/list-sessions', true), confirmation: opensDialog('Sign out everywhere') },
  '/account/delete': { 'form errors': submitEmpty },
  '/verify-email': { 'rate limited': verifyLimited },
  '/delete-account': { 'unknown link': deleteByUnknownLink },
}
/** By the address of a screen: the states of all lists. */
const allStates: Record<string, States[string]> = {}
for (const each of [
  states,
  organizationStates,
  invitationStates,
  operationsStates,
  adminStates,
  eventStates,
  apiKeyStates,
  phoneStates,
])
  for (const [path, some] of Object.entries(each)) allStates[path] = { ...allStates[path], ...some }

/** Parameters with which a screen shows something else. */
const searches: Readonly<Record<string, readonly string[]>> = {
  '/accept-invitation': ['?id=unknown'],
  '/sign-in': ['?provider=github&error=account_not_linked', '?error=something'],
  '/sign-up': ['?provider=github&error=unable_to_create_user'],
  '/account/password': ['?provider=github&error=account_not_linked'],
  '/signed-in-again': ['?error=access_denied'],
  '/mailbox': ['?to=none', '?mail=unknown'],
  '/reset-password': ['?token=unknown', '?error=INVALID_TOKEN'],
  '/set-up': ['?token=unknown'],
  '/email-verified': ['?error=invalid_token'],
  '/email-changed': ['?error=invalid_token'],
  '/delete-account': ['?token=unknown'],
  '/error': ['?error=INVALID_TOKEN', '?error=something', '?error=access_denied'],
  '/check-email': ['?email=ada@example.com'],
  '/admin/events': ['?group=users,signIns&range=7d', '?search=unknown'],
  '/admin/limits': ['?account=ada@example.com&address=127.0.0.1'],
  '/admin/configuration': ['?search=limit'],
}

const screens = declaredScreens.filter(({ path }) => path !== '/components')

describe.each(screens)('$path', { timeout: 90_000 }, ({ path, access }) => {
  test('is accessible, fits narrow and zoomed windows, and has texts of the catalogue in any language', async () => {
    const { kit, page, origin, signUp, fillIn } = await openSite()
    await signUp()
    if (path.startsWith('/admin')) await kit.app.db.updateTable('user').set({ role: 'admin' }).execute()
    const address = await fillIn(path)
    const variants = ['', ...(searches[path] ?? [])].map((search) => `${address}${search}`)
    if (path === '/mailbox') await kit.browser().call('POST /request-password-reset', { body: { email: ada.email } })
    if (access !== 'session') await page.context().clearCookies()
    for (const variant of variants) {
      await visit(page, `${origin}${variant}`)
      expect(new URL(page.url()).pathname).toBe(address)
      await expectAccessible(page, variant)
      await expectNoSidewaysScroll(page, variant)
    }
    for (const [state, lead] of Object.entries(allStates[path] ?? {})) {
      await visit(page, `${origin}${address}`)
      await lead(page)
      await expectAccessible(page, state)
      await expectNoSidewaysScroll(page, state)
      await page.unrouteAll()
      await page.context().setOffline(false)
    }
    // They are texts of an email, in the language of the site.
    await kit.app.db.deleteFrom('caughtMail').execute()
    for (const variant of variants) {
      const url = `${origin}${variant}${variant.includes('?') ? '&' : '?'}lang=`
      await visit(page, `${url}en-XA`)
      await expectCatalogueTexts(page, [
        'Acme',
        'Halden Ferry',
        ...Object.values(ada),
        // In the states above, this browser may have a second account.
        eve.name,
        eve.email,
        'bob@example.com',
        'admin@localhost.test',
        'Chrome',
        'Linux',
        'Headless',
      ])
      await expectNoSidewaysScroll(page, `${variant}, longer`)
      await visit(page, `${url}ar-XB`)
      expect(await page.evaluate('document.documentElement.dir')).toBe('rtl')
      await expectNoSidewaysScroll(page, `${variant}, right to left`)
    }
  })
})

test('the page for unknown addresses is accessible', async () => {
  const { page, origin } = await openSite()
  await visit(page, `${origin}/unknown`)
  await expectAccessible(page, 'unknown')
  await expectNoSidewaysScroll(page, 'unknown')
})

test('states belong to screens that exist', () => {
  const paths = declaredScreens.map(({ path }) => path)
  expect(Object.keys(searches).filter((path) => !paths.includes(path))).toEqual([])
  expect(Object.keys(allStates).filter((path) => !paths.includes(path))).toEqual([])
})

describe('the story page', () => {
  /** Frames are the screens themselves, the captcha is a script of its provider, and some parts need a session. */
  const shownElsewhere = [
    'AccountFrame',
    'AccountMenu',
    'AdminFrame',
    'CaptchaWidget',
    'DeviceIcon',
    'FrameNavigation',
    'HostedFrame',
    'ImpersonationBar',
    'InstanceLink',
    'NotPermitted',
    'NotWhileImpersonating',
    'OrganizationFrame',
    'OrganizationNavigation',
    'OrganizationSwitcher',
    'Palette',
    'PaletteDialog',
    'PaletteField',
    'PlainFrame',
    'ReadOnlyNote',
    'Root',
  ]

  /** Some of its buttons stay busy. */
  const openStories = async (page: Page, url: string) => {
    await page.goto(url)
    await page.getByRole('heading', { name: 'SignInAgain' }).waitFor()
  }

  test('shows every component in every state, accessible', async () => {
    const { page, origin } = await openSite()
    await openStories(page, `${origin}/components`)
    const shown = await page.locator('section > h2').allTextContents()
    const exported = [...exportedComponents('components/*.tsx'), ...exportedComponents('frame/*.tsx')]
    expect(shown).toEqual(expect.arrayContaining(exported.filter((name) => !shownElsewhere.includes(name))))
    await expectAccessible(page, 'all components')
    await expectNoSidewaysScroll(page, 'all components')
  })

  test('opens dialogs, menus and toasts that are accessible', { timeout: 120_000 }, async () => {
    const { page, origin } = await openSite()
    await openStories(page, `${origin}/components`)
    for (const opener of await page.getByRole('button', { name: 'Open', exact: true }).all()) {
      await opener.click()
      const popup = page.locator('[role=dialog], [role=alertdialog], [role=menu]')
      await popup.waitFor()
      await expectAccessible(page, await popup.innerText())
      await page.keyboard.press('Escape')
      await popup.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Show a toast' }).click()
    await page.getByText('4 sessions revoked').first().waitFor()
    await expectAccessible(page, 'toast')
  })

  test('fits narrow windows in the longest language and from right to left', async () => {
    const { page, origin } = await openSite()
    for (const locale of ['de', 'en-XA', 'ar-XB']) {
      await openStories(page, `${origin}/components?lang=${locale}`)
      await expectNoSidewaysScroll(page, locale)
    }
  })
})

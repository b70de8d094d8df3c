/** The audit log, the overview, the organizations of the instance and the command palette, in one browser or two. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chainEvents } from '../../src/features/audit/chain.ts'
import { recordEvents } from '../../src/features/audit/index.ts'
import { setUserRole } from '../../src/features/roles/index.ts'
import { prepareResponse, storages, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const password = 'correct horse battery'
const root = { name: 'Root', email: 'root@example.com', password }
const ida = { name: 'Ida Wolfsgruber', email: 'ida@example.com', password }

/** A dialog puts the focus into its field one frame after it is shown. */
const focusedInput = (page: Page) => page.locator('input:focus')

/** An administrator, and Ida, who has an organization. */
async function withEvents(options: Parameters<typeof hostedPages>[1] = {}) {
  const pages = await hostedPages(
    { admin: { enabled: true, listTimeout: 60_000 }, organization: true, rateLimit: { enabled: false } },
    options,
  )
  const { kit, origin } = pages
  const { app, clock } = kit
  // Pages compare times with those of the browser.
  clock.advance((Date.now() - clock.now().getTime()) / 1000)
  const [administrator, browser] = [kit.browser(), kit.browser()]
  const { id: rootId } = (await administrator.call('POST /sign-up/email', { body: root })).body.user
  await setUserRole(app, rootId, 'admin')
  clock.advance(1)
  const { id: userId } = (await browser.call('POST /sign-up/email', { body: ida })).body.user
  const body = { name: 'Halden Ferry', slug: 'halden' }
  const { body: organization } = await browser.call('POST /organization/create', { body }, { origin })
  clock.advance(1)
  const ban = () => administrator.call('POST /admin/ban-user', { body: { userId, banReason: 'Ticket 48213' } }, { origin })
  return { ...pages, administrator, browser, rootId, userId, organization, ban }
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
/** The line of an event, by a part of its sentence. */
const line = (page: Page, text: string | RegExp) => page.getByRole('main').getByRole('listitem').filter({ hasText: text })
const details = (page: Page) => page.getByRole('complementary', { name: 'Event details' })

describe.each(storages)('on %s', (storage) => {
  test('follows an event from the audit log to both parties', async () => {
    const { openAs, ban, kit } = await withEvents({ storage })
    await ban()
    await chainEvents(kit.app)
    const page = await openAs(root, '/admin/events', { viewport: { width: 1440, height: 900 } })
    const event = line(page, 'Root banned Ida Wolfsgruber')
    await event.getByRole('link', { name: 'Details of user.banned' }).click()
    await details(page).getByText('Ticket 48213').waitFor()
    await details(page)
      .getByText(/The hash matches\. Event \d+ of the chain\./)
      .waitFor()
    await page.reload()
    await details(page).getByText('Ticket 48213').waitFor()
    await details(page).getByRole('link', { name: 'Ida Wolfsgruber' }).first().click()
    await heading(page, 'Ida Wolfsgruber').waitFor()
    expect(await page.title()).toMatch(/^Ida Wolfsgruber · User · /)
    await page.getByRole('link', { name: 'Activity' }).click()
    await line(page, 'Root banned Ida Wolfsgruber').getByRole('link', { name: 'Root' }).click()
    await heading(page, 'Root').waitFor()
  })

  test('shows a sign-in from another browser while the page is open', async () => {
    const { openAs, kit } = await withEvents({ storage })
    const page = await openAs(root, '/admin/events')
    await line(page, 'Ida Wolfsgruber signed up').waitFor()
    const signIns = line(page, 'Ida Wolfsgruber signed in with a password')
    const before = await signIns.count()
    kit.clock.advance(2)
    const other = await openAs(ida, '/account')
    await heading(other, 'Profile').waitFor()
    await page.bringToFront()
    await page.getByRole('status').filter({ hasText: '1 new' }).waitFor()
    expect(await signIns.count()).toBe(before + 1)
  })

  test('shows new events where none was found before, and the newest of more than fit above the page', async () => {
    const { openAs, kit, ban } = await withEvents({ storage })
    const filtered = await openAs(root, '/admin/events?outcome=denied')
    await filtered.getByText('No event found').waitFor()
    const denied = { action: 'access.denied', outcome: 'denied' } as const
    await recordEvents(kit.app, [denied])
    await line(filtered, 'was denied access').waitFor()
    const page = await openAs(root, '/admin/events')
    await line(page, 'Ida Wolfsgruber signed up').waitFor()
    kit.clock.advance(1)
    await recordEvents(
      kit.app,
      Array.from({ length: 450 }, () => denied),
    )
    kit.clock.advance(1)
    await ban()
    await line(page, 'Root banned Ida Wolfsgruber').waitFor()
  })

  test('shows a sign-up in the overview, once its event is part of the chain', async () => {
    const { openAs, kit } = await withEvents({ storage })
    await chainEvents(kit.app)
    const page = await openAs(root, '/admin?range=24h')
    await page.getByRole('img', { name: /^Sign-ups from .*: 2\.$/ }).waitFor()
    const figure = page.getByRole('region', { name: 'Sign-ups' })
    await figure.getByText('Table').click()
    expect(await figure.getByRole('row').count()).toBe(25)
    await figure.getByRole('cell', { name: '2', exact: true }).waitFor()
    await page.getByRole('link', { name: '7 d' }).click()
    await page.waitForURL('**/admin?range=7d')
    // The address changes before the link does.
    const failed = page.getByRole('link', { name: 'View failed sign-ins' })
    await failed.and(page.locator('[href*="range=7d"]')).click()
    await page.waitForURL('**/admin/events?group=signIns&outcome=failed&range=7d')
  })
})

test('the overview says that a check did not respond, and not that it has found a problem', async () => {
  const { openAs } = await withEvents()
  const check = (id: string) => ({ id, state: 'warning', message: 'no-response', values: {} })
  prepareResponse('/admin/health', {
    checks: [check('configuration'), check('migrations')],
    database: { product: 'MySQL 9.7.4', latencyMs: 1, isReadOnly: false, pool: null },
    ...{ redis: null, mail: { isConfigured: true, waiting: 0, failed: 0, oldestWaitingAt: null }, jobs: { late: 0, failed: 0 } },
    ...{ workers: null, startedAt: null, uptime: null, node: '24', version: '1' },
  })
  const page = await openAs(root, '/admin')
  const part = (name: string) => page.getByRole('navigation', { name: 'Health' }).getByRole('link', { name })
  await part('Configuration').getByText('No response').waitFor()
  await part('Migrations').getByText('No response').waitFor()
})

describe('the audit log', () => {
  test('moves the focus to the list with the page, and shortens hashes to what differs', async () => {
    const { openAs, kit, userId } = await withEvents()
    const target = { type: 'user', id: userId }
    await recordEvents(
      kit.app,
      Array.from({ length: 60 }, () => ({ action: 'user.updated', target }) as const),
    )
    await chainEvents(kit.app)
    const page = await openAs(root, '/admin/events', { viewport: { width: 1440, height: 900 } })
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe('Events')
    await page.getByRole('button', { name: 'Previous' }).click()
    await line(page, 'profile').first().getByRole('link', { name: 'Details of' }).click()
    const hashes = details(page).getByText(/^[\w-]{8} … [\w-]{6}$/)
    await expect.poll(() => hashes.count()).toBe(2)
    const [first, second] = await hashes.allTextContents()
    expect(first?.slice(0, 8)).not.toBe(second?.slice(0, 8))
  })

  test('filters by facets, chips and search, all in the address', async () => {
    const { openAs, ban, userId } = await withEvents()
    await ban()
    const page = await openAs(root, '/admin/events')
    await page.getByLabel(/^Roles and bans/).check()
    await page.waitForURL('**/admin/events?group=access')
    await expect.poll(() => line(page, 'signed up').count()).toBe(0)
    await line(page, 'Root banned Ida Wolfsgruber').waitFor()
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('dialog').getByLabel('User ID, as actor or subject').fill(userId)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'By or about Ida Wolfsgruber', exact: true }).waitFor()
    await page.reload()
    await line(page, 'Root banned Ida Wolfsgruber').waitFor()
    await page.getByRole('button', { name: 'Remove the filter: By or about Ida Wolfsgruber' }).click()
    await page.getByLabel('Search the audit log').fill('someone@example.com')
    await page.getByText('No event found').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await line(page, 'Ida Wolfsgruber signed up').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('says that an event was changed after it was recorded', async () => {
    const { openAs, ban, kit } = await withEvents()
    await ban()
    await chainEvents(kit.app)
    const event = { outcome: 'failed' }
    await kit.app.db.updateTable('auditEvent').set(event).where('action', '=', 'user.banned').execute()
    const page = await openAs(root, '/admin/events')
    await page.getByRole('link', { name: 'Details of user.banned' }).click()
    await page.getByRole('dialog').getByText('this event was changed after it was recorded').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('exports the events that match: a short list is complete immediately', async () => {
    const { openAs, ban } = await withEvents()
    await ban()
    const page = await openAs(root, '/admin/events?group=access')
    await page.getByRole('button', { name: 'Export events' }).click()
    await page.getByRole('dialog').getByLabel('File format').selectOption('NDJSON')
    const download = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^events-.*\.ndjson$/)
    const lines = (await readFile((await file.path()) ?? '', 'utf8')).trimEnd().split('\n')
    const actions = lines.map((text) => JSON.parse(text).action)
    expect(actions.sort()).toEqual(['list-export.created', 'user.banned', 'user.role-changed'])
    await page.getByText('3 rows').waitFor()
  })

  test('offers the first page for a link whose position is invalid', async () => {
    const { openAs, ban } = await withEvents()
    await ban()
    const page = await openAs(root, '/admin/events?after=unknown')
    await page.getByText('VALIDATION_ERROR').waitFor()
    await page.getByRole('button', { name: 'First page' }).click()
    await line(page, 'Root banned Ida Wolfsgruber').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('can be used on a phone', async () => {
    const { openAs, ban } = await withEvents()
    await ban()
    const page = await openAs(root, '/admin/events', { viewport: { width: 320, height: 640 }, hasTouch: true })
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('dialog').getByLabel('Action').selectOption('Roles and bans')
    await page.getByRole('button', { name: 'Show events' }).click()
    await line(page, 'Root banned Ida Wolfsgruber').getByRole('link', { name: 'Details of user.banned' }).click()
    await page.getByRole('dialog').getByText('Ticket 48213').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.goto(page.url().replace(/\/admin\/.*/, '/admin'))
    await heading(page, 'Overview').waitFor()
    await page.getByRole('img', { name: /^Sign-ups/ }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })
})

test('deletes an organization once its slug is typed', async () => {
  const { openAs, organization, kit } = await withEvents()
  const page = await openAs(root, '/admin/organizations')
  await page.getByLabel('Search organizations').fill('hal')
  await page.getByRole('link', { name: 'Halden Ferry' }).click()
  await line(page, 'Ida Wolfsgruber created Halden Ferry').waitFor()
  await page.getByRole('button', { name: 'Delete organization' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete Halden Ferry?' })
  const confirm = dialog.getByRole('button', { name: 'Delete organization' })
  expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByLabel('Type halden to confirm').fill('halden')
  await confirm.click()
  await page.getByText('No organizations yet').waitFor()
  const left = kit.app.db.selectFrom('organization').select('id').where('id', '=', organization.id)
  expect(await left.execute()).toEqual([])
})

describe('the command palette', () => {
  test('finds a user by email, with the keyboard alone', async () => {
    const { openAs, userId } = await withEvents()
    const page = await openAs(root, '/admin')
    await heading(page, 'Overview').waitFor()
    await page.keyboard.press('Control+k')
    await focusedInput(page).waitFor()
    await page.keyboard.type('ida@example.com')
    await page.getByRole('option', { name: 'Ida Wolfsgruber ida@example.com' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/admin/users/${userId}`)
    await heading(page, 'Ida Wolfsgruber').waitFor()
    await page.keyboard.press('Control+k')
    await focusedInput(page).waitFor()
    await page.keyboard.type('audit')
    await page.getByRole('option', { name: 'Audit log', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Audit log').waitFor()
  })

  test('offers other users only their own pages and organizations', async () => {
    const { openAs, organization } = await withEvents()
    const page = await openAs(ida, '/account')
    await page.getByRole('button', { name: 'Search or jump to' }).click()
    await page.getByRole('option', { name: 'Sign out' }).waitFor()
    const options = await page.getByRole('option').allTextContents()
    expect(options).toContain('Profile')
    expect(options).not.toContain('Audit log')
    await focusedInput(page).waitFor()
    await page.keyboard.type('halden')
    await page.getByRole('option', { name: 'Halden Ferry halden' }).waitFor()
    expect(await page.getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/organizations/${organization.id}`)
  })

  test('offers no user to create where administration is off, whatever the role', async () => {
    const { kit, openAs } = await hostedPages({ admin: false, rateLimit: { enabled: false } })
    const { user } = (await kit.browser().call('POST /sign-up/email', { body: root })).body
    const [createdAt, permissions] = [kit.app.now(), { user: ['create'] }]
    const role = { id: 'role-1', name: 'creator', permissions: JSON.stringify(permissions), createdAt, updatedAt: createdAt }
    await kit.app.db.insertInto('role').values(role).execute()
    await setUserRole(kit.app, user.id, 'creator')
    const page = await openAs(root, '/account')
    await page.getByRole('button', { name: 'Search or jump to' }).click()
    await page.getByRole('option', { name: 'Sign out' }).waitFor()
    expect(await page.getByRole('option').allTextContents()).not.toContain('Create a user')
  })

  test('has shortcuts that can be switched off', async () => {
    const { openAs } = await withEvents()
    const page = await openAs(ida, '/account')
    await heading(page, 'Profile').waitFor()

    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByLabel('Use keyboard shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('button', { name: 'Search or jump to' }).click()
    await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
    expect(await dialog.count()).toBe(0)
  })
})

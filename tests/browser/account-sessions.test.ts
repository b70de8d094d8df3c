/** The sessions page, and what a page does when its session has ended. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { cookiesOf, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const eve = { name: 'Eve', email: 'eve@example.com', password: 'another horse entirely' }
const sessionsPath = '/account/sessions'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

async function withAda(config: ConfigFile = {}) {
  const pages = await hostedPages(config)
  for (const body of [ada, eve]) await pages.kit.browser().call('POST /sign-up/email', { body })
  await pages.kit.app.db.deleteFrom('session').execute()
  return pages
}

const signInAgain = (page: Page) => page.getByRole('dialog', { name: 'Sign in again to continue' })

async function enterPassword(page: Page, password = ada.password) {
  await signInAgain(page).getByLabel('Password', { exact: true }).fill(password)
  await signInAgain(page).getByRole('button', { name: 'Continue' }).click()
}

/** What a browser does when the user comes back to the tab. */
const comeBack = (page: Page) =>
  page.evaluate<boolean>("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")

const rowNames = (page: Page) => page.getByRole('rowgroup').last().getByRole('row')

describe('the sessions page', () => {
  test('revokes the session of another browser, whose next call asks to sign in again', async () => {
    const { openAs } = await withAda()
    const phone = await openAs(ada, sessionsPath, { userAgent: iPhone })
    await phone.getByText('No other sessions').waitFor()
    const page = await openAs(ada, sessionsPath)
    await page.getByLabel('This device').getByText('Password', { exact: true }).waitFor()
    await rowNames(page)
      .first()
      .getByText(/ · Password$/)
      .waitFor()
    await page.getByRole('button', { name: 'Revoke the session on iPhone' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke session' }).click()
    const note = page.getByRole('status').filter({ hasText: 'The session on iPhone was revoked.' })
    await note.waitFor()
    await page.getByText('No other sessions').waitFor()
    await expect.poll(() => page.locator(':focus').textContent()).toBe('The session on iPhone was revoked.')
    await phone.getByRole('button', { name: 'Sign out everywhere' }).click()
    await phone.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await signInAgain(phone).waitFor()
    expect(await signInAgain(phone).getByText(ada.email).count()).toBe(1)
  })

  test('revokes all others and says how many', async () => {
    const { kit, openAs } = await withAda()
    for (let one = 0; one < 3; one += 1) await kit.browser().call('POST /sign-in/email', { body: ada })
    const page = await openAs(ada, sessionsPath)
    await expect.poll(() => rowNames(page).count()).toBe(3)
    await page.getByRole('button', { name: 'Revoke all other sessions' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke 3 sessions' }).click()
    await page.getByRole('status').filter({ hasText: '3 sessions were revoked.' }).waitFor()
    await page.getByText('No other sessions').waitFor()
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toHaveLength(1)
  })

  test('signs out everywhere', async () => {
    const { kit, openAs, origin } = await withAda()
    await kit.browser().call('POST /sign-in/email', { body: ada })
    const page = await openAs(ada, sessionsPath)
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('alertdialog').getByText('2 sessions end').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL(`${origin}/signed-out`)
    expect(await cookiesOf(page)).toEqual([])
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toEqual([])
  })
})

describe('when the session of a page was revoked', () => {
  test('coming back to the tab asks to sign in again, and the page continues', async () => {
    const { kit, openAs } = await withAda()
    const page = await openAs(ada, sessionsPath)
    await page.getByText('No other sessions').waitFor()
    await kit.app.db.deleteFrom('session').execute()
    await comeBack(page)
    await signInAgain(page).waitFor()
    await page.keyboard.press('Escape')
    await enterPassword(page)
    await signInAgain(page).waitFor({ state: 'detached' })
    await page.getByText('No other sessions').waitFor()
  })

  test('a user who does not sign in again leaves the page', async () => {
    const { kit, openAs, origin } = await withAda()
    const page = await openAs(ada, sessionsPath)
    await page.getByText('No other sessions').waitFor()
    await kit.app.db.deleteFrom('session').execute()
    await comeBack(page)
    await signInAgain(page).getByRole('button', { name: 'Go to the sign-in page' }).click()
    await page.waitForURL(`${origin}/sign-in?callbackURL=${encodeURIComponent(`${origin}${sessionsPath}`)}`)
    expect(await page.getByText(ada.name).count()).toBe(0)
  })

  test('a wrong password is said at its field, and the dialog stays', async () => {
    const { kit, openAs } = await withAda()
    const page = await openAs(ada, sessionsPath)
    await page.getByText('No other sessions').waitFor()
    await kit.app.db.deleteFrom('session').execute()
    await comeBack(page)
    await enterPassword(page, 'wrong horse battery')
    await signInAgain(page).getByText('Email or password is incorrect.').waitFor()
    await enterPassword(page)
    await signInAgain(page).waitFor({ state: 'detached' })
  })
})

describe('when another tab has signed in as another user', () => {
  async function withTwoTabs() {
    const pages = await withAda()
    const page = await pages.openAs(ada, sessionsPath)
    await page.getByText('No other sessions').waitFor()
    const data = { email: eve.email, password: eve.password }
    await page.context().request.post(`${pages.origin}/api/auth/sign-out`, { data: {}, headers: { origin: pages.origin } })
    await page.context().request.post(`${pages.origin}/api/auth/sign-in/email`, { data, headers: { origin: pages.origin } })
    return { ...pages, page }
  }

  test('coming back to the tab shows the page of that user', async () => {
    const { page } = await withTwoTabs()
    await comeBack(page)
    await page.getByText(eve.email).waitFor()
    expect(await page.getByText(ada.email).count()).toBe(0)
    // Once: what was typed is gone, but not without a word.
    const said = page.getByRole('status').filter({ hasText: 'You are now signed in as Eve' })
    await said.waitFor()
    await page.reload()
    await page.getByText(eve.email).waitFor()
    expect(await said.count()).toBe(0)
  })

  test('the page changes nothing under that user', async () => {
    const { kit, page } = await withTwoTabs()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText(eve.email).waitFor()
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toHaveLength(1)
  })
})

test('says without scripts that the application needs them, at the top of the window', async () => {
  const { openAs } = await withAda()
  const page = await openAs(ada, '/account', { javaScriptEnabled: false })
  // Chromium complains about what only a script would have used.
  page.removeAllListeners('console')
  const sentence = page.locator('noscript p').first()
  expect(await sentence.textContent()).toContain('This page needs JavaScript.')
  expect((await sentence.boundingBox())?.y).toBeLessThan(100)
})

test('signing out reaches the other tabs immediately', async () => {
  const { openAs, origin } = await withAda()
  const page = await openAs(ada, sessionsPath)
  const other = await page.context().newPage()
  await other.goto(`${origin}/account`)
  await other.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await page.getByRole('button', { name: 'Account menu of Ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${origin}/signed-out`)
  await other.waitForURL(`${origin}/sign-in?callbackURL=**`)
  expect(await other.getByText(ada.email).count()).toBe(0)
})

test('the navigation sheet is used by keyboard, keeps the focus inside and returns it', async () => {
  const { openAs } = await withAda()
  const page = await openAs(ada, sessionsPath, { viewport: { width: 320, height: 640 } })
  const opener = page.getByRole('button', { name: 'Open navigation' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Main' })
  await sheet.waitFor()
  const isInside = async () => (await sheet.locator(':focus').count()) === 1
  await expect.poll(isInside).toBe(true)
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab')
    await expect.poll(isInside).toBe(true)
  }
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await opener.and(page.locator(':focus')).waitFor()
})

test.each([320, 700, 1200])('hostile names and user agents fit into %i px', async (width) => {
  const { kit, openAs } = await withAda()
  const name = `<img src=x onerror=document.title="hit"> \u202Eאבגד ${'x'.repeat(200)}`
  await kit.app.db.updateTable('user').set({ name }).where('email', '=', ada.email).execute()
  for (const agent of [`<b onclick=alert(1)>${'y'.repeat(200)}`, `\u05D0\u05D1 "quoted" ${'z'.repeat(200)}`, ''])
    await kit.app.db
      .insertInto('session')
      .values(await sessionRow(kit, agent))
      .execute()
  const page = await openAs(ada, sessionsPath, { viewport: { width, height: 800 } })
  await expect.poll(() => rowNames(page).count()).toBe(3)
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
  await page
    .getByRole('button', { name: /^Revoke the session/ })
    .first()
    .click()
  await page.getByRole('alertdialog').waitFor()
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
  expect(await page.title()).not.toBe('hit')
})

/** A copy of a session that was made by a call, with the user agent of the test. */
async function sessionRow({ app, browser }: Awaited<ReturnType<typeof withAda>>['kit'], userAgent: string) {
  const { body } = await browser().call('POST /sign-in/email', { body: ada })
  const { id } = await app.db.selectFrom('session').select('id').orderBy('createdAt', 'desc').limit(1).executeTakeFirstOrThrow()
  const row = await app.db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await app.db.deleteFrom('session').where('id', '=', id).execute()
  expect(body.token).toBeTruthy()
  return { ...row, userAgent, ipAddress: '2001:db8:4a1f:90c2:1234:5678:9abc:def0' }
}

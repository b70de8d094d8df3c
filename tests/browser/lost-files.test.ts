/** Pages whose files cannot be loaded: without a connection, and after an upgrade of the server. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function withAnn() {
  const hosted = await hostedPages()
  await hosted.kit.browser().call('POST /sign-up/email', { body: ann })
  return hosted
}

async function openProfile() {
  const hosted = await withAnn()
  const page = await hosted.openAs(ann, '/account')
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  // The failure is expected, and React writes it to the console.
  page.removeAllListeners('console')
  await page.evaluate('globalThis.isSamePage = true')
  return { hosted, page }
}

/** Whether the page was not loaded again. */
const isMarked = (page: Page) => page.evaluate('globalThis.isSamePage === true')

test('stays on the page without a connection, and opens the page of another area once it is back', async () => {
  const { page } = await openProfile()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Open the mailbox' }).click()
  await page.getByRole('alert').getByText('Check your connection').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').getByText('Check your connection').waitFor()
  expect(await isMarked(page)).toBe(true)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Mailbox' }).waitFor()
})

test('opens a page of the same area without a connection, and shows its data once it is back', async () => {
  const { page } = await openProfile()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
  await page.context().setOffline(false)
  await page.getByText('This device').first().waitFor()
  expect(await isMarked(page)).toBe(true)
})

test('loads the page again when an upgrade has removed its files', async () => {
  const { hosted, page } = await openProfile()
  // The server of the next version: other names in its page, and none of the old files.
  await page.route(/\/assets\/developers-/, (route) => route.fulfill({ status: 404 }), { times: 1 })
  await page.route(`${hosted.origin}/`, (route) => route.fulfill({ body: '<script src="./assets/next.js"></script>' }))
  await page.getByRole('link', { name: 'Open the mailbox' }).click()
  await page.getByRole('heading', { level: 1, name: 'Mailbox' }).waitFor()
  expect(await isMarked(page)).toBe(false)
})

test('says that a menu waits for the connection, and opens it once it is back', async () => {
  const { page } = await openProfile()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Account menu of Ann' }).click()
  await page.getByText('What you opened appears when the connection is back').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await page.getByText('What you opened appears').waitFor({ state: 'detached' })
  expect(await isMarked(page)).toBe(true)
})

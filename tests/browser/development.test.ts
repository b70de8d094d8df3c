/** The pages for developers: the start page and the mailbox. */
import { describe, expect, test } from 'vitest'
import { setRoleOf } from '../../src/features/admin/index.ts'
import { findUserByEmail } from '../../src/features/users/index.ts'
import { withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const reset = { body: { email: ada.email } }

describe('the start page', () => {
  const administrator = { email: 'admin@localhost.test', password: 'correct horse battery' }

  test('signs in as the administrator, and out', async () => {
    const { kit, open } = await hostedPages({}, { development: { administrator } })
    await kit.browser().call('POST /sign-up/email', { body: { ...administrator, name: 'Admin' } })
    const page = await open('/')
    await page.getByText('You are not signed in').waitFor()
    await page.getByRole('button', { name: 'Sign in as administrator' }).click()
    await page.getByText('Signed in as Admin').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are not signed in').waitFor()
  })

  test('leads an administrator to the pages of administration', async () => {
    const { kit, open } = await hostedPages({ admin: true }, { development: { administrator } })
    await kit.browser().call('POST /sign-up/email', { body: { ...administrator, name: 'Admin' } })
    await setRoleOf(kit.app, null, (await findUserByEmail(kit.app, administrator.email))?.id ?? '', 'admin')
    const page = await open('/')
    await page.getByRole('button', { name: 'Sign in as administrator' }).click()
    await page.getByRole('link', { name: 'Open administration' }).click()
    await page.waitForURL('**/admin')
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  })

  test('shows the code of a client with the URL of this server', async () => {
    const { open, origin } = await hostedPages()
    const page = await open('/')
    await page.getByText(`createAuthClient({ baseURL: '${origin}' })`).waitFor()
  })

  test('leads to the quickstart', async () => {
    const { open } = await hostedPages()
    const page = await open('/')
    await page.getByRole('link', { name: 'Read the quickstart' }).click()
    await page.getByText('# Quickstart').waitFor()
  })

  test('leads to the account area in production, where nothing looks like development', async () => {
    const { open, origin } = await hostedPages({
      environment: 'production',
      mail: { from: 'acme@example.com', smtp: 'smtp://127.0.0.1:9' },
    })
    const page = await open('/api/auth/ok')
    await page.addInitScript(`new MutationObserver(() => {
      globalThis.hasSeen ||= document.body?.textContent.includes('Development')
    }).observe(document, { subtree: true, childList: true })`)
    await page.goto(`${origin}/`)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await page.evaluate('globalThis.hasSeen')).toBe(false)
    await page.goto(`${origin}/components`)
    await page.getByRole('main').getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    expect(await page.evaluate('globalThis.hasSeen')).toBe(false)
  })
})

describe('the mailbox', () => {
  test('shows an email as soon as it arrives, and its link opens', async () => {
    const { kit, open, origin } = await hostedPages()
    await kit.browser().call('POST /sign-up/email', { body: ada })
    const page = await open('/mailbox')
    await page.getByText('No messages yet').waitFor()
    await kit.browser().call('POST /request-password-reset', reset)
    await page.getByRole('list', { name: 'Messages' }).getByText(ada.email).click()
    const link = page.frameLocator('iframe').getByRole('link').first()
    const opened = page.context().waitForEvent('page')
    await link.click()
    const target = await opened
    await target.waitForURL(`${origin}/**`)
    expect(new URL(target.url()).origin).toBe(origin)
  })

  test('announces an email that arrives later', async () => {
    const { kit, open } = await hostedPages()
    await kit.browser().call('POST /sign-up/email', { body: ada })
    await kit.browser().call('POST /request-password-reset', reset)
    const page = await open('/mailbox')
    await page.getByText('1 message', { exact: true }).waitFor()
    await kit.browser().call('POST /request-password-reset', reset)
    await page.getByRole('status').getByText('1 new message').waitFor()
    await page.getByText('2 messages', { exact: true }).waitFor()
  })

  test('keeps the chosen email and the search in the URL', async () => {
    const { kit, open } = await hostedPages()
    for (const email of [ada.email, 'bob@example.com']) {
      await kit.browser().call('POST /sign-up/email', { body: { ...ada, email } })
      await kit.browser().call('POST /request-password-reset', { body: { email } })
    }
    const page = await open('/mailbox')
    const list = page.getByRole('list', { name: 'Messages' })
    await list.getByText('bob@example.com').click()
    await page.getByText('Plain text', { exact: true }).click()
    await page.getByRole('article').getByText('/link/').first().waitFor()
    await page.getByLabel('Search by recipient').fill('ada')
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    await page.reload()
    await page.getByRole('article').getByText('bob@example.com').waitFor()
    expect(await page.getByLabel('Search by recipient').inputValue()).toBe('ada')
  })

  test('shows the list or an email on a narrow screen', async () => {
    const { kit, open } = await hostedPages()
    await kit.browser().call('POST /sign-up/email', { body: ada })
    await kit.browser().call('POST /request-password-reset', reset)
    const page = await open('/mailbox', { viewport: { width: 320, height: 640 } })
    const list = page.getByRole('list', { name: 'Messages' })
    await list.getByRole('link').press('Enter')
    await page.getByRole('article').waitFor()
    await expect.poll(() => list.isVisible()).toBe(false)
    await page.getByRole('link', { name: 'All messages' }).click()
    await list.waitFor()
  })
})

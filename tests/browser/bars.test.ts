/** The bars at the top of the pages: the name of the environment, and the warnings of administrators. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { prepareResponse, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const bar = (page: Page, name: string) => page.getByRole('complementary', { name, exact: true })

async function withAda(config: ConfigFile, role = 'admin') {
  const pages = await hostedPages({ admin: true, ...config })
  await pages.kit.browser().call('POST /sign-up/email', { body: ada })
  await pages.kit.app.db.updateTable('user').set({ role }).execute()
  return pages
}

describe('the name of the environment', () => {
  test('stands at the top of the pages of every user', async () => {
    const { openAs } = await withAda({ dashboard: { environment: 'staging' } }, 'user')
    const page = await openAs(ada, '/account')
    await bar(page, 'Environment').getByText('staging').waitFor()
  })

  test('of production is not a bar', async () => {
    const { openAs } = await withAda({ dashboard: { environment: 'Production' } })
    const page = await openAs(ada, '/admin')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(await bar(page, 'Environment').count()).toBe(0)
  })
})

describe('warnings', () => {
  const known = { isReadOnly: true, configurationChangedAt: '2026-11-14T12:00:00.000Z', migrations: 'pending' }

  test('show an administrator on every page that the instance is read-only and has drifted', async () => {
    const { openAs } = await withAda({})
    prepareResponse('/admin/warnings', known)
    const page = await openAs(ada, '/account')
    await bar(page, 'Read-only mode').waitFor()
    await bar(page, 'Drift').getByText('The configuration has changed since it was loaded.').waitFor()
    await bar(page, 'Drift').getByRole('link', { name: 'Show details' }).last().click()
    await page.getByRole('navigation', { name: 'System' }).locator('[aria-current=page]', { hasText: 'Migrations' }).waitFor()
    await bar(page, 'Read-only mode').waitFor()
  })

  test('are not read by other users', async () => {
    const { openAs } = await withAda({}, 'user')
    prepareResponse('/admin/warnings', known)
    const page = await openAs(ada, '/account')
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.reload()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(calls).toContain('/api/auth/list-permissions')
    expect(calls).not.toContain('/api/auth/admin/warnings')
  })

  test('do not claim what is not known', async () => {
    const { openAs } = await withAda({})
    prepareResponse('/admin/warnings', { isReadOnly: null, configurationChangedAt: null, migrations: null })
    const page = await openAs(ada, '/admin')
    await page.waitForLoadState('networkidle')
    for (const name of ['Read-only mode', 'Drift']) expect(await bar(page, name).count()).toBe(0)
  })
})

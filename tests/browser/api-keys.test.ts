/** The page of API keys: a key is created, shown once, changed and revoked. */
import { expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const path = '/account/api-keys'

async function withAda(apiKey: ConfigFile['apiKey']) {
  const pages = await hostedPages({ apiKey })
  await pages.kit.browser().call('POST /sign-up/email', { body: ada })
  return pages
}

test('creates a key, shows it once, renames, disables and revokes it', async () => {
  const { kit, openAs } = await withAda({ defaultPrefix: 'acme_', checksum: 'require' })
  const page = await openAs(ada, path)
  await page.getByRole('heading', { name: 'No API keys' }).waitFor()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Backup')
  expect(await dialog.getByLabel('Prefix').count()).toBe(0)
  await dialog.getByLabel('Expiration').selectOption({ label: 'In 30 days' })
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await dialog.getByText('It is not shown again.').waitFor()
  await page.keyboard.press('Escape')
  const key = (await dialog.locator('code').textContent()) ?? ''
  expect(key).toMatch(/^acme_[0-9A-Za-z]{64}$/)
  const asKey = () => kit.browser().request('/get-session', { headers: { 'x-api-key': key } })
  expect((await asKey()).body.user.email).toBe(ada.email)
  await dialog.getByRole('button', { name: 'Done' }).click()
  // What opened the dialog is gone with the empty list.
  await expect.poll(() => page.locator(':focus').textContent()).toBe('The API key Backup was created.')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('row', { name: /Backup.*Limit: 10 in 1 day/ }).waitFor()
  expect(await page.content()).not.toContain(key)

  const choose = async (item: string) => {
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Rename')
  await dialog.getByLabel('Name').fill('Nightly backup')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'The API key is now named Nightly backup.' }).waitFor()
  await choose('Disable')
  await page.getByRole('status').filter({ hasText: 'The API key Nightly backup was disabled.' }).waitFor()
  expect((await asKey()).body.code).toBe('KEY_DISABLED')
  await choose('Enable')
  await page.getByRole('status').filter({ hasText: 'was enabled' }).waitFor()
  expect((await asKey()).status).toBe(200)
  await choose('Revoke')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke API key' }).click()
  await page.getByRole('heading', { name: 'No API keys' }).waitFor()
  await expect.poll(() => page.locator(':focus').textContent()).toBe('The API key Nightly backup was revoked.')
  expect((await asKey()).body.code).toBe('INVALID_API_KEY')
})

test('offers a prefix when there is no default one, and no choice of an expiration that is fixed', async () => {
  const { kit, openAs } = await withAda({
    keyExpiration: { disableCustomExpiresTime: true, defaultExpiresIn: 864_000 },
    maximumKeysPerUser: 1,
  })
  const page = await openAs(ada, path)
  // By the clock of the browser the key would have expired.
  await page.clock.setFixedTime(kit.clock.now())
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Expiration').locator('option').allTextContents()).toEqual(['In 10 days (default)'])
  await dialog.getByLabel('Name').fill('CI')
  await dialog.getByLabel('Prefix').fill('ci_')
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog.locator('code').textContent()).toMatch(/^ci_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('You can have 1 API key.').waitFor()
  expect(await page.getByRole('button', { name: 'Create API key' }).isDisabled()).toBe(true)
})

test('does not exist unless API keys are enabled', async () => {
  const { openAs } = await withAda(false)
  const page = await openAs(ada, '/account/sessions')
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
  await page.goto(page.url().replace('/account/sessions', path))
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

test('says when the browser does not allow copying', async () => {
  const { openAs } = await withAda({})
  const page = await openAs(ada, path)
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Backup')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Copy the key' }).last().click()
  await dialog.getByRole('status').filter({ hasText: 'The browser did not allow copying.' }).waitFor()
})

test('members manage the keys of their organization as far as their role permits', async () => {
  const team = { references: 'organization', defaultPrefix: 'org_' } as const
  const { kit, openAs, origin } = await hostedPages({
    organization: {
      enabled: true,
      ac: {},
      roles: { owner: { organization: ['update'] }, reader: { apiKey: ['read'] }, member: {} },
    },
    apiKey: {
      enabled: true,
      configurations: [
        { ...team, configId: 'deploy' },
        { ...team, configId: 'reports', maximumNameLength: 10 },
      ],
    },
  })
  const [owner, other] = [kit.browser(), kit.browser()]
  await owner.call('POST /sign-up/email', { body: ada })
  const ben = { ...ada, name: 'Ben', email: 'ben@example.com' }
  const benId = (await other.call('POST /sign-up/email', { body: ben })).body.user.id
  const acme = (await owner.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } }, { origin })).body
  const organizationId = String(acme.id)
  const added = { organizationId, userId: benId, role: 'member' }
  const member = (await kit.privileged().call('POST /organization/add-member', { body: added })).body
  const page = await openAs(ada, `/organizations/${organizationId}`)
  // Until the organization is loaded, there is the navigation of the account.
  await page.getByRole('navigation', { name: 'Manage' }).getByRole('link', { name: 'API keys' }).click()
  await page.getByText('Let programs work for Acme.').waitFor()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Set of keys').selectOption('reports')
  await dialog.getByLabel('Name').fill('Sales')
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await dialog.getByText('It is not shown again.').waitFor()
  const key = (await dialog.locator('code').textContent()) ?? ''
  expect(key).toMatch(/^org_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /Sales.*reports/ }).waitFor()
  const verify = () => kit.privileged().call('POST /api-key/verify', { body: { key, configId: 'reports' } })
  expect((await verify()).body.key).toMatchObject({ referenceId: organizationId, configId: 'reports' })

  const visitor = await openAs(ben, `/organizations/${organizationId}/api-keys`)
  await visitor.getByRole('heading', { name: 'You may not see the API keys' }).waitFor()
  await kit.app.db.updateTable('member').set({ role: 'reader' }).where('id', '=', member.id).execute()
  await visitor.reload()
  await visitor.getByRole('row', { name: /Sales/ }).waitFor()
  expect(await visitor.getByRole('button', { name: /Create API key|Actions for/ }).count()).toBe(0)

  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke API key' }).click()
  await page.getByRole('heading', { name: 'No API keys' }).waitFor()
  expect((await verify()).body.valid).toBe(false)
  await page.goto(page.url().replace('api-keys', 'activity'))
  await page.getByText('Ada created the API key Sales.').waitFor()
  await page.getByText('Ada revoked the API key Sales.').waitFor()
})

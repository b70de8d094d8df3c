/** The page of an incident, and what users see in read-only mode. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { freeze, unfreeze } from '../../src/features/incidents/index.ts'
import { withChromium } from '../kit/hosted-pages.ts'
import { expectAccessible, expectNoSidewaysScroll, serveAxe } from './inspection.ts'

const { hostedPages } = withChromium()
const password = 'correct horse battery'
const olga = { name: 'Olga', email: 'olga@example.com', password }
const ann = { name: 'Ann', email: 'ann@example.com', password }

async function withOperator() {
  const pages = await hostedPages({ admin: true })
  const { app, browser, clock } = pages.kit
  serveAxe(app)
  clock.advance((Date.now() - clock.now().getTime()) / 1000)
  for (const body of [olga, ann]) await browser().call('POST /sign-up/email', { body })
  await app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', olga.email).execute()
  return pages
}

const bar = (page: Page) => page.getByRole('complementary', { name: 'Incident' })

/** For a look at both themes and a narrow window. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.INCIDENT_PICTURES
  if (folder === undefined) return
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 320]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

test('an administrator freezes sign-in, sees so on every page, and lifts it', async () => {
  const { kit, openAs } = await withOperator()
  const page = await openAs(olga, '/admin/incident')
  await page.getByRole('button', { name: 'Freeze: Sign-in' }).click()
  await page.getByRole('alertdialog').getByLabel('Reason').fill('Credential stuffing')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Freeze' }).click()
  await bar(page).getByText('Sign-in is frozen.').waitFor()
  await page.getByText('Reason: Credential stuffing').waitFor()
  await expectAccessible(page, 'frozen')
  await expectNoSidewaysScroll(page, 'frozen')
  await picture(page, 'incident')
  const signIn = () => kit.browser().call('POST /sign-in/email', { body: ann })
  expect((await signIn()).body.code).toBe('SIGN_IN_FROZEN')
  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await bar(page).getByRole('link', { name: 'Show the incident' }).click()
  await page.getByRole('button', { name: 'Lift: Sign-in' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Lift' }).click()
  await expect.poll(() => bar(page).count()).toBe(0)
  expect((await signIn()).status).toBe(200)
}, 120_000)

test('an administrator sees how many sessions would be revoked, and revokes them', async () => {
  const { kit, openAs } = await withOperator()
  await kit.app.db.updateTable('session').set({ ipAddress: '192.0.2.7' }).execute()
  const page = await openAs(olga, '/admin/incident')
  await page.getByLabel('IP address or network').fill('192.0.2.0/24')
  await page.getByRole('button', { name: 'Count the sessions' }).click()
  await page.getByText('2 sessions of 2 users').waitFor()
  await page.getByRole('button', { name: 'Revoke them' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke them' }).click()
  await page.getByRole('cell', { name: 'Running' }).waitFor()
  await picture(page, 'revocation')
}, 120_000)

test('in read-only mode, users stay signed in, and pages say that changes are not possible', async () => {
  const { kit, openAs, open } = await withOperator()
  await freeze(kit.app, 'writes', {})
  const visitor = await open('/sign-in')
  await visitor.getByText('Changes are not possible at the moment.').waitFor()
  await expectAccessible(visitor, 'read-only sign-in')
  await picture(visitor, 'sign-in')
  await unfreeze(kit.app, ['writes'])
  const page = await openAs(ann, '/account')
  await freeze(kit.app, 'writes', {})
  await page.reload()
  await bar(page).getByText('You stay signed in').waitFor()
  expect(await bar(page).getByRole('link').count()).toBe(0)
  await expectAccessible(page, 'read-only')
  await expectNoSidewaysScroll(page, 'read-only')
  await picture(page, 'account')
}, 120_000)

/** The recent activity of an account. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { recordEvents, securityActions } from '../../src/features/audit/index.ts'
import { featureList } from '../../src/features/index.ts'
import { prepareResponse, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const path = '/account/activity'

async function withAnn(options: BrowserContextOptions = {}) {
  const site = await hostedPages({})
  const { id } = (await site.kit.browser().call('POST /sign-up/email', { body: ann })).body.user
  site.kit.clock.advance(1)
  return { ...site, id, page: await site.openAs(ann, path, { userAgent: firefox, ...options }) }
}

const lines = (page: Page) => page.locator('main ol > li')

test('says what happened to the account, with the device, and that an administrator did something', async () => {
  const { kit, page, id } = await withAnn()
  await page.getByRole('heading', { level: 1, name: 'Recent activity' }).waitFor()
  const signIn = lines(page).filter({ hasText: 'Signed in with a password' }).first()
  await signIn.getByText('Firefox 140 on Linux').waitFor()
  await signIn.getByText('127.0.0.1').waitFor()
  kit.clock.advance(1)
  await recordEvents(kit.app, [
    {
      action: 'user.banned',
      target: { type: 'user', id },
      actor: { kind: 'operator', name: 'root' },
      details: { reason: 'Spam' },
    },
  ])
  await page.reload()
  await lines(page).first().getByText('By an administrator').waitFor()
  expect(await lines(page).first().textContent()).toContain('Account banned')
  expect(await page.locator('main').textContent()).not.toMatch(/root|Spam/)
})

test('is in the navigation, and has pages', async () => {
  const { kit, page, id, origin } = await withAnn()
  // The last in the alphabet is the newest.
  const actions = securityActions({ features: Object.values(featureList) }).toSorted()
  for (const action of actions) {
    kit.clock.advance(1)
    await recordEvents(kit.app, [{ action, target: { type: 'user', id } }])
  }
  await page.goto(`${origin}/account`)
  await page.getByRole('navigation').getByRole('link', { name: 'Recent activity' }).click()
  await expect.poll(() => lines(page).count()).toBe(20)
  await lines(page).first().getByText('Account unlocked').waitFor()
  let total = 20
  for (const next = page.getByRole('button', { name: 'Next' }); ; ) {
    if ((await next.count()) === 0 || (await next.isDisabled())) break
    const before = await lines(page).first().textContent()
    await next.click()
    await expect.poll(() => lines(page).first().textContent()).not.toBe(before)
    total += await lines(page).count()
  }
  // With the sign-up and two sign-ins.
  expect(total).toBe(actions.length + 3)
})

test('an action that this page does not know has a sentence', async () => {
  const { page } = await withAnn()
  const event = { id: 'x', createdAt: '2026-05-01T10:00:00Z', action: 'constructor', outcome: 'succeeded', actor: 'user' }
  prepareResponse('/list-security-events*', {
    events: [{ ...event, ipAddress: null, device: null, method: null, reason: null, count: 1 }],
    nextCursor: null,
  })
  await page.reload()
  await page.getByText('Something else happened').waitFor()
})

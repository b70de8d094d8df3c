/** The pages of the API reference: accessible, usable at 320 px and translated, with the form to try a call. */
import { expect, test } from 'vitest'
import { withChromium } from '../kit/hosted-pages.ts'
import { openSite } from './accessibility.ts'
import {
  expectAccessible,
  expectCatalogueTexts,
  expectForcedColors,
  expectNoMotion,
  expectNoSidewaysScroll,
  visit,
} from './inspection.ts'

const { hostedPages } = withChromium({ reusesProfiles: true })

test('the pages of the API reference are accessible', async () => {
  const { page, origin, kit } = await openSite(hostedPages)
  for (const name of ['', '/passwords']) {
    await visit(page, `${origin}/api/auth/reference${name}?lang=en-XA`)
    if (name !== '') await page.locator('[data-try] summary').first().click()
    await expectCatalogueTexts(page, [kit.app.config.appName])
    await expectForcedColors(page, name)
    await expectNoMotion(page, name)
    await expectNoSidewaysScroll(page, name)
    await expectAccessible(page, name)
  }
  await page.setViewportSize({ width: 320, height: 800 })
  await page.locator('header button').click()
  await expectAccessible(page, 'the list of calls on a phone')
  expect(await page.locator('#calls').isVisible()).toBe(true)
})

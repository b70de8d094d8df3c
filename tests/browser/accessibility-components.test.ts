/** The components of the pages in all states, and the page for unknown addresses: accessible, and usable at 320 px. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withChromium } from '../kit/hosted-pages.ts'
import { openSite } from './accessibility.ts'
import { expectAccessible, expectNoSidewaysScroll, exportedComponents, visit } from './inspection.ts'

const { hostedPages } = withChromium({ reusesProfiles: true })

test('the page for unknown addresses is accessible', async () => {
  const { page, origin } = await openSite(hostedPages)
  await visit(page, `${origin}/unknown`)
  await expectAccessible(page, 'unknown')
  await expectNoSidewaysScroll(page, 'unknown')
})

describe('the story page', () => {
  /** Frames are the screens themselves, fields show their frame and their error, the captcha is a script of its provider, and some parts need a session. */
  const shownElsewhere = [
    'Bar',
    'EnvironmentBar',
    'UserChangeBar',
    'WarningBars',
    'AccountFrame',
    'AccountMenu',
    'AdminDetail',
    'AdminFrame',
    'AdminPage',
    'SessionEndBar',
    'SkipLink',
    'CaptchaWidget',
    'DeviceIcon',
    'FactorDueBar',
    'FieldError',
    'FieldFrame',
    'FrameNavigation',
    'FrozenBar',
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
    'VisitorFrame',
  ]

  /** Some of its buttons stay busy. */
  const openStories = async (page: Page, url: string) => {
    await page.goto(url)
    await page.getByRole('heading', { name: 'SignInAgain' }).waitFor()
  }

  test('shows every component in every state, accessible', async () => {
    const { page, origin } = await openSite(hostedPages)
    await openStories(page, `${origin}/components`)
    const shown = await page.locator('section > h2').allTextContents()
    const exported = [...exportedComponents('components/*.tsx'), ...exportedComponents('frame/*.tsx')]
    expect(shown).toEqual(expect.arrayContaining(exported.filter((name) => !shownElsewhere.includes(name))))
    await expectAccessible(page, 'all components')
    await expectNoSidewaysScroll(page, 'all components')
  })

  test('opens dialogs, menus and toasts that are accessible', { timeout: 180_000 }, async () => {
    const { page, origin } = await openSite(hostedPages)
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

  test('a menu that the keyboard opens has the focus on an action, and returns it', async () => {
    const { page, origin } = await openSite(hostedPages)
    await openStories(page, `${origin}/components`)
    const opener = page.getByRole('region', { name: 'Menu', exact: true }).getByRole('button', { name: 'Open' })
    const focused = (): Promise<string | null> => page.locator(':focus').textContent()
    const expectOpen = async (key: string, action: string) => {
      await page.keyboard.press(key)
      await expect.poll(focused).toBe(action)
      expect(await opener.getAttribute('aria-expanded')).toBe('true')
    }
    const expectClosed = async (key: string) => {
      await page.keyboard.press(key)
      await page.getByRole('menu').waitFor({ state: 'detached' })
      expect(await opener.getAttribute('aria-expanded')).toBe('false')
    }
    await opener.focus()
    await expectOpen('Enter', 'ada@example.com')
    await expectOpen('End', 'Stop sending')
    await expectClosed('Escape')
    expect(await focused()).toBe('Open')
    await expectOpen('ArrowUp', 'Stop sending')
    await expectClosed('Tab')
    // The next button is in the section below.
    expect(await page.getByRole('region', { name: 'MenuItem' }).locator(':focus').count()).toBe(1)
  })

  test('fits narrow windows in the longest language and from right to left', async () => {
    const { page, origin } = await openSite(hostedPages)
    for (const locale of ['de', 'en-XA', 'ar-XB']) {
      await openStories(page, `${origin}/components?lang=${locale}`)
      await expectNoSidewaysScroll(page, locale)
    }
  })
})

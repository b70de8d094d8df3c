/** Pictures, the page of a user at a glance, and charts that are read with the keyboard. */
import { expect, test } from 'vitest'
import { withChromium } from '../kit/hosted-pages.ts'
import { png } from '../kit/pictures.ts'

const { hostedPages } = withChromium()
const password = 'correct horse battery'
const root = { name: 'Root', email: 'root@example.com', password }
const ida = { name: 'Ida Wolfsgruber', email: 'ida@example.com', password }

async function open() {
  const pages = await hostedPages({ admin: { enabled: true }, rateLimit: { enabled: false } })
  const { app, browser, clock } = pages.kit
  clock.advance((Date.now() - clock.now().getTime()) / 1000)
  for (const body of [root, ida]) await browser().call('POST /sign-up/email', { body })
  await app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', root.email).execute()
  const { id } = await app.db.selectFrom('user').select('id').where('email', '=', ida.email).executeTakeFirstOrThrow()
  return { ...pages, path: `/admin/users/${id}` }
}

test('a user uploads a picture, which the page of the user shows to an administrator', async () => {
  const { openAs, path } = await open()
  const own = await openAs(ida, '/account')
  await own.getByRole('button', { name: 'Add picture' }).waitFor()
  await own
    .locator('input[type=file]')
    .setInputFiles({ name: 'ida.png', mimeType: 'image/png', buffer: Buffer.from(png(60, 40)) })
  await own.getByRole('dialog').waitFor()
  // By the keyboard too: the picture is wider than high, so that only its sides are outside of the square.
  await own.getByLabel('Left and right').press('ArrowRight')
  expect(await own.getByLabel('Up and down').isDisabled()).toBe(true)
  await own.getByRole('button', { name: 'Use picture' }).click()
  await own.getByRole('button', { name: 'Remove picture' }).waitFor()
  const page = await openAs(root, path)
  const picture = page.getByRole('main').locator('img[src*="/avatar/"]')
  await picture.waitFor()
  await expect.poll(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBe(168)
  await own.locator('input[type=file]').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  await own.getByText('This file cannot be used as a picture').waitFor()
  await own.getByRole('button', { name: 'Remove picture' }).click()
  await own.getByRole('button', { name: 'Add picture' }).waitFor()
})

test('the page of a user names them in the tab, and shows counts and the newest sessions', async () => {
  const { openAs, path, kit } = await open()
  for (let count = 0; count < 3; count += 1)
    await kit.browser().call('POST /sign-in/email', { body: { email: ida.email, password } })
  const page = await openAs(root, path)
  await page.getByRole('link', { name: 'Sessions 4' }).waitFor()
  expect(await page.title()).toMatch(/^Ida Wolfsgruber · /)
  const main = page.getByRole('main')
  expect(await main.getByRole('button', { name: /^Revoke session/ }).count()).toBe(3)
  await main
    .getByRole('button', { name: /^Revoke session/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke session' }).click()
  await page.getByRole('link', { name: 'Sessions 3' }).waitFor()
  await page.goto(page.url().replace(path, '/admin/users'))
  await page.getByRole('link', { name: 'Unverified 2' }).waitFor()
  expect(await page.title()).toMatch(/^Users · /)
})

test('a chart is read with the arrow keys, and opens the list of a day', async () => {
  const { openAs } = await open()
  const page = await openAs(root, '/admin?range=7d')
  const chart = page.getByRole('slider', { name: /^Sign-ups/ })
  await chart.focus()
  await page.keyboard.press('Home')
  const first = await chart.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowRight')
  expect(await chart.getAttribute('aria-valuenow')).toBe('2')
  expect(await chart.getAttribute('aria-valuetext')).not.toBe(first)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/admin\/users\?createdAfter=\d{4}-\d\d-\d\d&createdBefore=\d{4}-\d\d-\d\d$/)
})

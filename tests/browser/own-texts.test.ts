/** The account area with texts of the operator. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

test('the account area has the texts of the operator, also after a choice in the language menu', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const texts = { 'profile.profile': 'Profiel', 'profile.profileLead': 'De gegevens van uw account.' }
  writeFileSync(join(folder, 'nl.json'), JSON.stringify(texts))
  writeFileSync(join(folder, 'fa.json'), JSON.stringify({ 'profile.profile': 'نمایه' }))
  const { openAs, origin, kit } = await hostedPages({ dashboard: { texts: folder, locales: ['en', 'nl', 'fa'] } })
  await kit.browser().call('POST /sign-up/email', { body: ann }, { origin })
  const page = await openAs(ann, '/account')
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Account menu of Ann' }).click()
  await page.getByRole('menuitemradio', { name: 'Nederlands' }).click()
  await page.getByRole('heading', { name: 'Profiel', level: 1 }).waitFor()
  await page.getByText('De gegevens van uw account.').waitFor()
  await page.reload()
  await page.getByText('De gegevens van uw account.').waitFor()
  // Other texts are in English.
  await page.getByText('Your picture, and the ID').waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('nl')
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/own-texts-nl.png`, fullPage: true })
  await page.goto(`${origin}/account?lang=fa`)
  await page.getByRole('heading', { name: 'نمایه', level: 1 }).waitFor()
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/own-texts-fa.png`, fullPage: true })
})

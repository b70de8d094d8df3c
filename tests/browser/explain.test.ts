/** A support person pastes what a user sent, and reads what was rejected, which option decides, and how to fix it. */
import { expect, test } from 'vitest'
import { withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const password = 'correct horse battery'
const olga = { name: 'Olga', email: 'olga@example.com', password }
const ann = { name: 'Ann', email: 'ann@example.com', password }

test('a request ID, an email address and a code lead to the option that decides, and to the user', async () => {
  const { kit, open, openAs } = await hostedPages({ admin: true, signUp: { block: ['*@competitor.example'] } })
  for (const body of [olga, ann]) await kit.browser().call('POST /sign-up/email', { body })
  await kit.app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', olga.email).execute()
  await kit.browser().call('POST /sign-in/email', { body: { email: ann.email, password: 'a wrong password' } })
  const rejected = await kit.browser().call('POST /sign-up/email', { body: { ...ann, email: 'max@competitor.example' } })
  const requestId = rejected.headers.get('x-request-id') ?? expect.fail('no request ID')

  const page = await openAs(olga, '/admin/explain')
  const explain = async (subject: string) => {
    await page.getByLabel('What to explain').fill(subject)
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.waitForURL((url) => url.searchParams.get('subject') === subject)
  }
  await explain(requestId)
  for (const text of ['SIGN_UP_NOT_ALLOWED', 'signUp.block']) await page.getByText(text).first().waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/explain.png`, fullPage: true })
  // The person who was rejected is a stranger: nothing here names them.
  expect(await page.getByText('max@competitor.example').count()).toBe(0)

  await explain(ann.email)
  await page.getByText('INVALID_EMAIL_OR_PASSWORD').first().waitFor()
  await page.getByRole('link', { name: 'Open the user' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ann' }).waitFor()

  await page.goto(new URL('/admin/explain', page.url()).href)
  await explain('ACCOUNT_LOCKED')
  await page.getByText('notices.lockLink').first().waitFor()
  await explain('nothing that exists')
  await page.getByText('No user has this email address or ID.').waitFor()

  const visitor = await open('/admin/explain')
  await visitor.waitForURL('**/sign-in?**')
})

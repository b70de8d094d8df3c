/** Several accounts in one browser: the menu that switches between them, and what other tabs show. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { cookiesOf, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const password = 'correct horse battery'
const [ada, eve, uma] = ['Ada', 'Eve', 'Uma'].map((name) => ({ name, email: `${name.toLowerCase()}@example.com`, password })) as [
  User,
  User,
  User,
]
interface User {
  readonly name: string
  readonly email: string
  readonly password: string
}

async function withUsers(config: ConfigFile = {}) {
  const pages = await hostedPages({ multiSession: true, ...config })
  for (const body of [ada, eve, uma]) await pages.kit.browser().call('POST /sign-up/email', { body })
  await pages.kit.app.db.deleteFrom('session').execute()
  /** A page of the first user, in whose browser the others are signed in too. */
  const openWith = async (path: string, first: User, ...others: readonly User[]): Promise<Page> => {
    const page = await pages.openAs(others[0] ?? first, '/sign-in')
    for (const { email } of [...others.slice(1), ...(others.length > 0 ? [first] : [])])
      await page.request.post(`${pages.origin}/api/auth/sign-in/email`, {
        data: { email, password },
        headers: { origin: pages.origin },
      })
    await page.goto(`${pages.origin}${path}`)
    await menuButton(page, first).waitFor()
    return page
  }
  return { ...pages, openWith }
}

const menuButton = (page: Page, { name }: User) => page.getByRole('button', { name: `Account menu of ${name}` })
const option = (page: Page, { email }: User) => page.getByRole('menuitemradio', { name: email })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name })

describe('the account menu', () => {
  test('adds an account without signing out, and switches back, with the keyboard too', async () => {
    const { openWith, origin } = await withUsers()
    const page = await openWith('/account', ada)
    await menuButton(page, ada).click()
    await item(page, 'Add another account').click()
    await page.getByText('You stay signed in as ada@example.com.').waitFor()
    await page.getByLabel('Email').fill(eve.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await menuButton(page, eve).waitFor()
    await menuButton(page, eve).focus()
    await page.keyboard.press('Enter')
    await option(page, ada).waitFor()
    expect(await option(page, eve).getAttribute('aria-checked')).toBe('true')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const isFocused = () => option(page, ada).evaluate((node) => node === node.ownerDocument.activeElement)
    for (let steps = 0; steps < 3 && !(await isFocused()); steps += 1) await page.keyboard.press('ArrowUp')
    expect(await isFocused()).toBe(true)
    await page.keyboard.press('Enter')
    await menuButton(page, ada).waitFor()
    expect(page.url()).toBe(`${origin}/account`)
    await page.getByRole('main').getByText(ada.email).waitFor()
    expect(await page.getByRole('main').getByText(eve.email).count()).toBe(0)
  })

  test('leads back from the sign-in page, and the sign-in page offers another account', async () => {
    const { openWith, origin } = await withUsers()
    const page = await openWith('/account', ada)
    await page.goto(`${origin}/sign-in`)
    await page.getByRole('link', { name: 'Use another account' }).click()
    await page.getByRole('heading', { name: 'Add another account' }).waitFor()
    await page.getByRole('link', { name: 'Back to your account' }).click()
    await menuButton(page, ada).waitFor()
  })

  test('a tab that is open shows the other account after a switch in another tab', async () => {
    const { openWith } = await withUsers()
    const page = await openWith('/account', ada, eve)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await menuButton(other, ada).click()
    await option(other, eve).click()
    await menuButton(other, eve).waitFor()
    await menuButton(page, eve).waitFor()
    await page.getByRole('main').getByText(eve.email).waitFor()
  })

  test('signs out of one account, and the next one is current; then of the last one', async () => {
    const { openWith, origin, kit } = await withUsers()
    const page = await openWith('/account', ada, eve)
    await menuButton(page, ada).click()
    await option(page, eve).waitFor()
    await item(page, 'Sign out of this account').click()
    await menuButton(page, eve).waitFor()
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toHaveLength(1)
    await menuButton(page, eve).click()
    await item(page, 'Sign out').click()
    await page.waitForURL(`${origin}/signed-out`)
    expect(await cookiesOf(page)).toEqual([])
  })

  test('signs out of all accounts', async () => {
    const { openWith, origin, kit } = await withUsers()
    const page = await openWith('/account', ada, eve)
    await menuButton(page, ada).click()
    await item(page, 'Sign out of all accounts').click()
    await page.waitForURL(`${origin}/signed-out`)
    expect([await cookiesOf(page), await kit.app.db.selectFrom('session').select('id').execute()]).toEqual([[], []])
  })

  test('says when an account has ended in the meantime, and when there is no room for another one', async () => {
    const { openWith, kit } = await withUsers({ multiSession: { maximumSessions: 2 } })
    const page = await openWith('/account', ada, eve)
    await menuButton(page, ada).click()
    await option(page, eve).waitFor()
    await page.getByText('This browser keeps 2 accounts. Sign out of one first.').waitFor()
    const { id } = await kit.app.db.selectFrom('user').select('id').where('email', '=', eve.email).executeTakeFirstOrThrow()
    await kit.app.db.deleteFrom('session').where('userId', '=', id).execute()
    await option(page, eve).click()
    await page.getByText('This account is no longer signed in with this browser.').waitFor()
    await menuButton(page, ada).click()
    await expect.poll(() => option(page, eve).count()).toBe(0)
  })

  test('has no accounts during an impersonation, and without the feature', async () => {
    const { openWith, kit, origin } = await withUsers({ admin: true })
    await kit.app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', ada.email).execute()
    const page = await openWith('/admin/users', ada, eve)
    await menuButton(page, ada).click()
    await option(page, eve).waitFor()
    const { id: userId } = await kit.app.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', uma.email)
      .executeTakeFirstOrThrow()
    await page.request.post(`${origin}/api/auth/admin/impersonate-user`, { data: { userId }, headers: { origin } })
    await page.goto(`${origin}/account`)
    await menuButton(page, uma).click()
    await item(page, 'Sign out').waitFor()
    expect(await item(page, 'Add another account').count()).toBe(0)
    const off = await withUsers({ multiSession: false })
    const plain = await off.openWith('/account', ada)
    await menuButton(plain, ada).click()
    await item(plain, 'Sign out').waitFor()
    expect(await item(plain, 'Add another account').count()).toBe(0)
  })

  test('works with a custom session', async () => {
    const { openWith } = await withUsers({ customSession: () => ({ nothing: true }) })
    const page = await openWith('/account', ada)
    await page.getByRole('main').getByText(ada.email).waitFor()
  })
})

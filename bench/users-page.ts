/** Measures when the list of users is shown, and when one of them is found, in Chromium next to the server. */
import { chromium, type Page } from 'playwright-core'
import { chromiumArguments, findChromium } from '../tests/kit/servers/index.ts'
import type { Daemon } from './daemon.ts'
import { median } from './load.ts'
import { print } from './report.ts'

/** Milliseconds from the navigation until the rows are in the page, with nothing cached. */
const aim = 1000
const visits = 5

interface Measured {
  /** Cookie of an administrator. */
  readonly cookie: string
  /** Users, for the report. */
  readonly count: number
  /** To be found. */
  readonly user: { readonly id: string; readonly email: string }
}

export async function measureUsersPage({ url }: Daemon, { cookie, count, user }: Measured): Promise<void> {
  const { origin } = new URL(url)
  const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
  try {
    const times: number[] = []
    const searches: Record<'email' | 'id', number[]> = { email: [], id: [] }
    for (let visit = 0; visit < visits; visit += 1) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      await context.addCookies(cookie.split('; ').map((pair) => cookieOf(pair, origin)))
      const page = await context.newPage()
      await page.goto(`${origin}/admin/users`)
      await page.getByRole('row').nth(50).waitFor()
      times.push(await page.evaluate(() => performance.now()))
      for (const by of ['email', 'id'] as const) searches[by].push(await search(page, user[by], user.email))
      await context.close()
    }
    print(`users page with ${count} users: ${median(times).toFixed(0)} ms until 50 rows are shown (aim < ${aim} ms)`)
    print(`one of them found by email in ${median(searches.email).toFixed(0)} ms, by ID in ${median(searches.id).toFixed(0)} ms`)
  } finally {
    await browser.close()
  }
}

/** Milliseconds from the text in the field until the user is the only one that is shown. */
async function search(page: Page, text: string, email: string): Promise<number> {
  const field = page.getByRole('searchbox')
  await field.fill('')
  await page.getByRole('row').nth(50).waitFor()
  const startedAt = performance.now()
  await field.fill(text)
  await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: email }).waitFor()
  return performance.now() - startedAt
}

function cookieOf(pair: string, url: string) {
  const at = pair.indexOf('=')
  return { name: pair.slice(0, at), value: pair.slice(at + 1), url }
}

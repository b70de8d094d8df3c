/** Measures when the first page of the list of users is shown, in Chromium next to the server. */
import { chromium } from 'playwright-core'
import { chromiumArguments, findChromium } from '../tests/kit/servers/index.ts'
import type { Daemon } from './daemon.ts'
import { median } from './load.ts'
import { print } from './report.ts'

/** Milliseconds from the navigation until the rows are in the page, with nothing cached. */
const aim = 1000
const visits = 5

/** @param cookie of an administrator @param count users, for the report */
export async function measureUsersPage({ url }: Daemon, cookie: string, count: number): Promise<void> {
  const { origin } = new URL(url)
  const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
  try {
    const times: number[] = []
    for (let visit = 0; visit < visits; visit += 1) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      await context.addCookies(cookie.split('; ').map((pair) => cookieOf(pair, origin)))
      const page = await context.newPage()
      await page.goto(`${origin}/admin/users`)
      await page.getByRole('row').nth(50).waitFor()
      times.push(await page.evaluate(() => performance.now()))
      await context.close()
    }
    print(`users page with ${count} users: ${median(times).toFixed(0)} ms until 50 rows are shown (aim < ${aim} ms)`)
  } finally {
    await browser.close()
  }
}

function cookieOf(pair: string, url: string) {
  const at = pair.indexOf('=')
  return { name: pair.slice(0, at), value: pair.slice(at + 1), url }
}

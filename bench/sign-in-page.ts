/** Measures when the sign-in page can be used, in Chromium with 4 times less CPU and 1.6 Mbit/s: next to the server, and on a slow phone. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumArguments, findChromium } from '../tests/kit/servers/index.ts'
import { startDaemon } from './daemon.ts'
import { type Effort, median } from './load.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

/** Milliseconds from the navigation, with nothing cached. */
const aim = 1000

/** Added to each request, in milliseconds. With 150 it is the profile that Lighthouse calls slow 4G. */
const latencies = [0, 150]
const bandwidth = { offline: false, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const slowdown = 4

/** The fields exist once their listeners do, because scripts make them. The next frame shows them. */
const watchForm = `{
  const observer = new MutationObserver(() => {
    if (!document.querySelector('form input[type=email]') || !document.querySelector('form button[type=submit]')) return
    observer.disconnect()
    requestAnimationFrame(() => { window.usableAt = performance.now() })
  })
  observer.observe(document, { childList: true, subtree: true })
}`

interface Visit {
  readonly usableAt: number
  /** What was transferred, in KiB, and in how many responses. */
  readonly transferred: number
  readonly responses: number
}

async function openSlowPage(context: BrowserContext, latency: number): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { ...bandwidth, latency })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(watchForm)
  return page
}

async function visitPage(page: Page, url: string): Promise<Visit> {
  await page.goto(url)
  const email = page.locator('input[type=email]')
  await email.fill('ada@example.com')
  await page.locator('button[type=submit]').click()
  // What appears only when the form works: the password is missing.
  await page.locator('[aria-invalid=true]').waitFor()
  return page.evaluate(`({
    usableAt: window.usableAt,
    ...performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
      .filter((entry) => entry.responseEnd <= window.usableAt && entry.transferSize > 0)
      .reduce((sum, { transferSize }) => ({ transferred: sum.transferred + transferSize / 1024, responses: sum.responses + 1 }),
        { transferred: 0, responses: 0 }),
  })`)
}

/** A first visit, and a second one with the cache of the first. */
async function visitTwice(browser: Browser, url: string, latency: number): Promise<readonly [cold: Visit, warm: Visit]> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  try {
    const page = await openSlowPage(context, latency)
    const cold = await visitPage(page, url)
    return [cold, await visitPage(page, url)]
  } finally {
    await context.close()
  }
}

function report(name: string, visits: readonly Visit[]): void {
  const [time, size, count] = (['usableAt', 'transferred', 'responses'] as const).map((key) =>
    median(visits.map((each) => each[key])),
  )
  const text = `${time?.toFixed(0)} ms, ${size?.toFixed(0)} KiB in ${count} responses`
  print(`sign-in page usable, ${name}: ${text} (aim < ${aim} ms)`)
}

export async function measureSignInPage({ freshDatabase }: Storage, { rounds }: Effort): Promise<void> {
  const daemon = await startDaemon({ database: await freshDatabase() })
  const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
  try {
    const url = `${new URL(daemon.url).origin}/sign-in`
    await visitTwice(browser, url, 0)
    for (const latency of latencies) {
      const visits: (readonly [cold: Visit, warm: Visit])[] = []
      for (let round = 0; round < rounds; round += 1) visits.push(await visitTwice(browser, url, latency))
      const [cold, warm] = [visits.map(([first]) => first), visits.map(([, second]) => second)]
      report(`${latency} ms latency, nothing cached`, cold)
      report(`${latency} ms latency, cached`, warm)
    }
  } finally {
    await browser.close()
    await daemon.stop()
  }
}

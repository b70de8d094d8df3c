/** What leads to a state of a screen: for the accessibility tests of several areas. */
import type { Page } from 'playwright-core'
import { prepareResponse } from '../kit/hosted-pages.ts'

export interface Lead {
  (page: Page): Promise<unknown>
  /** It begins with a reload of the screen, which need not be opened before. */
  readonly reloads?: boolean
}
/** By the address of a screen, and by name. */
export type States = Readonly<Record<string, Readonly<Record<string, Lead>>>>

/** The user of these tests. */
export const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

/** Presses the button of each form without filling it in. */
export async function submitEmpty(page: Page): Promise<void> {
  await page.locator('main form button[type=submit]').first().click()
  await page.locator('main [aria-invalid=true]').first().waitFor()
}

/** The rate limit of a call. */
export function limit(path: string): void {
  const body = { code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER', message: 'Too many requests. Please try again later.' }
  prepareResponse(path, body, 429, { 'x-retry-after': '42' })
}

/** A lead that begins with a reload of the screen. */
export const reloading = (lead: Lead): Lead => Object.assign(lead, { reloads: true })

/** Reloads the page with another response of a call. @param text what it shows then */
export const withResponse = (path: string, status: number, json: unknown, text?: string): Lead =>
  reloading(async (page) => {
    prepareResponse(path, json, status)
    await page.reload()
    if (text !== undefined) await page.getByText(text).first().waitFor()
  })

/** Only `repeated` is a failure of the server: calls that failed so are repeated for three seconds before the page shows it. */
const serverError = { code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' }
export const loadError = (path: string, repeated = false): Lead =>
  reloading(async (page) => {
    await withResponse(path, repeated ? 500 : 400, serverError)(page)
    await page.getByText(serverError.code).waitFor()
  })

export const opensDialog =
  (button: string | RegExp): Lead =>
  async (page) => {
    await page.locator('main').getByRole('button', { name: button }).first().click()
    await page.getByRole('alertdialog').waitFor()
  }

/** Who adds a second account. */
export const eve = { ...ada, name: 'Eve', email: 'eve@example.com' }

/** A second account in this browser, which is the current one then. */
export async function addAccount(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await page.request.post(`${origin}/api/auth/sign-up/email`, { data: eve, headers: { origin } })
}

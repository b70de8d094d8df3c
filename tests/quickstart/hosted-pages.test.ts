/** "Send your users to the hosted pages" of docs/quickstart.md in a real browser. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ann, documentedOrigin, expectHiddenCookie, shareBrowser, startApplication, startLatchkey } from './kit.ts'

const openPage = shareBrowser()

/** The application of the page, as Vite serves it. */
const documentedApplication = 'http://localhost:5173'

test('the hosted pages sign a user of an application up and in, and lead back to it', async () => {
  const latchkey = await startLatchkey()
  const links = readFileSync(new URL('links.html', import.meta.url), 'utf8').replaceAll(documentedOrigin, latchkey)
  const files: Record<string, string> = {}
  const origin = await startApplication(files)
  files['/'] = `<!doctype html><title>App</title>${links.replaceAll(documentedApplication, origin)}`
  const page = await openPage()
  const signedInUser = () =>
    page.evaluate<string | undefined>(
      `fetch('${latchkey}/api/auth/get-session', { credentials: 'include' }).then((response) => response.json()).then((session) => session?.user.email)`,
    )

  await page.goto(origin)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByLabel('Name').fill(ann.name)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${origin}/`)
  expect(await signedInUser()).toBe(ann.email)
  await expectHiddenCookie(page, latchkey)

  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()

  await page.goto(origin)
  expect(await signedInUser()).toBeUndefined()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${origin}/`)
  expect(await signedInUser()).toBe(ann.email)
})

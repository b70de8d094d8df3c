/** "React in five minutes" of docs/quickstart.md in a real browser, with the client of both supported versions. */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { versions } from '../clients/published.ts'
import { freePort } from '../kit/servers/index.ts'
import {
  ann,
  chooseSignIn,
  documentedOrigin,
  expectHiddenCookie,
  shareBrowser,
  startApplication,
  startLatchkey,
  submit,
} from './kit.ts'

const openPage = shareBrowser()

/** @param client name of the client's package in this repository */
async function bundle(client: string, latchkey: string): Promise<string> {
  const built = await rolldown({
    input: fileURLToPath(new URL('react/main.tsx', import.meta.url)),
    platform: 'browser',
    resolve: { alias: { 'better-auth/react': `${client}/react` } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  })
  const { output } = await built.generate({ format: 'iife' })
  await built.close()
  return output[0].code.replaceAll(documentedOrigin, latchkey)
}

/** @returns the origin of the application */
const startReact = (script: string) =>
  startApplication({
    '/': '<!doctype html><div id="root"></div><script type="module" src="/main.js"></script>',
    '/main.js': script,
  })

test.each(versions)(
  'the React application signs up, in and out (client %s)',
  async (version) => {
    const latchkey = await startLatchkey()
    const origin = await startReact(await bundle(version === 'newest' ? 'better-auth-newest' : 'better-auth', latchkey))
    const page = await openPage()
    await page.goto(origin)
    await page.getByRole('heading', { name: 'Sign up' }).waitFor()
    await submit(page, 'Create account', { ...ann, password: 'too short' })
    await page.getByRole('alert').getByText('Password too short').waitFor()
    await submit(page, 'Create account', ann)
    await page.getByText('Signed in as ann@example.com').waitFor()
    await expectHiddenCookie(page, latchkey)
    await page.reload()
    await page.getByText('Signed in as ann@example.com').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await chooseSignIn(page)
    await submit(page, 'Continue', { email: ann.email, password: 'wrong horse battery' })
    await page.getByRole('alert').getByText('Invalid email or password').waitFor()
    await submit(page, 'Continue', { email: ann.email, password: ann.password })
    await page.getByText('Signed in as ann@example.com').waitFor()
    expect(new URL(page.url()).origin).toBe(origin)
  },
  90_000,
)

test.each(versions)('the React application reports that Latchkey is unreachable (client %s)', async (version) => {
  const latchkey = `http://localhost:${await freePort()}`
  const origin = await startReact(await bundle(version === 'newest' ? 'better-auth-newest' : 'better-auth', latchkey))
  const page = await openPage()
  await page.goto(origin)
  await submit(page, 'Create account', ann)
  await page.getByRole('alert').getByText('Cannot reach Latchkey').waitFor()
  expect(await page.locator('input[name=email]').inputValue()).toBe(ann.email)
})

/** Passkeys on the pages of other domains: three host names on one server with TLS (contract 12 §7). */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createCertificate, privatePem, publicKeyHash } from '../kit/certificates.ts'
import { withChromium } from '../kit/hosted-pages.ts'
import { captureMails } from '../kit/mails.ts'
import { freePort } from '../kit/servers/index.ts'
import { callFrom, plugIn, register } from '../kit/virtual-authenticator.ts'
import { expectAccessible, expectForcedColors, expectNoSidewaysScroll, serveAxe } from './inspection.ts'

const own = 'https://acme.test'
const related = 'https://acme-shop.test'
const unknown = 'https://acme-old.test'
const hosts = [own, related, unknown].map((origin) => new URL(origin).hostname)

const port = await freePort()
const certificate = createCertificate({ CN: 'acme.test' }, { hosts })
const { hostedPages } = withChromium({
  arguments: [
    `--host-resolver-rules=MAP *.test 127.0.0.1:${port}, MAP acme.test 127.0.0.1:${port}`,
    `--ignore-certificate-errors-spki-list=${publicKeyHash(certificate)}`,
  ],
})
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

/** The pages of all three hosts may call the API. */
async function openSite() {
  const mails = captureMails<{ text: string }>()
  const site = await hostedPages(
    // In development the API is for the names of this machine.
    {
      environment: 'production',
      mail: { send: mails.send, from: 'acme@acme.test' },
      baseURL: own,
      trustedOrigins: [related, unknown],
      passkey: { relatedOrigins: [related], signUp: true },
    },
    { tls: { port, key: privatePem(certificate), cert: certificate.pem } },
  )
  const page = await site.open('/sign-in')
  await plugIn(page)
  return { ...site, page, mails }
}

/** Ann has a passkey of acme.test, and is signed out. */
async function withPasskey() {
  const { page, ...site } = await openSite()
  expect((await callFrom(page, '/sign-up/email', ann)).status).toBe(200)
  expect(await register(page)).toMatchObject({ status: 200, body: { rpID: 'acme.test' } })
  await callFrom(page, '/sign-out', {})
  return { ...site, page }
}

const press = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click()

test('a passkey signs in on the page of another domain that the document of its own domain names', async () => {
  const { page } = await withPasskey()
  await page.goto(`${related}/sign-in?callbackURL=%2Faccount%2Fsessions`)
  // The browser offers it at the field for the email address.
  await page.waitForURL(`${related}/account/sessions`)
  expect((await callFrom(page, '/get-session')).body.user.email).toBe(ann.email)
})

test('a page on a domain that is not named says why, and leads to the page on the domain of the passkeys', async () => {
  const { page } = await withPasskey()
  await page.goto(`${unknown}/sign-in?callbackURL=%2Faccount%2Fsessions`)
  await press(page)
  await page.getByText('Passkeys belong to acme.test, and this browser cannot use them on this address.').waitFor()
  const link = page.getByRole('link', { name: 'Continue on acme.test' })
  expect(await link.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
  await link.press('Enter')
  await page.waitForURL(`${own}/account/sessions`)
})

test.each([
  ['says that it cannot use passkeys of other domains', '() => Promise.resolve({ relatedOrigins: false })'],
  ['does not say what it can', 'undefined'],
])('in a browser that %s, the page has a link to the domain of the passkeys in place of the button', async (_, capabilities) => {
  const { page, kit } = await withPasskey()
  serveAxe(kit.app)
  await page.addInitScript(`PublicKeyCredential.getClientCapabilities = ${capabilities}`)
  await page.goto(`${related}/sign-in?callbackURL=%2Faccount%2Fsessions`)
  const link = page.getByRole('link', { name: 'Continue on acme.test' })
  await link.waitFor()
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
  const state = 'passkeys of another domain'
  await expectAccessible(page, state)
  await expectForcedColors(page, state)
  await expectNoSidewaysScroll(page, state)
  await link.click()
  // On its own domain the browser has the passkey.
  await page.waitForURL(`${own}/account/sessions`)
})

test('a sign-up with a passkey continues on the domain of the passkeys too', async () => {
  const { page, mails } = await openSite()
  await page.addInitScript('PublicKeyCredential.getClientCapabilities = undefined')
  await page.goto(`${related}/sign-up/passkey?callbackURL=%2Faccount%2Fsessions`)
  await page.getByLabel('Name').fill('Bob')
  await page.getByLabel('Email').fill('bob@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Code').fill(/\d{6}/.exec((await mails.next()).text)?.[0] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Continue on acme.test' }).click()
  await page.waitForURL(`${own}/sign-up/passkey?callbackURL=%2Faccount%2Fsessions`)
})

test('a page on another domain adds a passkey of the first one', async () => {
  const { page } = await withPasskey()
  await page.goto(`${related}/sign-up`)
  await callFrom(page, '/sign-in/email', ann)
  const { body } = await callFrom(page, '/passkey/list-user-passkeys')
  await callFrom(page, '/passkey/delete-passkey', { id: body[0].id })
  expect(await register(page)).toMatchObject({ status: 200, body: { rpID: 'acme.test' } })
})

/** Inspects each declared screen of an area in its states: in both themes, at every width, translated, and right to left. */
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { resetPreparedResponses, type withChromium } from '../kit/hosted-pages.ts'
import {
  declaredScreens,
  expectAccessible,
  expectCatalogueTexts,
  expectForcedColors,
  expectNoMotion,
  expectNoSidewaysScroll,
  serveAxe,
  visit,
} from './inspection.ts'
import { ada, eve, type Lead, type States } from './leads.ts'
import { preparations } from './second-factor-states.ts'
import { documentChanges, documentTitle, termsPreparations } from './terms-states.ts'

type HostedPages = ReturnType<typeof withChromium>['hostedPages']

const keys = { clientId: 'an-id', clientSecret: 'a-secret' }

/** Everything that adds a screen is on. */
const config = {
  admin: { enabled: true, listTimeout: 60_000 },
  jwt: true,
  openAPI: true,
  multiSession: true,
  apiKey: { enabled: true, configurations: [{ configId: 'team', references: 'organization' as const }] },
  passkey: { signUp: true },
  twoFactor: { otpOptions: { channels: ['sms', 'email'] as ('sms' | 'email')[] }, required: [{ organizations: true as const }] },
  organization: { teams: { enabled: true }, dynamicAccessControl: { enabled: true } },
  // Nothing is demanded yet.
  terms: {
    documents: [
      { id: 'privacy', version: '1', title: documentTitle, url: 'https://example.com/privacy', requiredFrom: '2100-01-01' },
    ],
  },
  signUp: { inviteLinks: true, waitingList: true },
  username: true,
  phoneNumber: { signUpOnVerification: { getTempEmail: (number: string) => `${number.slice(1)}@phone.example.com` } },
  sms: { catch: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  socialProviders: { github: keys },
  genericOAuth: {
    config: [
      { ...keys, providerId: 'acme', name: 'Halden ID', authorizationUrl: 'https://id.test/a', tokenUrl: 'https://id.test/t' },
    ],
  },
} satisfies ConfigFile
const development = { administrator: { email: 'admin@localhost.test', password: 'correct horse battery' } }

export async function openSite(hostedPages: HostedPages) {
  const { kit, open, origin } = await hostedPages(config, { development })
  serveAxe(kit.app)
  const page = await open('/api/auth/ok')
  return {
    kit,
    page,
    origin,
    signUp: async () => {
      await page.request.post(`${origin}/api/auth/sign-up/email`, { data: ada, headers: { origin } })
      // With the permissions of an administrator, every screen has all of its parts.
      await kit.app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', ada.email).execute()
    },
    /** The path of a screen with the ID of an organization or a bulk action of Ada, or of another user. */
    fillIn: async (path: string): Promise<string> => {
      if (path.includes('$userId')) {
        const { body } = await kit.browser().call('POST /sign-up/email', { body: { ...ada, email: 'bob@example.com' } })
        return path.replace('$userId', body.user.id)
      }
      if (path.includes('$bulkActionId')) {
        const { body } = await kit.browser().call('POST /sign-up/email', { body: { ...ada, email: 'bob@example.com' } })
        const data = { action: 'revoke-sessions', userIds: [body.user.id] }
        const created = await page.request.post(`${origin}/api/auth/admin/create-bulk-action`, { data, headers: { origin } })
        return path.replace('$bulkActionId', (await created.json()).id)
      }
      if (!path.includes('$organizationId')) return path
      const data = { name: 'Halden Ferry', slug: 'halden' }
      const response = await page.request.post(`${origin}/api/auth/organization/create`, { data, headers: { origin } })
      return path.replace('$organizationId', (await response.json()).id)
    },
  }
}

/** Each screen is inspected by the file of the first area that it matches, so that several workers share them. */
const areas = {
  admin: /^\/admin/,
  organizations: /^\/(organizations|accept-invitation)/,
  account: /^\/(account(\/|$)|delete-account)/,
  hosted: /^/,
}
type Area = keyof typeof areas

const areaOf = (path: string) => Object.entries(areas).find(([, pattern]) => pattern.test(path))?.[0]

/** Texts that are not messages of the catalogue. In its states, a browser may have got a second account. */
const known = [
  'Acme',
  documentTitle,
  documentChanges,
  'Halden Ferry',
  'Ada Lovelace',
  'Grace Hopper',
  ...Object.values(ada),
  eve.name,
  eve.email,
  'bob@example.com',
  'admin@localhost.test',
  'Chrome',
  'Linux',
  'Headless',
  'latchkey seed',
  // Each language in its own words.
  'English',
  'Deutsch',
]

interface Inspected {
  /** What is beyond the first view. Those of other areas are left out. */
  readonly states: readonly States[]
  /** Parameters with which a screen shows something else. */
  readonly searches: Readonly<Record<string, readonly string[]>>
}

/** Declares the tests of the screens of an area. */
export function inspectScreens(area: Area, hostedPages: HostedPages, { states, searches }: Inspected): void {
  const screens = declaredScreens.filter(({ path }) => areaOf(path) === area && path !== '/components')

  describe.each(screens)('$path', { timeout: 180_000 }, ({ path, access }) => {
    test('is accessible, fits narrow and zoomed windows, and has texts of the catalogue in any language', async () => {
      const { kit, page, origin, signUp, fillIn } = await openSite(hostedPages)
      await signUp()
      const address = await fillIn(path)
      if (access !== 'session') await page.context().clearCookies()
      if (path === '/mailbox') await kit.browser().call('POST /request-password-reset', { body: { email: ada.email } })
      for (const each of states)
        for (const [state, lead] of Object.entries(each[path] ?? {}))
          await inspectState(page, `${origin}${address}`, { state, lead })
      // What a page has kept, such as the token of a link.
      if (access !== 'session') await page.context().clearCookies()
      // They are texts of an email, in the language of the site.
      await kit.app.db.deleteFrom('caughtMail').execute()
      const prepare = preparations[path] ?? termsPreparations[path]
      prepare?.()
      for (const search of ['', ...(searches[path] ?? [])]) await inspectInLanguages(page, `${origin}${address}${search}`)
    })
  })

  test('states and searches belong to screens that exist, and every area has a file', () => {
    const paths = declaredScreens.map((screen) => screen.path)
    expect([...states.flatMap(Object.keys), ...Object.keys(searches)].filter((path) => !paths.includes(path))).toEqual([])
    expect(Object.keys(searches).filter((path) => areaOf(path) !== area)).toEqual([])
    const fileOf = (name: string) => new URL(`accessibility-${name}.test.ts`, import.meta.url)
    expect(Object.keys(areas).filter((name) => !existsSync(fileOf(name)))).toEqual([])
  })
}

/** The pseudo-locale has the longest texts, so it is also the language in which the first view is inspected. */
async function inspectInLanguages(page: Page, url: string): Promise<void> {
  const localized = (locale: string) => `${url}${url.includes('?') ? '&' : '?'}lang=${locale}`
  await visit(page, localized('en-XA'))
  expect(new URL(page.url()).pathname).toBe(new URL(url).pathname)
  await expectCatalogueTexts(page, known)
  await expectAccessible(page, url)
  await expectForcedColors(page, url)
  await expectNoMotion(page, url)
  await expectNoSidewaysScroll(page, url)
  await visit(page, localized('ar-XB'))
  expect(await page.evaluate('document.documentElement.dir')).toBe('rtl')
  await expectNoSidewaysScroll(page, `${url}, right to left`)
}

async function inspectState(page: Page, url: string, { state, lead }: { state: string; lead: Lead }): Promise<void> {
  if (!lead.reloads || page.url() !== url) await visit(page, url)
  await lead(page)
  await expectAccessible(page, state)
  await expectForcedColors(page, state)
  await expectNoMotion(page, state)
  await expectNoSidewaysScroll(page, state)
  await page.unrouteAll()
  resetPreparedResponses()
  await page.context().setOffline(false)
}

/** Sign-in with a provider, from the buttons to the linked accounts. The provider is a stand-in whose page redirects immediately. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { seed, setUserRole } from '../../src/features/roles/index.ts'
import { providers } from '../../src/features/social-sign-in/providers/index.ts'
import { removeCookies, withChromium } from '../kit/hosted-pages.ts'
import { standIn } from '../kit/provider-stand-in.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const keys = { clientId: 'an-id', clientSecret: 'a-secret' }
// The types of tests know no elements.
const maskOf = new Function('element', 'return getComputedStyle(element).maskImage') as () => string

interface GitHubUser {
  readonly id: number
  readonly email: string
  readonly verified: boolean
}
const adaAtGitHub: GitHubUser = { id: 7, email: ada.email, verified: true }

/** A provider in the place of GitHub. @returns what changes its user, or lets the user cancel */
async function github(user: GitHubUser) {
  const current = { user, error: null as string | null }
  const provider = await standIn({
    'GET /authorize': ({ url }, response) => {
      const target = new URL(url.searchParams.get('redirect_uri') ?? '')
      target.searchParams.set('state', url.searchParams.get('state') ?? '')
      if (current.error === null) target.searchParams.set('code', 'a-code')
      else target.searchParams.set('error', current.error)
      response.writeHead(302, { location: target.href }).end()
    },
    'POST /token': { access_token: 'a-token', token_type: 'bearer', scope: 'read:user,user:email' },
    'GET /user': () => ({ id: current.user.id, login: 'ada', name: 'Ada of GitHub', email: current.user.email }),
    'GET /user/emails': () => [{ email: current.user.email, primary: true, verified: current.user.verified }],
  })
  const options = {
    ...keys,
    authorizationEndpoint: `${provider.origin}/authorize`,
    tokenEndpoint: `${provider.origin}/token`,
    userInfoEndpoint: `${provider.origin}/user`,
  }
  return { current, provider, options }
}

async function withGitHub(config: ConfigFile = {}, user: GitHubUser = adaAtGitHub, more: object = {}) {
  const { current, provider, options } = await github(user)
  const pages = await hostedPages({ socialProviders: { github: { ...options, ...more } }, ...config })
  const signUp = async (isVerified = true) => {
    await pages.kit.browser().call('POST /sign-up/email', { body: ada })
    await pages.kit.app.db.updateTable('user').set({ emailVerified: isVerified }).execute()
    await pages.kit.app.db.deleteFrom('session').execute()
  }
  const accounts = () => pages.kit.app.db.selectFrom('account').select(['providerId', 'userId']).orderBy('providerId').execute()
  return { ...pages, current, provider, signUp, accounts }
}

const continueWith = (page: Page) => page.getByRole('button', { name: 'Continue with GitHub' })
const line = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const note = (page: Page, role: 'alert' | 'status', text: string) =>
  page.getByRole('main').getByRole(role).filter({ hasText: text })

describe('sign-in with a provider', () => {
  test('creates an account and returns to the app', async () => {
    const { open, origin, accounts } = await withGitHub()
    const page = await open(`/sign-in?callbackURL=${encodeURIComponent('/api/auth/ok')}`)
    await continueWith(page).click()
    await page.waitForURL(`${origin}/api/auth/ok`)
    expect(await accounts()).toMatchObject([{ providerId: 'github' }])
    await page.goto(`${origin}/account`)
    await page.getByLabel('Name', { exact: true }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada of GitHub')
  })

  test('explains that an account with the email address exists, and where to link it', async () => {
    const { open, origin, signUp, accounts } = await withGitHub({}, { ...adaAtGitHub, verified: false })
    await signUp()
    const page = await open(`/sign-in?callbackURL=${encodeURIComponent('/api/auth/ok')}`)
    await continueWith(page).click()
    await note(page, 'alert', 'You were not signed in with GitHub').waitFor()
    await page.getByText('then link GitHub under “Password and sign-in”.').waitFor()
    await page.getByText('Your email address must be verified at GitHub.').waitFor()
    expect(await accounts()).toMatchObject([{ providerId: 'credential' }])
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/api/auth/ok`)
  })

  test('links an account only after the provider has verified its email address, and says so', async () => {
    const { current, openAs, signUp, accounts } = await withGitHub({}, { ...adaAtGitHub, verified: false })
    await signUp()
    const page = await openAs(ada, '/account/password')
    await page.getByRole('button', { name: 'Link GitHub' }).click()
    const failure = note(page, 'alert', 'GitHub was not linked')
    await failure.getByText('Make sure that its email address is verified at the provider').waitFor()
    expect(await accounts()).toMatchObject([{ providerId: 'credential' }])
    current.user = adaAtGitHub
    await page.getByRole('button', { name: 'Link GitHub' }).click()
    await note(page, 'status', 'GitHub is linked.').waitFor()
  })

  test('links an account and unlinks it, after a new sign-in in place', async () => {
    const { kit, openAs, signUp, accounts } = await withGitHub()
    await signUp()
    const page = await openAs(ada, '/account/password')
    await page.getByRole('button', { name: 'Link GitHub' }).click()
    await note(page, 'status', 'GitHub is linked.').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await line(page, 'GitHub').getByText('read:user user:email').waitFor()
    expect((await accounts()).map(({ providerId }) => providerId)).toEqual(['credential', 'github'])
    kit.clock.advance(2 * 86_400)
    await page.getByRole('button', { name: 'Unlink GitHub' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink GitHub' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again to confirm' })
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    await dialog.getByRole('button', { name: 'Continue', exact: true }).click()
    await note(page, 'status', 'GitHub was unlinked.').waitFor()
    expect((await accounts()).map(({ providerId }) => providerId)).toEqual(['credential'])
  })
})

describe('the sign-in page', () => {
  test('offers to start again after the user cancelled at the provider', async () => {
    const { current, open, origin } = await withGitHub()
    current.error = 'access_denied'
    const page = await open('/sign-in')
    await continueWith(page).click()
    await page.getByText('You did not allow the sign-in at the provider.').waitFor()
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
    current.error = null
    await continueWith(page).click()
    await page.waitForURL(`${origin}/account`)
  })

  test('has only buttons without passwords, and no page for sign-up', async () => {
    const { open, origin } = await withGitHub({ emailAndPassword: { enabled: false } })
    const page = await open('/sign-in')
    await continueWith(page).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await page.getByText('or', { exact: true }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)
    await page.goto(`${origin}/sign-up`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  test('leads to the sign-up page when the provider creates accounts only there', async () => {
    const config = { emailAndPassword: { enabled: false } }
    const { open, origin, accounts } = await withGitHub(config, adaAtGitHub, { disableImplicitSignUp: true })
    const page = await open('/sign-in')
    await continueWith(page).click()
    const alert = note(page, 'alert', 'There is no account for this sign-in yet.')
    await alert.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Create your account' }).waitFor()
    await continueWith(page).click()
    await page.waitForURL(`${origin}/account`)
    expect(await accounts()).toHaveLength(1)
  })

  test('says when a provider cannot be used, and lets the user try again', async () => {
    const { open } = await hostedPages({
      genericOAuth: { config: [{ ...keys, providerId: 'acme', name: 'Halden ID', discoveryUrl: 'http://localhost:9/' }] },
    })
    const page = await open('/sign-in')
    const button = page.getByRole('button', { name: 'Continue with Halden ID' })
    await button.click()
    await page.getByRole('alert').filter({ hasText: 'INVALID_OAUTH_CONFIGURATION' }).waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe(null)
  })

  test('waits with all providers while attempts are limited', async () => {
    const { open, origin } = await withGitHub({
      rateLimit: { enabled: true, storage: 'memory', customRules: { '/sign-in/social': { window: 600, max: 1 } } },
    })
    const page = await open('/sign-in?callbackURL=/account')
    await continueWith(page).click()
    await page.waitForURL(`${origin}/account`)
    await removeCookies(page)
    await page.goto(`${origin}/sign-in`)
    await continueWith(page).click()
    await page.getByText('You can try again in 600 seconds.').waitFor()
    await expect.poll(() => continueWith(page).getAttribute('aria-disabled')).toBe('true')
    expect(await page.getByRole('button', { name: 'Sign in', exact: true }).getAttribute('aria-disabled')).toBe(null)
  })

  test('has buttons that work after the user came back from the provider', async () => {
    const { open, origin, provider } = await withGitHub()
    provider.set({
      'GET /authorize': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in here'),
    })
    const page = await open('/sign-in')
    await continueWith(page).click()
    await page.getByText('Sign in here').waitFor()
    await page.goBack()
    await continueWith(page).click()
    await page.getByText('Sign in here').waitFor()
    expect(page.url().startsWith(origin)).toBe(false)
  })

  test('shows a mark or a letter for each provider, in the order of the configuration', async () => {
    const ids = Object.keys(providers).toReversed()
    const generic = {
      ...keys,
      providerId: 'acme',
      name: 'Halden ID',
      authorizationUrl: 'https://id.test/a',
      tokenUrl: 'https://id.test/t',
    }
    const { open } = await hostedPages({
      socialProviders: Object.fromEntries(ids.map((id) => [id, { ...keys, clientKey: 'a-key' }])),
      genericOAuth: { config: [generic] },
    })
    const page = await open('/sign-in')
    const buttons = page.getByRole('button', { name: /^Continue with / })
    await buttons.last().waitFor()
    const names = [...ids.map((id) => Reflect.get(providers, id).name), 'Halden ID']
    expect(await buttons.allTextContents()).toEqual(names.map((name) => expect.stringMatching(`Continue with ${name}$`)))
    for (const button of await buttons.all()) {
      const mark = button.locator('.mark')
      if ((await mark.count()) === 0) expect(await button.innerText()).toMatch(/^\p{L}\s*Continue/u)
      // The style has this one.
      else expect(await mark.evaluate(maskOf)).toMatch(/^url\("data:image/)
    }
    await page.getByRole('button', { name: 'Continue with GitHub' }).locator('.mark').waitFor()
  })
})

describe('linked accounts', () => {
  test('say why an account was not linked, and why the only one cannot be unlinked', async () => {
    const { open, origin } = await withGitHub({ emailAndPassword: { enabled: false } })
    const page = await open('/sign-in')
    await continueWith(page).click()
    await page.waitForURL(`${origin}/account`)
    await page.goto(`${origin}/account/password?provider=github&error=account_already_linked_to_different_user`)
    await note(page, 'alert', 'GitHub was not linked').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await line(page, 'GitHub').getByText('This is your only sign-in method.').waitFor()
    expect(await page.getByRole('button', { name: 'Unlink GitHub' }).count()).toBe(0)
  })

  test('say that the email addresses differ', async () => {
    const { openAs, signUp } = await withGitHub({}, { ...adaAtGitHub, email: 'other@example.com' })
    await signUp()
    const page = await openAs(ada, '/account/password')
    await page.getByRole('button', { name: 'Link GitHub' }).click()
    await page.getByText('Your GitHub account has another email address').waitFor()
  })
})

describe('signing in again in place with a provider', () => {
  /** Ada, who has signed up with GitHub, changes her name when her session has ended. */
  async function expired() {
    const site = await withGitHub()
    const page = await site.open('/sign-in')
    const accountsKnown = page.waitForResponse('**/list-accounts')
    await continueWith(page).click()
    await accountsKnown
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Ada Lovelace')
    await site.kit.app.db.deleteFrom('session').execute()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Sign in again to continue' })
    const signIn = async () => {
      const [opened] = await Promise.all([
        page.waitForEvent('popup'),
        dialog.getByRole('button', { name: 'Continue with GitHub' }).click(),
      ])
      return opened
    }
    return { ...site, page, name, dialog, signIn }
  }

  test('saves what was entered', async () => {
    const { page, dialog, signIn, kit } = await expired()
    const opened = await signIn()
    await dialog.waitFor({ state: 'detached' })
    await note(page, 'status', 'saved').or(page.getByText('Saved')).first().waitFor()
    const { name } = await kit.app.db.selectFrom('user').select('name').executeTakeFirstOrThrow()
    expect(name).toBe('Ada Lovelace')
    await expect.poll(() => opened.isClosed()).toBe(true)
  })

  test('keeps the page when it was another user', async () => {
    const { page, name, dialog, signIn, current } = await expired()
    current.user = { id: 8, email: 'bob@example.com', verified: true }
    await signIn()
    await dialog.getByText('You signed in as bob@example.com. To continue on this page, sign in as ada@example.com.').waitFor()
    expect(await name.inputValue()).toBe('Ada Lovelace')
    current.user = adaAtGitHub
    await signIn()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Account menu of Ada Lovelace' }).waitFor()
  })

  test('says when the provider did not sign in', async () => {
    const { dialog, signIn, current } = await expired()
    current.user = { id: 9, email: '', verified: false }
    await signIn()
    await dialog.getByRole('alert').filter({ hasText: 'email_not_found' }).waitFor()
  })
})

describe('the list for administrators', () => {
  async function withOperator(permissions: Record<string, string[]>) {
    const site = await withGitHub({ seed: { roles: { operator: permissions } } })
    await seed(site.kit.app, { dryRun: false, prune: false, readSecret: () => undefined })
    await site.signUp()
    const { id } = await site.kit.app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    await setUserRole(site.kit.app, id, 'operator')
    return site
  }

  test('shows what each provider grants', async () => {
    const { openAs, origin } = await withOperator({ provider: ['list'] })
    const page = await openAs(ada, '/account')
    await page.getByRole('link', { name: 'Instance' }).click()
    await page.getByRole('heading', { name: 'Social providers' }).waitFor()
    const card = page.getByRole('listitem', { name: 'GitHub' })
    await card.getByText('Read the email addresses').waitFor()
    await card.getByText(`${origin}/api/auth/callback/github`).waitFor()
  })

  test('is not in the navigation of other users, and says that it needs a permission', async () => {
    const { openAs } = await withOperator({ user: ['list'] })
    const page = await openAs(ada, '/admin/social-providers')
    await page.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
    expect(await page.getByRole('link', { name: 'Social providers' }).count()).toBe(0)
  })
})

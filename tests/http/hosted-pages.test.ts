/** Hosted pages without scripts: what the server renders, and where their forms lead. */
import { describe, expect, test } from 'vitest'

import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { seed } from '../../src/features/setup/index.ts'
import { dashboardFolder } from '../../src/http/dashboard.ts'
import { type TestOptions, testApp } from '../kit/app.ts'
import type { Answer, Browser } from '../kit/browser.ts'
import { followLink } from '../kit/mails.ts'
import { plantedChallenge } from '../kit/planted/challenge.ts'

const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const html = { accept: 'text/html,application/xhtml+xml' }
const origin = 'http://localhost:3000'

/** A browser in which the forms of a page can be sent as a browser without scripts does. */
async function open(config: ConfigFile = {}, options: TestOptions = {}) {
  const kit = await testApp(config, { dashboard: dashboardFolder(), ...options })
  const visitor = kit.browser()
  const get = (path: string, headers: Record<string, string> = {}) =>
    visitor.request(`/${path}`, { headers: { ...html, ...headers } })
  const post = (call: string, fields: Record<string, string>, headers: Record<string, string> = {}, browser = visitor) =>
    browser.request(call, {
      method: 'POST',
      headers: { ...html, origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: String(new URLSearchParams(fields)),
    })
  const signUp = (browser: Browser = kit.browser()) => browser.call('POST /sign-up/email', { body: ada })
  return { ...kit, visitor, get, post, signUp }
}

const location = ({ status, headers }: Answer) => [status, headers.get('location')]
const credentials = { email: ada.email, password: ada.password }

/** The field in which password managers find whose password a form sets. */
const ownerOfPassword = (email: string) => new RegExp(`<input[^>]*autoComplete="username"[^>]*value="${email}"`)

describe('a form', () => {
  test('leads on by a redirect that browsers fetch with GET', async () => {
    const { post, signUp, visitor } = await open()
    await signUp()
    const answer = await post('/sign-in/email', { 'latchkey:page': '/sign-in', ...credentials })
    expect(location(answer)).toEqual([303, '/account'])
    expect((await visitor.call('GET /get-session', {})).body.user.email).toBe(ada.email)
  })

  test('comes back with the error at its field and with what was typed, but without the password', async () => {
    const { post, signUp } = await open()
    await signUp()
    const { status, body } = await post('/sign-in/email', {
      'latchkey:page': '/sign-in',
      ...{ email: `${ada.email}"><script>`, password: 'wrong horse battery' },
    })
    expect(status).toBe(400)
    expect(body).toContain('value="ada@example.com&quot;&gt;&lt;script&gt;"')
    expect(body).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="email"|<input[^>]*aria-invalid="true"[^>]*name="email"/)
    const wrong = await post('/sign-in/email', { 'latchkey:page': '/sign-in', email: ada.email, password: 'wrong horse' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toContain('Email or password is incorrect.')
    expect(wrong.body).toContain(`value="${ada.email}"`)
    expect(wrong.body).not.toContain('wrong horse')
    expect(wrong.headers.get('content-encoding')).toBeNull()
  })

  test('has a malformed email address at its field, in the language of the page', async () => {
    const { get, post } = await open({ mail: { catch: true } })
    for (const [page, call] of [
      ['/forgot-password', '/request-password-reset'],
      ['/check-email', '/send-verification-email'],
    ] as const) {
      expect((await get(`${page}?lang=de`)).body).toMatch(
        /<input[^>]*data-invalid="Geben Sie eine E-Mail-Adresse ein[^>]*name="email"/,
      )
      const { body } = await post(call, { 'latchkey:page': page, email: 'ada@localhost' })
      expect(body).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="email"/)
    }
  })

  test('without the name of its page belongs to the first page for its call', async () => {
    const { post, signUp } = await open()
    await signUp()
    expect(location(await post('/sign-in/email', credentials))).toEqual([303, '/account'])
    const named = await post('/sign-in/email', { ...credentials, password: 'x', 'latchkey:page': '//evil.example/sign-in' })
    expect([named.status, String(named.body).includes('action="/api/auth/sign-in/email"')]).toEqual([401, true])
  })

  test('is rejected when another site sends it', async () => {
    const { post, signUp, visitor } = await open()
    await signUp(visitor)
    const answer = await post('/sign-out', { 'latchkey:page': '/sign-in' }, { origin: 'https://evil.example' })
    expect(answer.status).toBe(403)
    expect((await visitor.call('GET /get-session', {})).body.user.email).toBe(ada.email)
  })

  test('gets JSON when it does not accept HTML', async () => {
    const { post, signUp } = await open()
    await signUp()
    const { status, body } = await post('/sign-in/email', { ...credentials, rememberMe: '' }, { accept: '*/*' })
    expect([status, body.code ?? body.user.email]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('of a script gets in a header where it leads, because a script cannot read redirects', async () => {
    const { post, signUp } = await open()
    await signUp()
    const script = { 'x-latchkey-form': '1' }
    const answer = await post('/sign-in/email', { 'latchkey:page': '/sign-in', ...credentials }, script)
    expect([answer.status, answer.headers.get('x-latchkey-location')]).toEqual([200, '/account'])
  })

  test('leaves out fields that are optional and empty', async () => {
    const { post, kit } = await open({
      username: { enabled: true },
      user: { additionalFields: { company: { type: 'string', required: false }, seats: { type: 'number', required: false } } },
    }).then((kit) => ({ ...kit, kit }))
    const { status } = await post('/sign-up/email', { ...ada, username: '', company: ' ', seats: '' })
    expect(status).toBe(303)
    const users = await kit.app.db
      .selectFrom('user')
      .select(['username', 'company', 'seats'] as never)
      .execute()
    expect(users).toEqual([{ username: null, company: null, seats: null }])
  })

  test('makes the call for a username, when one was typed', async () => {
    const { post, kit } = await open({ username: { enabled: true } }).then((kit) => ({ ...kit, kit }))
    await kit.browser().call('POST /sign-up/email', { body: { ...ada, username: 'ada' } as never })
    const page = { 'latchkey:page': '/sign-in' }
    expect(location(await post('/sign-in/email', { ...page, email: 'ada', password: ada.password }))).toEqual([303, '/account'])
    expect((await post('/sign-in/email', { ...page, email: 'eve', password: ada.password })).status).toBe(401)
  })

  test('sends texts, which become what the call takes', async () => {
    const { post, visitor } = await open({
      user: {
        additionalFields: {
          seats: { type: 'number' },
          newsletter: { type: 'boolean' },
          note: { type: 'string', required: false },
        },
      },
    })
    const fields = { 'latchkey:page': '/sign-up', ...ada, seats: '12', newsletter: 'true', note: '' }
    expect(location(await post('/sign-up/email', fields))).toEqual([303, '/account'])
    expect((await visitor.call('GET /get-session', {})).body.user).toMatchObject({ seats: 12, newsletter: true })
  })

  test('leads to the page of a challenge', async () => {
    const planted = plantedChallenge(() => true, 'code', ['first-factor'])
    const { post, visitor } = await open({}, { features: { ...featureList, planted } as never })
    await visitor.call('POST /sign-up/email', { body: ada })
    visitor.cookies.clear()
    const page = '/sign-in?callbackURL=%2Fapi%2Fauth%2Fok'
    const answer = await post('/sign-in/email', { 'latchkey:page': page, ...credentials, callbackURL: '/api/auth/ok' })
    expect(location(answer)).toEqual([303, '/code?callbackURL=/api/auth/ok'])
    expect((await visitor.call('GET /get-session', {})).body).toBeNull()
  })
})

describe('the application that sent the visitor', () => {
  const app = 'https://app.example.com/after?a=b'
  const page = (callbackURL: string) => `/sign-in?${new URLSearchParams({ callbackURL })}`

  test('gets them back by a page that leads on, because no form may lead to another site', async () => {
    const { post, signUp } = await open({ trustedOrigins: ['https://app.example.com'] })
    await signUp()
    const { status, body } = await post('/sign-in/email', { 'latchkey:page': page(app), ...credentials })
    expect(status).toBe(200)
    const target = `/api/auth/continue?${new URLSearchParams({ callbackURL: app })}`
    expect(body).toContain(`<meta http-equiv="refresh" content="0;url=${target.replaceAll('&', '&amp;')}"/>`)
  })

  test('is checked before anything is done', async () => {
    const {
      app: { db },
      post,
    } = await open()
    const answer = await post('/sign-up/email', { 'latchkey:page': page('https://evil.example/').replace('in', 'up'), ...ada })
    expect(answer.status).toBe(403)
    expect(answer.body).toContain('is not allowed to receive you back')
    expect(await db.selectFrom('user').selectAll().execute()).toEqual([])
  })
})

describe('a token in the address', () => {
  test('is kept for its page only, out of the address, until its form is sent', async () => {
    const { get, post, visitor, signUp, app } = await open({ mail: { catch: true } })
    await signUp()
    await visitor.call('POST /request-password-reset', { body: { email: ada.email, redirectTo: '/reset-password' } })
    await expect.poll(() => app.db.selectFrom('caughtMail').selectAll().execute()).not.toEqual([])
    const [mail] = await app.db.selectFrom('caughtMail').selectAll().where('kind', '=', 'reset-password').execute()
    const [, token = ''] = /reset-password\/([\w-]+)/.exec(await followLink(visitor, mail?.text ?? '')) ?? []
    const first = await get(`/reset-password?token=${token}&callbackURL=%2Fapi%2Fauth%2Fok&lang=de`)
    expect(location(first)).toEqual([303, '/reset-password?callbackURL=%2Fapi%2Fauth%2Fok&lang=de'])
    expect([...visitor.cookies.values()].join()).not.toContain(token)
    const { body } = await get('/reset-password')
    expect(body).toContain(`name="token" value="${token}"`)
    expect(body).toMatch(ownerOfPassword(ada.email))
    expect((await get('/set-up')).body).not.toContain(token)
    const fields = { 'latchkey:page': '/reset-password', token, newPassword: 'another horse entirely' }
    expect(location(await post('/reset-password', fields))).toEqual([303, '/reset-password?saved=true'])
    expect((await get('/reset-password')).body).not.toContain(token)
  })

  test('of a setup link shows password managers whose password it sets', async () => {
    const { get, app } = await open({
      seed: { roles: { admin: { user: ['list'] } }, admins: [{ name: 'Ada', email: ada.email }] },
    })
    const [admin] = await seed(app, { dryRun: false, prune: false, readSecret: () => undefined })
    const { pathname, search } = new URL(admin?.setupLink ?? '')
    expect(location(await get(`${pathname}${search}`))).toEqual([303, '/set-up'])
    expect((await get('/set-up')).body).toMatch(ownerOfPassword(ada.email))
  })

  test('is ignored when its cookie is not ours', async () => {
    const { get, visitor } = await open()
    visitor.cookies.set('latchkey.page', 'forged')
    const { status, body } = await get('/reset-password')
    expect([status, String(body).includes('no longer works')]).toEqual([200, true])
  })
})

describe('a page', () => {
  test('is in the language of ?lang=, of the last choice, or of the browser', async () => {
    const { get, visitor } = await open()
    const language = async (path: string, header = '') =>
      /<html lang="([\w-]+)"/.exec((await get(path, { 'accept-language': header })).body)?.[1]
    expect(await language('/sign-in')).toBe('en')
    expect(await language('/sign-in', 'nl, de-AT;q=0.8, en;q=0.5')).toBe('de')
    expect(await language('/sign-in?lang=de')).toBe('de')
    expect(visitor.cookies.get('latchkey.locale')).toBe('de')
    expect(await language('/sign-up', 'en')).toBe('de')
    expect(await language('/sign-up?lang=nl', 'en')).toBe('de')
  })

  test('is in the language that the application wants (ui_locales), until the visitor chooses another one', async () => {
    const { get, visitor } = await open()
    const language = async (path: string, header = 'en') =>
      /<html lang="([\w-]+)"/.exec((await get(path, { 'accept-language': header })).body)?.[1]
    expect(await language('/sign-in?ui_locales=nl%20uk-UA%20de')).toBe('uk')
    expect(visitor.cookies.get('latchkey.wanted')).toBe('uk')
    expect(await language('/sign-up')).toBe('uk')
    expect(await language('/sign-in?ui_locales=tr')).toBe('tr')
    expect(await language('/sign-in?ui_locales=82')).toBe('tr')
    expect(await language('/sign-in?lang=pl&ui_locales=tr')).toBe('pl')
    expect(await language('/sign-in?ui_locales=tr')).toBe('pl')
  })

  test.each([
    ['tr', 'Oturum aç'],
    ['pl', 'Zaloguj się'],
    ['ru', 'Войти'],
  ])('in %s has its texts, and the names of all languages in their own words', async (locale, title) => {
    const { get } = await open()
    const { body } = await get(`/sign-in?lang=${locale}`)
    expect(body).toContain(`<html lang="${locale}" dir="ltr">`)
    expect(body).toContain(title)
    for (const name of ['English', 'Deutsch', 'Español', 'Français', 'Polski', 'Русский', 'Türkçe', 'Українська'])
      expect(body).toContain(`>${name}</a>`)
  })

  test('is in informal German for browsers that ask for German, when that is the configured form', async () => {
    const { get, visitor } = await open({ appName: 'Acme', dashboard: { locales: ['en', 'de-informal'] } })
    const { body } = await get('/sign-in', { 'accept-language': 'de-AT, en;q=0.5' })
    expect(body).toContain('<html lang="de" dir="ltr">')
    expect(body).toContain('Weiter zu deinem Konto bei Acme.')
    expect(body).toMatch(/<a href="\/sign-in\?lang=de-informal" lang="de" hrefLang="de"[^>]*>Deutsch<\/a>/i)
    expect((await get('/sign-up?lang=de')).body).toContain('Für Acme benötigst du ein Konto.')
    expect(visitor.cookies.get('latchkey.locale')).toBe('de-informal')
  })

  test('has the theme that was chosen, else that of the system', async () => {
    const { get, visitor } = await open()
    expect((await get('/sign-in')).body).not.toContain('data-theme=')
    visitor.cookies.set('latchkey.theme', 'dark')
    expect((await get('/sign-in')).body).toContain('<html lang="en" dir="ltr" data-theme="dark">')
    visitor.cookies.set('latchkey.theme', '"><script>')
    expect((await get('/sign-in')).body).not.toContain('data-theme=')
  })

  test('that is for users leads visitors to sign-in and back', async () => {
    const { get } = await open()
    const target = new URLSearchParams({ callbackURL: '/delete-account?callbackURL=%2Fapi%2Fauth%2Fok' })
    expect(location(await get('/delete-account?callbackURL=%2Fapi%2Fauth%2Fok'))).toEqual([303, `/sign-in?${target}`])
  })

  test('is compressed, unless it shows something of its visitor', async () => {
    const { get, signUp, visitor } = await open()
    const encoding = async (path: string) => (await get(path, { 'accept-encoding': 'gzip, br' })).headers.get('content-encoding')
    expect(await Promise.all(['/sign-in', '/sign-in', '/sign-in?callbackURL=%2Fapp', '/error?error=x'].map(encoding))).toEqual(
      Array(4).fill('br'),
    )
    await signUp(visitor)
    expect(await encoding('/sign-in')).toBeNull()
  })

  test('says which method was used last in this browser', async () => {
    const { get, post, signUp, visitor } = await open()
    await signUp()
    expect((await get('/sign-in')).body).not.toContain('Last used here')
    await post('/sign-in/email', { 'latchkey:page': '/sign-in', ...credentials })
    await visitor.call('POST /sign-out', {})
    expect((await get('/sign-in')).body).toContain('Last used here')
  })

  test('with a captcha says that it needs scripts', async () => {
    const { get } = await open({ captcha: { provider: 'hcaptcha', secretKey: 'x', siteKey: 'y', endpoints: ['/sign-up/email'] } })
    expect((await get('/sign-up')).body).toMatch(/<noscript>.*The check that you are human needs JavaScript.*<\/noscript>/)
    expect((await get('/sign-in')).body).not.toContain('<noscript>')
  })

  test('keeps out of search engines, and has no inline script', async () => {
    const { get, app } = await open()
    for (const path of app.dashboard?.hosted.paths ?? []) {
      const { body } = await get(path)
      if (typeof body !== 'string' || body === '') continue
      expect(body).toContain('<meta name="robots" content="noindex"/>')
      expect(body).not.toMatch(/<script(?![^>]* src=)|\son\w+=|javascript:/)
    }
  })
})

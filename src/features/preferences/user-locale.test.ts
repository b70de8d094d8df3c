import { describe, expect, test } from 'vitest'
import { withAdmin } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { signUp } from '../../../tests/kit/members.ts'
import { languageNumbers, readLocale } from '../../lib/locale.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { featureList } from '../index.ts'
import { importUsers } from '../transfer/index.ts'

const shown = { user: { locale: { enabled: true } } }
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

const storedOf = async (app: Awaited<ReturnType<typeof testApp>>['app'], email = ann.email) =>
  (await app.db.selectFrom('user').select('preferredLocale').where('email', '=', email).executeTakeFirst())?.preferredLocale

describe('the field locale of users', () => {
  test.each([
    ['tr', 'tr'],
    [82, 'tr'],
    ['82', 'tr'],
    [0, 'ru'],
    ['uk-UA', 'uk'],
    ['pl_PL', 'pl'],
    ['DE', 'de'],
    [null, null],
  ])('is read from %j, and is %j', async (given, locale) => {
    const { browser } = await testApp(shown)
    const visitor = browser()
    const { body } = await visitor.call('POST /sign-up/email', { body: { ...ann, locale: 'fr' } as typeof ann })
    expect(body.user.locale ?? (await visitor.call('GET /get-session', {})).body.user.locale).toBe('fr')
    expect((await visitor.call('POST /update-user', { body: { locale: given } as object })).status).toBe(200)
    expect((await visitor.call('GET /get-session', { query: { disableCookieCache: 'true' } })).body.user.locale).toBe(locale)
  })

  test.each([['nl'], [7], ['xx-DE'], [''], ['x'.repeat(36)], [{}]])('rejects %j', async (locale) => {
    const { browser } = await testApp(shown)
    expect((await browser().call('POST /sign-up/email', { body: { ...ann, locale } as typeof ann })).status).toBe(400)
  })

  test('is the language of the browser at sign-up, unless the client sets it', async () => {
    const { app, browser } = await testApp(shown)
    await browser().call('POST /sign-up/email', { body: ann }, { 'accept-language': 'pl' })
    await browser().call(
      'POST /sign-up/email',
      { body: { ...ann, email: 'b@example.com', locale: 16 } as typeof ann },
      { 'accept-language': 'pl' },
    )
    expect([await storedOf(app), await storedOf(app, 'b@example.com')]).toEqual(['pl', 'fr'])
  })

  test('that a user sets wins over a language that their browser has chosen before', async () => {
    const { app, browser } = await testApp(shown)
    const visitor = browser()
    visitor.cookies.set('latchkey.locale', 'de')
    await visitor.call('POST /sign-up/email', { body: ann })
    await visitor.call('POST /update-user', { body: { locale: 'es' } as object })
    expect(visitor.cookies.get('latchkey.locale')).toBe('es')
    await visitor.call('POST /sign-in/email', { body: ann })
    expect(await storedOf(app)).toBe('es')
  })

  test('is set by administrators', async () => {
    const { ada, app } = await withAdmin({}, shown)
    const { body } = await ada.browser.call('POST /admin/create-user', { body: { ...ann, data: { locale: 4 } as object } })
    expect([body.user.locale, await storedOf(app)]).toEqual(['es', 'es'])
    const changed = await ada.browser.call('POST /admin/update-user', {
      body: { userId: body.user.id, data: { locale: 'uk' } as object },
    })
    expect([changed.status, await storedOf(app)]).toEqual([200, 'uk'])
  })

  test('does not exist without the option', async () => {
    const kit = await testApp()
    const { browser } = await signUp(kit, 'Ann')
    await browser.call('POST /update-user', { body: { name: 'Ann', locale: 'tr' } as object })
    const { body } = await browser.call('GET /get-session', {})
    expect(body.user).not.toHaveProperty('locale')
    expect(await storedOf(kit.app)).not.toBe('tr')
  })

  test('cannot be an additional field at the same time', () => {
    const valid = { secret: 'x'.repeat(40), environment: 'development', database: { url: 'sqlite::memory:' } } as const
    const own = { additionalFields: { locale: { type: 'string' } } } as const
    const issuesOf = (user: object) => {
      const parsed = parseConfig(featureList, { ...valid, user })
      return 'issues' in parsed ? parsed.issues.map(({ id }) => id) : []
    }
    expect(issuesOf({ ...own, locale: { enabled: true } })).toContain('user-locale-taken')
    expect(issuesOf(own)).toEqual([])
  })
})

test.each([
  ['de-AT', 'de'],
  ['pt-BR', null],
  [15, 'pl'],
  ['16', 'fr'],
  [82, 'tr'],
  [null, null],
])('an import reads the locale %j of another system as %j, with and without the option', async (locale, stored) => {
  for (const config of [{}, shown]) {
    const { app } = await testApp(config)
    const line = { number: 1, text: JSON.stringify({ user: { email: ann.email, locale } }) }
    expect(await importUsers(app, { dryRun: false })([line])).toMatchObject([{ outcome: 'created' }])
    expect(await storedOf(app)).toBe(stored)
    expect(await importUsers(app, { dryRun: false })([line])).toMatchObject([{ outcome: 'unchanged' }])
  }
})

test('an import leaves an additional field locale to the application', async () => {
  const { app } = await testApp({ user: { additionalFields: { locale: { type: 'string' } } } })
  const line = { number: 1, text: JSON.stringify({ user: { email: ann.email, locale: 'klingon' } }) }
  expect(await importUsers(app, { dryRun: false })([line])).toMatchObject([{ outcome: 'created' }])
  const row = await app.db.selectFrom('user').selectAll().executeTakeFirst()
  expect([Reflect.get(row ?? {}, 'locale'), row?.preferredLocale]).toEqual(['klingon', null])
})

test('each language has the number of the enumeration', () => {
  expect(languageNumbers).toEqual({ ru: 0, uk: 1, en: 3, es: 4, de: 6, pl: 15, fr: 16, tr: 82 })
  expect(readLocale(6, ['en', 'de-informal'])).toBe('de-informal')
})

test('Turkish letters change no email address: TITLE@ACME.EXAMPLE signs in', async () => {
  const mails = captureMails<{ to: string }>()
  const { app, browser } = await testApp({ ...shown, mail: { from: 'a@example.com', send: mails.send } })
  const turkish = { 'accept-language': 'tr' }
  await browser().call('POST /sign-up/email', { body: { ...ann, email: 'title@acme.example' } as typeof ann }, turkish)
  const { status, body } = await browser().call(
    'POST /sign-in/email',
    { body: { email: 'TITLE@ACME.EXAMPLE', password: ann.password } },
    turkish,
  )
  expect([status, body.user.email]).toEqual([200, 'title@acme.example'])
  expect(await storedOf(app, 'title@acme.example')).toBe('tr')
})

import { describe, expect, test } from 'vitest'
import { withAdmin } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import type { ConfigFile } from '../index.ts'
import { sendMail } from '../outbox/index.ts'
import { mails as resetMails } from '../password-reset/index.ts'

const password = 'correct horse battery'
const ann = { name: 'Ann', email: 'ann@example.com', password }
const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }
const resetSubject = { en: 'Reset your Acme password', de: 'Setzen Sie Ihr Passwort für Acme zurück' }

async function open(config: ConfigFile = {}) {
  const mails = captureMails<{ to: string; subject: string; text: string; locale?: string }>()
  const kit = await testApp({
    appName: 'Acme',
    mail: { from: 'a@example.com', send: mails.send },
    ...config,
  })
  const stored = (email = ann.email) =>
    kit.app.db
      .selectFrom('user')
      .select(['preferredLocale', 'preferredTimeZone'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  const visitor = (cookies: Readonly<Record<string, string>> = {}) => {
    const browser = kit.browser()
    for (const [name, value] of Object.entries(cookies)) browser.cookies.set(`latchkey.${name}`, value)
    return browser
  }
  const signUp = (browser: Browser, headers = {}, body = ann) => browser.call('POST /sign-up/email', { body }, headers)
  const signIn = (browser: Browser, headers = {}) =>
    browser.call('POST /sign-in/email', { body: { email: ann.email, password } }, headers)
  const reset = (headers = {}, browser = kit.browser()) =>
    browser.call('POST /request-password-reset', { body: { email: ann.email } }, headers)
  return { ...kit, mails, stored, visitor, signUp, signIn, reset }
}

describe('the preferences of a user', () => {
  test('are stored at the sign-up: what the browser accepts, and its time zone', async () => {
    const { stored, visitor, signUp } = await open()
    await signUp(visitor({ zone: 'Europe/Vienna' }), german)
    expect(await stored()).toEqual({ preferredLocale: 'de', preferredTimeZone: 'Europe/Vienna' })
  })

  test('are a language that was chosen before one that is accepted', async () => {
    const { stored, visitor, signUp } = await open()
    await signUp(visitor({ locale: 'en' }), german)
    expect(await stored()).toEqual({ preferredLocale: 'en', preferredTimeZone: null })
  })

  test('are never forged values, or languages that there are not', async () => {
    const { stored, visitor, signUp } = await open()
    await signUp(visitor({ locale: 'en-XA', zone: 'Europe/Nowhere' }), { 'accept-language': 'nl, *' })
    expect(await stored()).toEqual({ preferredLocale: null, preferredTimeZone: null })
  })

  test('are in no response', async () => {
    const { visitor, signUp, signIn } = await open()
    const browser = visitor({ locale: 'de', zone: 'Europe/Vienna' })
    const answers = [await signUp(browser), await signIn(browser), await browser.call('GET /get-session', {})]
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/preferred|Vienna|"de"/)
  })

  test('follow a choice at the next sign-in, and a sign-in without a change writes nothing', async () => {
    const kit = await open()
    const { stored, visitor, signUp, signIn } = kit
    await signUp(visitor(), german)
    // Prefers English, but has not chosen it.
    await signIn(visitor(), { 'accept-language': 'en' })
    expect(await stored()).toEqual({ preferredLocale: 'de', preferredTimeZone: null })
    const browser = visitor({ locale: 'en', zone: 'America/New_York' })
    await signIn(browser)
    expect(await stored()).toEqual({ preferredLocale: 'en', preferredTimeZone: 'America/New_York' })
    const { statements } = await recordStatements(kit).record(() => signIn(browser))
    expect(statements).not.toContain('update user')
  })

  test('come from the first sign-in when none were stored', async () => {
    const { app, stored, visitor, signUp, signIn } = await open()
    await signUp(visitor())
    await signIn(visitor({ zone: 'UTC' }), german)
    expect(await stored()).toEqual({ preferredLocale: 'de', preferredTimeZone: 'UTC' })
    expect(await app.db.selectFrom('user').select('id').execute()).toHaveLength(1)
  })

  test('are not those of an administrator who creates or impersonates the user', async () => {
    const { app, ada } = await withAdmin()
    ada.browser.cookies.set('latchkey.locale', 'de')
    const { body } = await ada.browser.call('POST /admin/create-user', { body: { ...ann, role: 'user' } })
    expect((await ada.browser.call('POST /admin/impersonate-user', { body: { userId: body.user.id } })).status).toBe(200)
    const user = await app.db.selectFrom('user').selectAll().where('email', '=', ann.email).executeTakeFirstOrThrow()
    expect(user.preferredLocale).toBeNull()
  })
})

describe('the language of an email', () => {
  test('follows the user, whatever the browser that causes it prefers', async () => {
    const { mails, visitor, signUp, reset } = await open()
    await signUp(visitor(), german)
    await reset({ 'accept-language': 'en' }, visitor({ locale: 'en' }))
    expect(await mails.next()).toMatchObject({ subject: resetSubject.de, locale: 'de' })
  })

  test('follows the page that causes it when the user has none', async () => {
    const { mails, visitor, signUp, reset } = await open()
    await signUp(visitor())
    await reset({}, visitor({ locale: 'de' }))
    expect((await mails.next()).subject).toBe(resetSubject.de)
    await reset(german)
    expect((await mails.next()).subject).toBe(resetSubject.de)
    await reset()
    expect((await mails.next()).subject).toBe(resetSubject.en)
  })

  test('is the one that users have chosen since, in calls of their own', async () => {
    const { mails, visitor, signUp } = await open({ user: { changeEmail: { enabled: true, sendEmailChanged: true } } })
    const browser = visitor({ locale: 'de' })
    await signUp(browser)
    browser.cookies.set('latchkey.locale', 'en')
    await browser.call('POST /change-email', { body: { newEmail: 'ann@example.org' } })
    await expect.poll(() => mails.sent.find(({ to }) => to === ann.email)?.subject).toContain('was changed')
  })

  test('is the first of the configuration for a job, and for one that is not configured any more', async () => {
    const { app, mails, visitor, signUp } = await open({ dashboard: { locales: ['de', 'en'] } })
    const data = { user: {} as never, url: 'https://a.example', token: 'x' }
    await sendMail(app, resetMails['reset-password'], { email: 'eve@example.com' }, data)
    expect((await mails.next()).subject).toBe(resetSubject.de)
    await signUp(visitor({ locale: 'en' }))
    await sendMail(app, resetMails['reset-password'], { email: ann.email, preferredLocale: 'fr' }, data)
    expect((await mails.next()).subject).toBe(resetSubject.de)
  })

  test('follows the inviter for an invitation', async () => {
    const { mails, visitor, signUp } = await open({ organization: true })
    await signUp(visitor({ locale: 'en' }), {}, { ...ann, name: 'Una', email: 'una@example.com' })
    const browser = visitor({ locale: 'de' })
    await signUp(browser)
    await browser.call('POST /organization/create', { body: { name: 'Halden Ferry', slug: 'halden' } })
    await browser.call('POST /organization/invite-member', { body: { email: 'una@example.com', role: 'member' } })
    expect((await mails.next()).subject).toBe('Ann hat Sie zu Halden Ferry eingeladen')
  })

  test('is passed to templates with the time zone, and functions get their arguments alone', async () => {
    const given: object[] = []
    const template = (data: object) => {
      given.push(data)
      return { subject: 'Own', text: '', html: '' }
    }
    const send = () => {}
    const { visitor, signUp, reset } = await open({
      mail: { from: 'a@example.com', send, templates: { 'reset-password': template } },
    })
    await signUp(visitor({ locale: 'de', zone: 'Europe/Vienna' }))
    await reset()
    await expect.poll(() => given).toMatchObject([{ locale: 'de', timeZone: 'Europe/Vienna', token: expect.any(String) }])
  })

  test('is informal German for users who prefer German, when that is the configured form', async () => {
    const { app, mails, stored, visitor, signUp, reset } = await open({ dashboard: { locales: ['en', 'de-informal'] } })
    await signUp(visitor(), german)
    expect(await stored()).toMatchObject({ preferredLocale: 'de-informal' })
    await app.db.updateTable('user').set({ preferredLocale: 'de' }).execute()
    await reset()
    expect(await mails.next()).toMatchObject({ subject: 'Setze dein Passwort für Acme zurück', locale: 'de' })
  })

  test('is also that of text messages', async () => {
    const texts = captureMails<{ text: string; code: string }>()
    const { visitor } = await open({ phoneNumber: true, sms: { send: texts.send } })
    await visitor({ locale: 'de' }).call('POST /phone-number/send-otp', { body: { phoneNumber: '+491701234567' } })
    const { text, code } = await texts.next()
    expect(text).toBe(`${code} ist Ihr Code für Acme. Er gilt 5 Minuten. Geben Sie ihn nie weiter.\n\n@localhost #${code}`)
  })
})

test('shows times in the time zone of the user, and names it', async () => {
  const { app, mails, clock, settled, visitor, signUp, signIn } = await open()
  await signUp(visitor({ locale: 'de', zone: 'Europe/Vienna' }))
  // Its device is noted after the response; a sign-in before that would be of a first device, without a notice.
  await settled()
  await app.db.updateTable('user').set({ emailVerified: true }).execute()
  clock.advance(60)
  await signIn(visitor({ locale: 'en', zone: 'Asia/Tokyo' }), { 'user-agent': 'curl/8.5.0' })
  // As before this sign-in: a thief may have signed in.
  const { text, locale } = await mails.next()
  expect(locale).toBe('de')
  expect(text).toMatch(/Zeit: \d+\. \S+ \d{4}, \d\d:\d\d \(Europe\/Vienna\)\nGerät: curl /)
})

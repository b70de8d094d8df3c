/** Texts of the operator: what `config check` finds wrong with their files, and what pages, emails and text messages say. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { featureList } from '../index.ts'
import { renderMail } from '../outbox/index.ts'
import { countMissing } from './index.ts'

/** @param files by name; a text is written as it is */
function folderWith(files: Readonly<Record<string, object | string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    const isRaw = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(join(folder, name), isRaw ? content : JSON.stringify(content, null, 1))
  }
  return folder
}

function parse(texts: string, locales: readonly string[]) {
  return parseConfig(featureList, {
    ...{ secret: '0123456789 abcdefghijklmnopqrstuvwxyz', environment: 'development', baseURL: 'http://localhost:3000' },
    ...{ database: { url: 'sqlite::memory:' }, dashboard: { texts, locales } },
  } as never)
}

function issuesOf(files: Parameters<typeof folderWith>[0], locales: readonly string[] = ['en', 'nl']): string[] {
  const folder = folderWith(files)
  const parsed = parse(folder, locales)
  return 'issues' in parsed ? parsed.issues.map(({ message }) => message.replaceAll(`${folder}/`, '')) : []
}

const days = { one: '# dag', other: '# dagen' }

describe('a file of texts', () => {
  test.each<[string, object | string | Uint8Array, readonly string[]]>([
    ['nothing', {}, []],
    ['a text with its value', { 'accounts.linkNamed': '{provider} koppelen' }, []],
    ['plural forms', { 'api-keys.inDays': { ...days, '=0': 'vandaag' } }, []],
    ['forms by a value', { 'mail.two-factor-reset.heading': { by: 'stage', done: 'Klaar', other: 'Binnenkort' } }, []],
    ['an unknown key', { 'accounts.nothing': 'x' }, ['nl.json:2: "accounts.nothing" is not the key of a text.']],
    ['a key of every object', { constructor: 'x' }, ['nl.json:2: "constructor" is not the key of a text.']],
    [
      'an unknown value',
      { 'api-keys.inDays': days, 'accounts.linkNamed': '{provider} {name}' },
      ['nl.json:6: "accounts.linkNamed" contains {name}, and its values are {provider}.'],
    ],
    ['a missing value', { 'accounts.linkNamed': 'x' }, ['nl.json:2: "accounts.linkNamed" must contain {provider}.']],
    [
      'a missing value in one form',
      { 'mail.two-factor-code.subject': { by: 'otp', other: 'x' } },
      ['nl.json:2: "mail.two-factor-code.subject" must contain {otp} (form "other").'],
    ],
    ['no form for the rest', { 'api-keys.inDays': { one: 'x' } }, ['nl.json:2: "api-keys.inDays" needs the form "other".']],
    [
      'a form that the language does not have',
      { 'api-keys.inDays': { ...days, few: 'x' } },
      ['nl.json:2: "api-keys.inDays" has the form "few", and the language has one, other.'],
    ],
    [
      'forms of a text without values',
      { 'sign-in.signIn': { other: 'x' } },
      ['nl.json:2: "sign-in.signIn" has no values, so it has no forms.'],
    ],
    ['a number', { 'sign-in.signIn': 3 }, ['nl.json:2: "sign-in.signIn" must be a text, or an object of its forms.']],
    ['an empty text', { 'sign-in.signIn': ' ' }, ['nl.json:2: "sign-in.signIn" is empty.']],
    [
      'a line break',
      { 'mail.verification.subject': 'a\r\nBcc: b {appName}' },
      ['nl.json:2: "mail.verification.subject" contains a control character, such as a line break.'],
    ],
    ['a list', '[]', ['nl.json:1: expected an object with keys and texts.']],
    ['a trailing comma', '{\n "sign-in.signIn": "x",\n}', ['nl.json:3: this is not valid JSON.']],
    ['half of an object', '{\n "sign-in.signIn":', ['nl.json:2: this is not valid JSON.']],
    ['another encoding', new Uint8Array([0x22, 0xe9, 0x22]), ['Cannot use nl.json: it is not UTF-8.']],
    ['too much', ' '.repeat(1024 * 1024 + 1), ['Cannot use nl.json: it has 1025 KiB, and at most 1024 are allowed.']],
  ])('with %s has these issues', (_, content, issues) => {
    expect(issuesOf({ 'nl.json': content })).toEqual(issues)
  })

  test('is named by a language that is on', () => {
    expect(issuesOf({ 'nl.json': {}, 'nl-NL.json': {} })).toEqual(['nl-NL.json has no name of a language.'])
    expect(issuesOf({ 'nl.json': {}, 'xx.json': {} })).toEqual(['xx.json has no name of a language.'])
    expect(issuesOf({ 'nl.json': {}, 'fi.json': {} })).toEqual(['fi.json is for a language that is not in dashboard.locales.'])
    expect(issuesOf({ 'nl.json': {}, 'README.md': '# Texts' })).toEqual([])
  })

  test('is in a folder', () => {
    const parsed = parse('/missing/texts', ['en'])
    expect('issues' in parsed && parsed.issues.map(({ id, path }) => [id, path])).toEqual([
      ['dashboard-texts', 'dashboard.texts'],
    ])
  })
})

test('a language without a file has no texts', () => {
  expect(issuesOf({ 'nl.json': {} }, ['en', 'nl', 'fi'])).toEqual(['There are no texts in "fi".'])
})

test('texts that a file of a new language leaves out are counted', () => {
  const parsed = parse(folderWith({ 'nl.json': { 'sign-in.signIn': 'Inloggen' }, 'en.json': {} }), ['en', 'nl'])
  if ('issues' in parsed) throw new Error('There are issues')
  const [found, ...others] = countMissing(parsed.config)
  expect(others).toEqual([])
  expect(found).toMatchObject({ locale: 'nl', missing: Number(found?.all) - 1 })
})

const password = 'correct horse battery'

describe('an email', () => {
  async function open(files: Readonly<Record<string, object>>, locales: readonly string[] = ['en', 'nl']) {
    const mails = captureMails<{ subject: string; text: string; html: string; locale?: string }>()
    const kit = await testApp({
      appName: 'Acme',
      mail: { from: 'a@example.com', send: mails.send },
      dashboard: { texts: folderWith(files), locales: [...locales] },
      twoFactor: true,
    })
    const { app } = kit
    return { ...kit, mails, render: (kind: string, locale = 'nl') => renderMail(app, kind, { locale }) }
  }

  test('has the texts of the operator in the language of its reader, and English ones for the rest', async () => {
    const { browser, mails } = await open({
      'nl.json': {
        'mail.reset-password.subject': 'Wachtwoord voor {appName}',
        'mail.reset-password.footnote': 'Deze link werkt {duration}.',
        'mail.layout.openLink': 'Of open deze link:',
      },
    })
    const visitor = browser()
    visitor.cookies.set('latchkey.locale', 'nl')
    await visitor.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
    await visitor.call('POST /request-password-reset', { body: { email: 'ann@example.com' } })
    const { subject, text, html, locale } = await mails.next()
    expect({ subject, locale }).toEqual({ subject: 'Wachtwoord voor Acme', locale: 'nl' })
    expect(text).toContain('Deze link werkt 1 uur.')
    expect(text).toContain('We received a request to reset the password of your Acme account.')
    expect(html).toContain('Of open deze link:')
  })

  test('has plural forms, dates and numbers of the language', async () => {
    const { render } = await open({
      'nl.json': {
        'mail.two-factor-due.preheader': { one: 'Nog # dag', other: 'Nog # dagen' },
        'mail.two-factor-due.subject': 'Voor {dueAt}: {appName}',
      },
    })
    const { subject, html } = render('two-factor-due')
    expect(html).toMatch(/>Nog (1 dag|\d+ dagen)&/)
    expect(subject).toMatch(/^Voor \d+ \p{L}+ 2\d{3}, \d\d:\d\d \(UTC\): Acme$/u)
  })

  test('chooses forms by what has happened', async () => {
    const heading = { by: 'stage', done: 'Klaar', other: 'Binnenkort' }
    const { render } = await open({ 'nl.json': { 'mail.two-factor-reset.heading': heading } })
    expect(render('two-factor-reset').text).toMatch(/^Binnenkort\n/)
  })

  test('has the first paragraph of the operator as preheader, too, where ours has', async () => {
    const { render } = await open({ 'nl.json': { 'mail.two-factor-enabled.paragraphs.0': 'Voortaan met een code.' } })
    expect(render('two-factor-enabled').html.split('Voortaan met een code.')).toHaveLength(3)
  })

  test('escapes texts, and changes no other language', async () => {
    const { render } = await open({ 'nl.json': { 'mail.reset-password.heading': '<img src=x>' } })
    expect(render('reset-password').html).toContain('&lt;img src=x&gt;')
    expect(render('reset-password', 'en').text).toMatch(/^Reset your password\n/)
  })

  test('is written from right to left where the language is', async () => {
    const { render } = await open({ 'fa.json': { 'mail.reset-password.heading': 'بازنشانی' } }, ['en', 'fa'])
    expect(render('reset-password', 'fa').html).toContain('<html lang="fa" dir="rtl">')
    expect(render('reset-password', 'en').html).toContain('<html lang="en">')
  })
})

test('a text message has the text of the operator, and the end by which browsers find its code', async () => {
  const messages = captureMails<{ text: string; code: string }>()
  const { browser } = await testApp({
    appName: 'Acme',
    phoneNumber: true,
    sms: { send: messages.send },
    dashboard: {
      texts: folderWith({ 'nl.json': { 'text.phone-verification': 'Uw code: {code}, nog {duration}' } }),
      locales: ['nl', 'en'],
    },
  })
  await browser().call(
    'POST /phone-number/send-otp',
    { body: { phoneNumber: '+491701234567' } },
    { origin: 'http://localhost:3000' },
  )
  const { text, code } = await messages.next()
  expect(text).toMatch(new RegExp(`^Uw code: ${code}, nog 5 minuten\\n\\n@\\S+ #${code}$`))
})

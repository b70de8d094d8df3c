import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { MailKind } from '../../core/message.ts'
import { maxTextBytes } from '../../core/table.ts'
import type { ConfigFile } from '../index.ts'
import { mails } from '../password-reset/index.ts'
import { sendMail } from './index.ts'
import { outboxJob } from './mail-delivery.ts'
import { purpose } from './mail-kinds.ts'

/** The longest texts that calls accept: three bytes for each character. */
const long = '名'.repeat(16_000)
const ann = { name: long, email: 'ann@example.com', password: 'correct horse battery' }

interface ResetMail {
  readonly user: Readonly<Record<string, unknown>>
  readonly url: string
}

/** Ann, whose row has the longest values, and the emails that a function of the configuration gets. */
async function withLongUser(config: ConfigFile = {}) {
  const sent: ResetMail[] = []
  let isFailing = true
  const sendResetPassword = (mail: ResetMail) => {
    if (isFailing) throw new Error('not now')
    sent.push(mail)
  }
  const kit = await testApp({
    server: { bodyLimit: 1_000_000 },
    user: {
      additionalFields: {
        first: { type: 'string', required: false },
        second: { type: 'string', required: false },
        list: { type: 'string[]', required: false },
        tongue: { type: 'string', required: false },
      },
    },
    emailAndPassword: { enabled: true, sendResetPassword },
    ...config,
  })
  const browser = kit.browser()
  const body = { ...ann, image: long, first: long, second: long, list: [long, long], tongue: 'de' }
  expect((await browser.call('POST /sign-up/email', { body })).status).toBe(200)
  const content = async () => {
    const row = await kit.app.db.selectFrom('outbox').select(['id', 'content']).executeTakeFirstOrThrow()
    return row.content ?? ''
  }
  return {
    ...kit,
    body,
    browser,
    content,
    sent,
    succeed: () => {
      isFailing = false
    },
  }
}

test('stores an email about a user with the longest values within its column', async () => {
  const { browser, content } = await withLongUser()
  const request = { email: ann.email, redirectTo: `/${'a'.repeat(2000)}` }
  expect((await browser.call('POST /request-password-reset', { body: request })).status).toBe(200)
  expect(Buffer.byteLength(await content())).toBeLessThan(maxTextBytes)
})

test('gives a function of the configuration the whole user, as the row is when the email is sent', async () => {
  const { app, browser, body, clock, sent, succeed } = await withLongUser()
  await browser.call('POST /request-password-reset', { body: { email: ann.email } })
  await expect
    .poll(async () => (await app.db.selectFrom('outbox').select('lastError').executeTakeFirst())?.lastError)
    .toBeTruthy()
  succeed()
  clock.advance(60)
  await outboxJob.run(app, new AbortController().signal)
  const { password: _, ...members } = body
  expect(sent).toMatchObject([{ user: { ...members, emailVerified: false } }])
  expect(Object.keys(sent[0]?.user ?? {})).not.toContain('$isShortened')
})

test('shortens the name and leaves out long members, and nothing of a short row', async () => {
  const { app } = await withLongUser()
  const mail = { ...mails['reset-password'], option: () => () => {} } as unknown as MailKind<object>
  const row = { id: 'gone', name: long, email: 'x@example.com', image: null, language: 'de', metadata: { text: long } }
  const short = { id: 'short', name: 'Ann', email: 'ann@example.com', language: 'de' }
  await sendMail(
    app,
    mail,
    { email: 'x@example.com' },
    { user: row, inviter: { id: 'm', user: short }, url: 'https://a.example' },
  )
  const { content } = await app.db.selectFrom('outbox').select('content').executeTakeFirstOrThrow()
  expect(JSON.parse(app.keyring.decrypt(purpose, content ?? ''))).toEqual({
    user: { id: 'gone', name: '名'.repeat(85), email: 'x@example.com', image: null, language: 'de', $isShortened: true },
    inviter: { id: 'm', user: short },
    url: 'https://a.example',
  })
})

test('rejects what a hook makes too long for its column, before anything is written', async () => {
  const kit = await testApp({
    databaseHooks: { user: { update: { before: (data) => ({ data: { ...data, image: 'x'.repeat(maxTextBytes + 1) } }) } } },
  })
  const browser = kit.browser()
  await browser.call('POST /sign-up/email', { body: { ...ann, name: 'Ann' } })
  expect(await browser.call('POST /update-user', { body: { name: 'Bob' } })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR' },
  })
  expect(await kit.app.db.selectFrom('user').select('name').execute()).toEqual([{ name: 'Ann' }])
})

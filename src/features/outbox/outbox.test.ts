import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { followLink } from '../../../tests/kit/mails.ts'
import { insertMany } from '../../../tests/kit/many-rows.ts'
import { many } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'
import { jobs, retryMails } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const never = new AbortController().signal

interface Sent {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}
type Send = (mail: Sent, attempt: number) => void | Promise<void>

/** A daemon that delivers emails to `send`, and Ann, who has requested a reset link. */
async function withMail(
  send: Send = () => {},
  templates: Readonly<Record<string, () => { subject: string; text: string; html: string }>> = {},
  config: ConfigFile = {},
) {
  const attempts: Sent[] = []
  const kit = await testApp({
    mail: {
      from: 'Acme <no-reply@acme.example>',
      send: async (given: Sent) => {
        attempts.push(given)
        await send(given, attempts.length)
      },
      templates,
    },
    ...config,
  })
  const { app, browser } = kit
  await browser().call('POST /sign-up/email', { body: ann })
  const request = () => browser().call('POST /request-password-reset', { body: { email: ann.email } })
  const row = () => app.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow()
  /** The first attempt follows the response. */
  const attempted = async (count = 1) => {
    await expect.poll(async () => (await row()).attempts, { interval: 5 }).toBe(count)
    await expect.poll(async () => (await row()).claimedUntil, { interval: 5 }).toBeNull()
  }
  const run = () => jobs.outbox.run(app, never)
  return { ...kit, attempts, request, row, attempted, run }
}

const changing: ConfigFile = { emailOTP: { changeEmail: { enabled: true, verifyCurrentEmail: false } } }

const fail = () => {
  throw Object.assign(new Error('ann@example.com is unknown here'), { code: 'EENVELOPE' })
}

describe('a mail in the outbox', () => {
  test('is sent once after the response, and its content is erased', async () => {
    const { attempts, request, row, attempted, run, clock } = await withMail()
    expect((await request()).status).toBe(200)
    await attempted()
    expect(attempts).toMatchObject([{ to: ann.email, text: expect.stringMatching(/\/link\/\w{24}\n/) }])
    expect(await row()).toMatchObject({
      content: null,
      nextAttemptAt: null,
      failedAt: null,
      lastError: null,
      sentAt: clock.now(),
    })
    clock.advance(7 * 86_400)
    await run()
    expect(attempts).toHaveLength(1)
  })

  test('is stored encrypted while it waits', async () => {
    const { app, attempts, browser, request, row, attempted } = await withMail(fail)
    await request()
    await attempted()
    const text = attempts[0]?.text ?? ''
    const [, link = ''] = /link\/(\w+)/.exec(text) ?? []
    const [, token = ''] = /reset-password\/(\w+)/.exec(await followLink(browser(), text)) ?? []
    expect([link, token].map(({ length }) => length)).toEqual([24, 24])
    const { content } = await row()
    expect(content).toEqual(expect.any(String))
    for (const table of ['outbox', 'verification'] as const) {
      const stored = JSON.stringify(await app.db.selectFrom(table).selectAll().execute())
      for (const secret of [link, token]) expect(stored).not.toContain(secret)
    }
  })

  test('is retried after 30 seconds, under the same id, and no email address is logged', async () => {
    const { attempts, request, row, attempted, run, clock, log } = await withMail((_mail, attempt) => {
      if (attempt === 1) fail()
    })
    await request()
    await attempted()
    expect(await row()).toMatchObject({ sentAt: null, failedAt: null, lastError: 'EENVELOPE' })
    clock.advance(29)
    await run()
    expect(attempts).toHaveLength(1)
    clock.advance(1)
    await run()
    expect(attempts).toHaveLength(2)
    expect(attempts[1]).toEqual(attempts[0])
    expect(await row()).toMatchObject({ attempts: 2, sentAt: clock.now(), content: null, lastError: null })
    expect(log.join()).not.toContain(ann.email)
  })

  test.each([
    ['a code', '/email-otp/send-verification-otp', { type: 'sign-in' }, { emailOTP: true }],
    ['a code for a new address', '/email-otp/request-email-change', { newEmail: 'new@example.com' }, changing],
    ['a magic link', '/sign-in/magic-link', {}, { magicLink: true }],
  ] as const)('with %s is not sent once it has expired', async (_, path, more, config) => {
    let isBroken = true
    const { app, attempts, row, attempted, run, clock, browser } = await withMail(
      () => (isBroken ? fail() : undefined),
      {},
      config,
    )
    const visitor = browser()
    await visitor.call('POST /sign-in/email', { body: ann })
    await app.db.deleteFrom('outbox').execute()
    const origin = { origin: 'http://localhost:3000' }
    expect((await visitor.call(`POST ${path}` as never, { body: { email: ann.email, ...more } } as never, origin)).status).toBe(
      200,
    )
    await attempted()
    clock.advance(30)
    await run()
    // A retry that would come too late is not waited for; nor is one sent after a stop of ten minutes.
    expect([attempts.length, (await row()).nextAttemptAt]).toEqual([2, new Date(clock.now().getTime() + 120_000)])
    isBroken = false
    clock.advance(570)
    await run()
    expect(attempts).toHaveLength(2)
    expect(await row()).toMatchObject({ failedAt: clock.now(), content: null, nextAttemptAt: null, lastError: 'EENVELOPE' })
    expect(await retryMails(app, null)).toEqual({ found: 0, sent: 0 })
  })

  test('with a code is sent as long as the code is valid', async () => {
    let isBroken = true
    const { attempts, attempted, run, clock, browser } = await withMail(
      () => (isBroken ? fail() : undefined),
      {},
      { emailOTP: true },
    )
    const visitor = browser()
    await visitor.call('POST /email-otp/send-verification-otp', { body: { email: ann.email, type: 'sign-in' } })
    await attempted()
    isBroken = false
    clock.advance(599)
    await run()
    expect(attempts).toHaveLength(2)
    const otp = /\d{6}/.exec(attempts[1]?.subject ?? '')?.[0] ?? ''
    expect((await visitor.call('POST /sign-in/email-otp', { body: { email: ann.email, otp } })).status).toBe(200)
  })

  test('is given up after eight attempts in three days, stays, and can be retried', async () => {
    let isBroken = true
    const { app, attempts, request, row, attempted, run, clock, log } = await withMail(() => {
      if (isBroken) fail()
    })
    await request()
    await attempted()
    for (const [position, pause] of [30, 120, 600, 3600, 6 * 3600, 12 * 3600, 24 * 3600].entries()) {
      clock.advance(pause - 1)
      await run()
      expect(attempts).toHaveLength(position + 1)
      clock.advance(1)
      await run()
      expect(attempts).toHaveLength(position + 2)
    }
    expect(await row()).toMatchObject({ attempts: 8, failedAt: clock.now(), nextAttemptAt: null, sentAt: null })
    expect(log.filter((line) => line.includes('"level":"error"'))).toHaveLength(1)
    clock.advance(30 * 86_400)
    await run()
    expect(attempts).toHaveLength(8)
    isBroken = false
    expect(await retryMails(app, null)).toEqual({ found: 1, sent: 1 })
    expect(await row()).toMatchObject({ attempts: 1, failedAt: null, sentAt: clock.now() })
  })

  test('is retried with all others that failed in a long outage of the mail server, in slices', async () => {
    const { app, clock } = await testApp({ mail: { from: 'a@example.com', catch: true } })
    const at = { createdAt: clock.now(), failedAt: clock.now(), attempts: 8, lastError: 'ETIMEDOUT' }
    await insertMany(app, 'outbox', 2500, () => ({ kind: 'x', recipient: 'a@example.com', content: 'y', ...at }))
    expect(await retryMails(app, null, 'later')).toEqual({ found: 2500, sent: 0 })
    const events = await app.db.selectFrom('auditEvent').select('details').where('action', '=', 'mail.retried').execute()
    expect(events.map(({ details }) => Number(details?.count)).toSorted()).toEqual([1000, 1000, 500])
  })

  test('is claimed for 120 seconds, so that no other process sends it', async () => {
    const { promise, resolve: open } = Promise.withResolvers<void>()
    const { attempts, request, run, row, attempted, clock } = await withMail(() => promise)
    onTestFinished(() => open())
    await request()
    await expect.poll(() => attempts.length, { interval: 5 }).toBe(1)
    for (const seconds of [0, 1, 60, 59]) {
      clock.advance(seconds)
      await run()
      expect(attempts).toHaveLength(1)
    }
    open()
    await attempted()
    await run()
    expect(attempts).toHaveLength(1)
    expect(await row()).toMatchObject({ attempts: 1, sentAt: clock.now() })
  })

  test('is sent by another daemon when the one that claimed it has died', async () => {
    const { promise, resolve: open } = Promise.withResolvers<void>()
    const { attempts, request, run, clock } = await withMail((_mail, attempt) => (attempt === 1 ? promise : undefined))
    onTestFinished(() => open())
    await request()
    await expect.poll(() => attempts.length, { interval: 5 }).toBe(1)
    clock.advance(121)
    await run()
    expect(attempts).toHaveLength(2)
    expect(attempts[1]).toEqual(attempts[0])
    open()
  })

  test(`is sent once by ${many} concurrent deliverers`, async () => {
    const { attempts, request, run, attempted, row, clock } = await withMail((_mail, attempt) => {
      if (attempt === 1) fail()
    })
    await request()
    await attempted()
    clock.advance(30)
    await Promise.all(Array.from({ length: many }, run))
    expect(attempts).toHaveLength(2)
    expect(await row()).toMatchObject({ attempts: 2, sentAt: clock.now() })
  })

  test('is not sent when its subject has more than one line', async () => {
    const template = () => ({ subject: 'Reset\r\nBcc: eve@example.com', text: 'text', html: 'html' })
    const { attempts, request, attempted, row } = await withMail(() => {}, { 'reset-password': template })
    await request()
    await attempted()
    expect(attempts).toEqual([])
    expect(await row()).toMatchObject({ sentAt: null, lastError: 'Error' })
  })

  test('does not block later mails when it fails', async () => {
    const { app, attempts, request, row, attempted, run, clock } = await withMail((_mail, attempt) => {
      if (attempt <= 2) fail()
    })
    await request()
    await attempted()
    const waiting = { ...(await row()), linkHash: null, attempts: 0, nextAttemptAt: clock.now() }
    const ids = Array.from({ length: 120 }, (_, at) => `mail-${at}`)
    await app.db
      .insertInto('outbox')
      .values(ids.map((id) => ({ ...waiting, id })))
      .execute()
    await run()
    expect(attempts).toHaveLength(1 + ids.length)
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1 + ids.length)
    const sent = await app.db.selectFrom('outbox').select('id').where('sentAt', 'is not', null).execute()
    expect(sent).toHaveLength(ids.length - 1)
  })
})

describe('the sweep of the outbox', () => {
  test('removes sent mails after a week, and keeps those that were given up', async () => {
    let isBroken = false
    const { app, request, attempted, clock, run } = await withMail(() => {
      if (isBroken) fail()
    })
    const rows = async () =>
      (await app.db.selectFrom('outbox').select(['id', 'sentAt']).execute()).map(({ sentAt }) => sentAt !== null)
    await request()
    await attempted()
    clock.advance(7 * 86_400)
    await jobs.sentMails.run(app, never)
    expect(await rows()).toEqual([true])
    clock.advance(1)
    await jobs.sentMails.run(app, never)
    expect(await rows()).toEqual([])
    isBroken = true
    await request()
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await attempted(attempt + 1)
      clock.advance(86_400)
      await run()
    }
    clock.advance(365 * 86_400)
    await jobs.sentMails.run(app, never)
    expect(await rows()).toEqual([false])
  })
})

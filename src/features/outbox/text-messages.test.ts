import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { emit } from '../../core/events.ts'
import { transaction } from '../../core/transaction.ts'
import { readMails } from '../data-export/person.ts'
import type { ConfigFile } from '../index.ts'
import { findMails, jobs, retryMails } from './index.ts'

const never = new AbortController().signal
const number = '+491701234567'

interface Sent {
  readonly id: string
  readonly to: string
  readonly code: string
}

/** A daemon that hands text messages to `send`. */
async function arrive(send: (attempt: number) => void | Promise<void> = () => {}, config: ConfigFile = {}) {
  const attempts: Sent[] = []
  const kit = await testApp({
    phoneNumber: true,
    sms: {
      send: async (message: Sent) => {
        attempts.push(message)
        await send(attempts.length)
      },
    },
    ...config,
  })
  const { app, browser } = kit
  const request = (phoneNumber = number, ip = '') =>
    browser().call('POST /phone-number/send-otp', { body: { phoneNumber } }, ip ? { 'x-forwarded-for': ip } : {})
  const row = () => app.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow()
  const attempted = async (count: number) => {
    await expect.poll(async () => (await row()).attempts, { interval: 5 }).toBe(count)
    await expect.poll(async () => (await row()).claimedUntil, { interval: 5 }).toBeNull()
  }
  return { ...kit, attempts, request, row, attempted, run: () => jobs.outbox.run(app, never) }
}

const fail = () => {
  throw Object.assign(new Error(`${number} cannot be reached`), { code: 'EPROVIDER' })
}

describe('a text message in the outbox', () => {
  test('is encrypted, sent once after the response, and its content is erased', async () => {
    const { attempts, request, row, attempted, run } = await arrive()
    expect((await request()).status).toBe(200)
    await attempted(1)
    expect(attempts).toMatchObject([{ to: number, code: expect.stringMatching(/^\d{6}$/) }])
    await run()
    expect(attempts).toHaveLength(1)
    expect(await row()).toMatchObject({ content: null, nextAttemptAt: null, failedAt: null, id: attempts[0]?.id })
  })

  test('is retried with the same ID while its code is valid; the response does not depend on it', async () => {
    const { attempts, request, row, attempted, run, clock } = await arrive((attempt) => (attempt < 3 ? fail() : undefined))
    expect((await request()).status).toBe(200)
    await attempted(1)
    expect((await row()).content).not.toContain(attempts[0]?.code)
    for (const seconds of [30, 120]) {
      clock.advance(seconds)
      await run()
    }
    expect(new Set(attempts.map(({ id, code }) => `${id} ${code}`)).size).toBe(1)
    expect(attempts).toHaveLength(3)
    expect(await row()).toMatchObject({ sentAt: clock.now(), content: null })
  })

  test('fails for good when its code expires before the next attempt: it is never sent, and nothing is left to retry', async () => {
    const { app, attempts, request, row, attempted, run, clock, log } = await arrive(fail)
    await request()
    await attempted(1)
    for (const seconds of [30, 120]) {
      clock.advance(seconds)
      await run()
    }
    expect(attempts).toHaveLength(3)
    expect(await row()).toMatchObject({ failedAt: clock.now(), nextAttemptAt: null, content: null, lastError: 'EPROVIDER' })
    expect(await retryMails(app, null)).toEqual({ found: 0, sent: 0 })
    expect((await findMails(app, { state: 'failed', limit: 9 })).mails).toMatchObject([{ recipient: number }])
    expect(log.join()).toContain('SMS delivery failed permanently')
    expect(log.join()).not.toContain(number)
    clock.advance(8 * 86_400)
    await jobs.sentMails.run(app, never)
    expect(await app.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test('is not sent after a crash in which its code expired', async () => {
    const delivery = Promise.withResolvers<void>()
    onTestFinished(() => delivery.resolve())
    const { app, attempts, request, row, attempted, run, clock } = await arrive(() => delivery.promise)
    await request()
    await expect.poll(() => attempts.length).toBe(1)
    // As a daemon leaves it that was killed during the delivery.
    clock.advance(301)
    await run()
    expect(attempts).toHaveLength(1)
    expect(await row()).toMatchObject({ content: null, lastError: 'EXPIRED' })
    await attempted(2)
    expect(await app.db.selectFrom('auditEvent').select('action').where('action', '=', 'mail.failed').execute()).toHaveLength(1)
  })

  test('does not delay emails when the provider hangs', async () => {
    const delivery = Promise.withResolvers<void>()
    const mails = captureMails()
    const { attempts, request, browser } = await arrive(() => delivery.promise, {
      emailAndPassword: { enabled: true, sendResetPassword: mails.send },
    })
    // Runs before the app closes, which waits for deliveries.
    onTestFinished(() => delivery.resolve())
    for (let last = 0; last < 8; last += 1) await request(`+49170123456${last}`)
    await expect.poll(() => attempts.length, { interval: 5 }).toBe(5)
    await browser().call('POST /sign-up/email', {
      body: { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' },
    })
    await browser().call('POST /request-password-reset', { body: { email: 'ann@example.com' } })
    expect((await mails.next()).user.email).toBe('ann@example.com')
    // Those that hang have not timed out yet.
    expect(attempts).toHaveLength(5)
  })

  test('is caught for the mailbox, with its code; the call fails for other origins', async () => {
    const { browser, request } = await arrive(() => {}, { sms: { catch: true } })
    await request()
    const list = async () => (await browser().call('GET /mailbox/list', {})).body.mails
    await expect.poll(async () => (await list()).length).toBe(1)
    expect(await list()).toMatchObject([{ isText: true, recipient: number, code: expect.stringMatching(/^\d{6}$/), html: '' }])
    expect((await browser().call('GET /public-settings', {})).body.mailbox).toBe(true)
    await expect(testApp({ sms: { catch: true }, environment: 'production' })).rejects.toThrow('sms-catch-in-production')
  })

  test('is exported and erased with the user who has the number', async () => {
    const { app, browser, request, attempted } = await arrive(() => {}, { sms: { catch: true }, smsLimit: { enabled: true } })
    await request()
    await attempted(1)
    await browser().call('POST /sign-up/email', {
      body: { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' },
    })
    await app.db.updateTable('user').set({ phoneNumber: number }).execute()
    const user = await app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
    expect((await readMails(app, user)).map(({ kind }) => kind)).toEqual(['phone-verification'])
    await transaction(app, (tx) => emit(tx, 'user.erasing', { user }))
    for (const table of ['outbox', 'caughtMail'] as const)
      expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
    expect((await request()).status).toBe(200)
  })
})

describe('text messages are limited', () => {
  const limited = (smsLimit: ConfigFile['smsLimit']): ConfigFile => ({ smsLimit: { enabled: true, ...smsLimit } })
  const loose = { max: 1000, window: 3600 }
  const statusOf = async (response: ReturnType<Awaited<ReturnType<typeof arrive>>['request']>) => (await response).status

  test('to one in a minute and five in an hour for a number, with the rest of the time in the response', async () => {
    const { request, clock } = await arrive(() => {}, limited({}))
    expect((await request()).status).toBe(200)
    clock.advance(13)
    const rejected = await request('0049 170 1234567')
    expect([rejected.status, rejected.headers.get('retry-after'), rejected.headers.get('x-retry-after')]).toEqual([
      429,
      '47',
      '47',
    ])
    expect(await statusOf(request('+491709999999'))).toBe(200)
    for (let count = 0; count < 4; count += 1) {
      clock.advance(60)
      expect(await statusOf(request())).toBe(200)
    }
    clock.advance(60)
    expect((await request()).headers.get('retry-after')).toBe(String(3600 - 13 - 5 * 60))
    clock.advance(3600)
    expect(await statusOf(request())).toBe(200)
  })

  test('for a network, whatever the numbers are', async () => {
    const { request } = await arrive(() => {}, {
      ...limited({ perNetwork: { max: 2, window: 3600 } }),
      server: { trustedProxies: ['127.0.0.1'] },
    })
    const from = (last: number, ip: string) => statusOf(request(`+49170123456${last}`, ip))
    expect([await from(1, '192.0.2.1'), await from(2, '192.0.2.1'), await from(3, '192.0.2.1')]).toEqual([200, 200, 429])
    expect(await from(3, '192.0.2.2')).toBe(200)
  })

  test('for a site of IPv6 networks, twice as many as for one', async () => {
    const { request } = await arrive(() => {}, {
      ...limited({ perNetwork: { max: 2, window: 3600 } }),
      server: { trustedProxies: ['127.0.0.1'] },
    })
    const from = (last: number, network: string) => statusOf(request(`+49170123456${last}`, `2001:db8:${network}::1`))
    const statuses = []
    for (let at = 0; at < 5; at++) statuses.push(await from(at, `1:${at}`))
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect(await from(7, '2:1')).toBe(200)
  })

  test('for a country, from all networks', async () => {
    const { request } = await arrive(() => {}, limited({ perCountry: { max: 2, window: 3600 }, perNetwork: loose }))
    const to = (phone: string) => statusOf(request(phone))
    expect([await to('+351911111111'), await to('+351922222222'), await to('+351933333333')]).toEqual([200, 200, 429])
    expect([await to('+3531234567890'), await to('+12025550123'), await to('+12025550124'), await to('+12025550125')]).toEqual([
      200, 200, 200, 429,
    ])
  })

  test('in all, from all networks to all countries', async () => {
    const { request, clock } = await arrive(() => {}, limited({ total: { max: 2, window: 3600 }, perNetwork: loose }))
    const to = (phone: string) => statusOf(request(phone))
    expect([await to('+351911111111'), await to('+12025550123'), await to('+491701234567')]).toEqual([200, 200, 429])
    clock.advance(3600)
    expect(await to('+491701234567')).toBe(200)
  })

  test('and a rejected one counts for no limit', async () => {
    const { request, clock, app } = await arrive(() => {}, limited({ perNetwork: { max: 2, window: 3600 } }))
    await request()
    for (let count = 0; count < 5; count += 1) expect(await statusOf(request())).toBe(429)
    clock.advance(60)
    expect(await statusOf(request())).toBe(200)
    expect(
      await app.db.selectFrom('auditEvent').select('id').where('action', '=', 'phone-number.code-requested').execute(),
    ).toHaveLength(2)
  })
})

describe.each(places)('64 concurrent requests, at %s', (place) => {
  test('for one number send one text message, whose code works', async () => {
    const sent: Sent[] = []
    const kit = await openRacers(place, {
      phoneNumber: true,
      sms: { send: (message: Sent) => void sent.push(message) },
      smsLimit: { enabled: true, perNetwork: { max: 1000, window: 3600 } },
    })
    const answers = await race(kit.browsers(), (browser) =>
      browser.call('POST /phone-number/send-otp', { body: { phoneNumber: number } }),
    )
    expect(tally(answers)).toEqual({ 200: 1, '429 TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER': many - 1 })
    await expect.poll(() => sent.length).toBe(1)
    const body = { phoneNumber: number, code: sent[0]?.code ?? '', disableSession: true }
    expect((await kit.browser().call('POST /phone-number/verify', { body })).body).toBe(null)
  })

  test('for many numbers from one network send as many as it may', async () => {
    const kit = await openRacers(place, { phoneNumber: true, sms: { send: () => {} }, smsLimit: { enabled: true } })
    const answers = await race(kit.browsers(), (browser, count) =>
      browser.call('POST /phone-number/send-otp', { body: { phoneNumber: `+4917012345${10 + count}` } }),
    )
    expect(tally(answers)).toEqual({ 200: 20, '429 TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER': many - 20 })
  })
})

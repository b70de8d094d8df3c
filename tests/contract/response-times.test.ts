/**
 * Response times do not reveal who has an account (ASVS 6.3.8): compares calls for known and unknown email addresses.
 * enumeration.test.ts compares their responses and statements, without noise.
 */
import { scryptSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openSource } from '../../src/adapters/source-database/open.ts'
import type { App } from '../../src/core/app.ts'
import type { ConfigFile } from '../../src/features/index.ts'
import { createMoveTables, recognize, runAll, type SourceDatabase } from '../../src/features/move/index.ts'
import { testApp } from '../kit/app.ts'
import { createAuthenticator } from '../kit/authenticator.ts'
import { captureMails } from '../kit/mails.ts'

const tries = 120
/** Compared block by block: noise distorts some blocks, a difference in the work shows in each. */
const blockSize = 15
/** A missing hash or write, or a mail that is waited for, is several times as much; what is left is noise. */
const widestRatio = 1.5
/** Milliseconds that the mail server takes: far more than a call does. */
const slowness = 20

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

interface Timed {
  readonly call: (email: string) => Promise<unknown>
  /** Awaited after each call for the known address, outside the measurement. */
  readonly settle?: () => Promise<unknown>
  /** Fewer of calls that take long, of which noise is a small part. */
  readonly count?: number
}

async function compare({ call, settle, count = tries }: Timed): Promise<{ known: number[]; unknown: number[] }> {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = count === tries ? -10 : -2; round < count; round += 1) {
    // In turns, and each first as often as the other: whatever slows the machine slows both.
    for (const kind of round % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const started = performance.now()
      await call(kind === 'known' ? ann.email : `unknown${round}@example.com`)
      if (round >= 0) times[kind].push(performance.now() - started)
      // Each call comes after the same pause: otherwise only those for the unknown address always start on an idle machine.
      if (settle) await (kind === 'known' ? settle() : pause(slowness))
    }
  }
  return times
}

/** @param part of the calls that were quicker */
const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0

/** How many times as long one kind takes as the other: for each quartile the median of the blocks, whichever kind is slower. */
function ratios({ known, unknown }: { known: number[]; unknown: number[] }): number[] {
  const blocks = Array.from({ length: Math.ceil(known.length / blockSize) }, (_, block) => {
    const part = (times: number[]) => times.slice(block * blockSize, (block + 1) * blockSize)
    return { known: part(known), unknown: part(unknown) }
  })
  return [0.25, 0.5, 0.75].map((part) => {
    const ofBlocks = blocks.map((block) => quantile(block.known, part) / quantile(block.unknown, part))
    const ratio = quantile(ofBlocks, 0.5)
    return Math.max(ratio, 1 / ratio)
  })
}

/** A comparison above the ratio is noise when most of five are below it. */
async function expectSameTimes(timed: Timed): Promise<void> {
  const seen: number[] = []
  const compareAgain = async () => seen.push(Math.max(...ratios(await compare(timed))))
  const slow = () => seen.filter((ratio) => ratio >= widestRatio).length
  await compareAgain()
  while (slow() > 0 && slow() < 3 && seen.length - slow() < 3) await compareAgain()
  expect(slow(), seen.join()).toBeLessThan(seen.length / 2)
}

async function daemon(emailAndPassword: ConfigFile['emailAndPassword'] = {}, more: ConfigFile = {}) {
  const mails = captureMails<object>()
  const send = async (mail: object) => {
    await pause(slowness)
    mails.send(mail)
  }
  const kit = await testApp({
    emailAndPassword: { enabled: true, sendResetPassword: send, ...emailAndPassword },
    emailVerification: { sendVerificationEmail: send },
    emailOTP: {
      ...{ disableSignUp: true, sendVerificationOTP: send },
      changeEmail: { enabled: true, verifyCurrentEmail: false },
    },
    magicLink: { disableSignUp: true, sendMagicLink: send },
    user: { changeEmail: { enabled: true, sendChangeEmailVerification: () => {} } },
    mail: { from: 'Acme <no-reply@example.com>', send: () => {} },
    passwordHash: { memory: 19_456, iterations: 2 },
    ...more,
  })
  await kit.browser().call('POST /sign-up/email', { body: ann })
  return { app: kit.app, browser: kit.browser, settle: () => mails.next() }
}

const now = '2026-01-31T12:00:00.000Z'

async function copyAll(app: App, source: SourceDatabase): Promise<void> {
  const result = recognize(await source.tables(), {})
  if (!('recognized' in result)) throw new Error(JSON.stringify(result.problems))
  await createMoveTables(app)
  await runAll({
    ...{ app, source, tables: result.recognized.tables, skipped: [], excluded: new Map(), writes: true, batch: 100 },
    settings: { zone: 'UTC', formerSecrets: [], jwtAlgorithm: null, verifyEmails: false },
    ...{ signal: new AbortController().signal, pause: async () => {}, onLeft: async () => {} },
  })
}

describe('response times are the same for known and unknown email addresses', { timeout: 300_000 }, () => {
  test('when signing in', async () => {
    const { browser } = await daemon()
    const call = (email: string) => browser().call('POST /sign-in/email', { body: { email, password: 'wrong password' } })
    await expectSameTimes({ call })
  })

  test('when signing in after a move with the password hashes of better-auth', async () => {
    const columns = { admin: true, username: true, phoneNumber: true, anonymous: true }
    const { app, browser } = await daemon({}, columns)
    const salt = '0123456789abcdef0123456789abcdef'
    const key = scryptSync(ann.password, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }).toString('hex')
    const source = await openSource({ url: 'sqlite::memory:', writes: true })
    const schema = readFileSync(new URL('../moving/better-auth/schema-1.2.12-sqlite.sql', import.meta.url), 'utf8')
    for (const statement of schema.split(';')) if (statement.trim()) await source.query(statement)
    const moved = 'moved@example.com'
    await source.query(`insert into user (id, name, email, emailVerified, createdAt, updatedAt) values ('u', 'N', ?, 1, ?, ?)`, [
      ...[moved, now, now],
    ])
    await source.query(
      `insert into account (id, accountId, providerId, userId, password, createdAt, updatedAt) values ('a', 'u', 'credential', 'u', ?, ?, ?)`,
      [`${salt}:${key}`, now, now],
    )
    await copyAll(app, source)
    const call = (email: string) =>
      browser().call('POST /sign-in/email', { body: { email: email === ann.email ? moved : email, password: 'wrong password' } })
    // Both kinds of hashes are computed for each.
    await expectSameTimes({ call, count: 30 })
  })

  test('when a browser asks for the passkeys of an email address', async () => {
    const { browser } = await testApp({ passkey: { byEmail: true } })
    const owner = browser()
    await owner.call('POST /sign-up/email', { body: ann })
    const { body } = await owner.call('GET /passkey/generate-register-options', { query: {} })
    await owner.call('POST /passkey/verify-registration', { body: { response: { ...createAuthenticator().create(body) } } })
    const call = (email: string) => browser().call('POST /passkey/generate-authenticate-options', { body: { email } })
    await expectSameTimes({ call })
  })

  test('when signing up with antiEnumeration', async () => {
    const { browser } = await daemon({ requireEmailVerification: true, antiEnumeration: true })
    const call = (email: string) => browser().call('POST /sign-up/email', { body: { ...ann, email } })
    await expectSameTimes({ call })
  })

  test.each(['POST /request-password-reset', 'POST /send-verification-email'] as const)('of %s', async (key) => {
    const { browser, settle } = await daemon()
    const call = (email: string) => browser().call(key, { body: { email } })
    await expectSameTimes({ call, settle })
  })

  test.each([
    ['/sign-in/magic-link', {}],
    ['/email-otp/send-verification-otp', { type: 'sign-in' }],
    ['/email-otp/request-password-reset', {}],
    ['/forget-password/email-otp', {}],
  ])('of POST %s with %j', async (path, more) => {
    const { browser, settle } = await daemon()
    const call = (email: string) => browser().call(`POST ${path}` as never, { body: { email, ...more } } as never)
    await expectSameTimes({ call, settle })
  })

  test('when guessing a code', async () => {
    const { browser } = await daemon()
    const call = (email: string) => browser().call('POST /sign-in/email-otp', { body: { email, otp: '123456' } })
    await expectSameTimes({ call })
  })

  test('when changing the email address with antiEnumeration', async () => {
    const { app, browser } = await daemon({ requireEmailVerification: true, antiEnumeration: true })
    const [visitor, bob] = [browser(), { ...ann, email: 'bob@example.com' }]
    await visitor.call('POST /sign-up/email', { body: bob })
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    expect((await visitor.call('POST /sign-in/email', { body: bob })).status).toBe(200)
    await expectSameTimes({ call: (newEmail) => visitor.call('POST /change-email', { body: { newEmail } }) })
  })

  test('when changing the email address by code', async () => {
    const { browser } = await daemon()
    const visitor = browser()
    await visitor.call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } })
    const call = async (newEmail: string) => {
      const { status } = await visitor.call('POST /email-otp/request-email-change', { body: { newEmail } })
      expect(status).toBe(200)
    }
    await expectSameTimes({ call })
  })

  test('and would differ if a call waited for a mail or skipped a hash', () => {
    const calls = Array.from({ length: tries }, (_, call) => 5 + (call % 10))
    expect(Math.max(...ratios({ known: calls, unknown: calls.map((time) => time + 0.5) }))).toBeLessThan(widestRatio)
    expect(Math.max(...ratios({ known: calls.map((time) => time + slowness), unknown: calls }))).toBeGreaterThan(widestRatio)
    expect(Math.max(...ratios({ known: calls.map((time) => time + 30), unknown: calls }))).toBeGreaterThan(widestRatio)
  })
})

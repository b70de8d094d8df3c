/** Time tells nothing about who has an account (ASVS 6.3.8): distributions of the same call for known and unknown addresses. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { testApp } from '../kit/app.ts'
import { captureMails } from '../kit/mails.ts'

const tries = 200
/** A missing hash or write, or a mail that is waited for, is several times as much; what is left is noise. */
const widestRatio = 1.5
/** Milliseconds that the mail server takes: far more than a call does. */
const slowness = 40

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

interface Timed {
  readonly call: (email: string) => Promise<unknown>
  /** Awaited after each call for the known address, outside the measurement. */
  readonly settle?: () => Promise<unknown>
}

async function compare({ call, settle }: Timed): Promise<{ known: number[]; unknown: number[] }> {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = -10; round < tries; round += 1) {
    // In turns, and each first as often as the other: whatever slows the machine slows both.
    for (const kind of round % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const started = performance.now()
      await call(kind === 'known' ? ann.email : `nobody${round}@example.com`)
      if (round >= 0) times[kind].push(performance.now() - started)
      if (kind === 'known') await settle?.()
    }
  }
  return times
}

/** @param part of the calls that were quicker */
const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0

function ratios({ known, unknown }: { known: number[]; unknown: number[] }): number[] {
  return [0.25, 0.5, 0.75].map((part) => {
    const [one, other] = [quantile(known, part), quantile(unknown, part)]
    return Math.max(one / other, other / one)
  })
}

async function daemon(emailAndPassword: ConfigFile['emailAndPassword'] = {}) {
  const mails = captureMails()
  const send = async (mail: (typeof mails.sent)[number]) => {
    await pause(slowness)
    mails.send(mail)
  }
  const kit = await testApp({
    emailAndPassword: { enabled: true, sendResetPassword: send, ...emailAndPassword },
    emailVerification: { sendVerificationEmail: send },
    passwordHash: { memory: 19_456, iterations: 2 },
  })
  await kit.browser().call('POST /sign-up/email', { body: ann })
  return { browser: kit.browser, settle: () => mails.next() }
}

describe('the time of an answer is the same for known and unknown addresses', () => {
  test('when signing in', { timeout: 180_000 }, async () => {
    const { browser } = await daemon()
    const call = (email: string) => browser().call('POST /sign-in/email', { body: { email, password: 'wrong password' } })
    expect(Math.max(...ratios(await compare({ call })))).toBeLessThan(widestRatio)
  })

  test('when signing up, if the configuration wants it so', { timeout: 180_000 }, async () => {
    const { browser } = await daemon({ requireEmailVerification: true, antiEnumeration: true })
    const call = (email: string) => browser().call('POST /sign-up/email', { body: { ...ann, email } })
    expect(Math.max(...ratios(await compare({ call })))).toBeLessThan(widestRatio)
  })

  test.each(['POST /request-password-reset', 'POST /send-verification-email'] as const)(
    'of %s',
    { timeout: 180_000 },
    async (key) => {
      const { browser, settle } = await daemon()
      const call = (email: string) => browser().call(key, { body: { email } })
      expect(Math.max(...ratios(await compare({ call, settle })))).toBeLessThan(widestRatio)
    },
  )

  test('and would be told apart if a mail were waited for, or a hash left out', () => {
    const calls = Array.from({ length: tries }, (_, call) => 5 + (call % 10))
    expect(Math.max(...ratios({ known: calls, unknown: calls.map((time) => time + 0.5) }))).toBeLessThan(widestRatio)
    expect(Math.max(...ratios({ known: calls.map((time) => time + slowness), unknown: calls }))).toBeGreaterThan(widestRatio)
    expect(Math.max(...ratios({ known: calls.map((time) => time + 30), unknown: calls }))).toBeGreaterThan(widestRatio)
  })
})

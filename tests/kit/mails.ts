/** Mails in tests: a recipient, and what a configured function gets after the response, so that a test waits for each. */
import { expect } from 'vitest'
import type { Browser } from './browser.ts'

/** A user as mails show one, for mails that a test sends itself. */
export const recipient = {
  id: 'ann',
  name: 'Ann',
  email: 'ann@example.com',
  image: null,
  emailVerified: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

export interface SentMails<T> {
  /** In the order in which they were sent. */
  readonly sent: readonly T[]
  /** For the configuration. */
  readonly send: (mail: T) => void
  /** The next one that was not asked for yet. */
  next(): Promise<T>
}

export function captureMails<T = { user: { email: string }; url: string; token: string }>(): SentMails<T> {
  const sent: T[] = []
  let seen = 0
  return {
    sent,
    send: (mail) => {
      sent.push(mail)
    },
    next: async () => {
      // Taken before the wait, because tests wait for several concurrently.
      const position = seen++
      await expect.poll(() => sent.length, { interval: 5 }).toBeGreaterThan(position)
      return sent[position] as T
    },
  }
}

/** The same for text messages with codes; those that announce something are left out. */
export function captureCodes<T extends { readonly code?: string }>(): SentMails<T> {
  const codes = captureMails<T>()
  return { ...codes, send: (message) => (message.code === '' ? undefined : codes.send(message)) }
}

/** Where the short link in the text of an email leads. */
export async function followLink(browser: Browser, text: string): Promise<string> {
  const [, token = ''] = /\/link\/(\w+)/.exec(text) ?? []
  const { status, headers } = await browser.call('GET /link/:token', { params: { token } })
  expect(status).toBe(302)
  return headers.get('location') ?? ''
}

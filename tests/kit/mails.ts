/** Mails as a function of the configuration gets them: after the answer, so a test waits for each. */
import { expect } from 'vitest'

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
      await expect.poll(() => sent.length, { timeout: 10_000, interval: 5 }).toBeGreaterThan(seen)
      seen += 1
      return sent[seen - 1] as T
    },
  }
}

/** Emails and text messages that a daemon in a test would have sent. */
import { sql } from 'kysely'
import type { App } from '../core/app.ts'

export interface CaughtMessage {
  /** Such as `email-verification`. */
  readonly kind: string
  readonly to: string
  /** Empty for a text message. */
  readonly subject: string
  readonly text: string
  /** Empty for a text message. */
  readonly html: string
  /** The first code in the text, as a user would enter it; null when there is none. */
  readonly code: string | null
  /** The addresses in the text, in its order. */
  readonly links: readonly string[]
  readonly sentAt: Date
}

export interface Messages {
  /** Oldest first. @param to email address or phone number; absent: to all */
  list(to?: string): Promise<readonly CaughtMessage[]>
  /** @throws Error when there is none */
  latest(to: string): Promise<CaughtMessage>
}

/** Digits that stand alone, as all built-in texts write codes. */
const codePattern = /(?<![\w.:/#?=&-])\d{4,10}(?![\w:/-])/

interface MessageOptions {
  /** Text messages, or emails. */
  readonly isText: boolean
  /** Resolves when all messages so far have been delivered. */
  readonly settled: () => Promise<void>
}

export function createMessages({ db }: App, { isText, settled }: MessageOptions): Messages {
  const list = async (to?: string): Promise<CaughtMessage[]> => {
    await settled()
    const query = db
      .selectFrom('caughtMail')
      .selectAll()
      .where('isText', '=', isText)
      // The order of the inserts: several messages have one time.
      .orderBy(sql`rowid`)
    const rows = await (to === undefined ? query : query.where('recipient', '=', to.toLowerCase())).execute()
    return rows.map(({ kind, recipient, subject, text, html, code, createdAt }) => ({
      ...{ kind, to: recipient, subject, text, html, sentAt: createdAt },
      code: code ?? codePattern.exec(text)?.[0] ?? null,
      links: text.match(/https?:\/\/[^\s<>"]+/g) ?? [],
    }))
  }
  return {
    list,
    latest: async (to) => {
      const found = (await list(to)).at(-1)
      if (!found) throw new Error(`No ${isText ? 'text message' : 'email'} was sent to ${to}`)
      return found
    },
  }
}

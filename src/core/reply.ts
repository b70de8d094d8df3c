/** Results of a handler that are not JSON. */

export interface Redirect {
  readonly kind: 'redirect'
  readonly location: string
  readonly status: 302 | 303
}
export interface Page {
  readonly kind: 'page'
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

/** JSON in the form in which it leaves the server; it is not made from rows any more. */
export interface Shown {
  readonly kind: 'shown'
  readonly value: unknown
}
export type Reply = Redirect | Page | Shown

const replies = new WeakSet<object>()
const reply = <T extends object>(value: T): T => {
  replies.add(value)
  return value
}

/** 302 with `Location` exactly as given; 303 where the answer to a form is a page to be fetched with GET. */
export const redirect = (location: string, status: 302 | 303 = 302): Redirect => reply({ kind: 'redirect', location, status })

/** An HTML page; `headers` are added to the strict ones that every page gets. */
export const html = (body: string, headers: Record<string, string> = {}): Page =>
  reply({ kind: 'page', body, contentType: 'text/html; charset=utf-8', headers })

/** A file that belongs to a page. */
export const asset = (body: Uint8Array<ArrayBuffer>, contentType: string): Page =>
  reply({ kind: 'page', body, contentType, headers: { 'cache-control': 'public, max-age=3600' } })

/** Only for what has been through a route's schema already, or comes from the installation itself: nothing strips it. */
export const shown = (value: unknown): Shown => reply({ kind: 'shown', value })

export const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && replies.has(value)

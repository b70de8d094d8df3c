/** Results of a handler that are not JSON. */
import { isObject } from '../lib/objects.ts'

// A type and not an interface: the declarations of handlers name it by its members.
export type Redirect = {
  readonly kind: 'redirect'
  readonly location: string
  readonly status: 302 | 303
}
export interface Page {
  readonly kind: 'page'
  /** Null when the client has it already (304). */
  readonly body: string | Uint8Array<ArrayBuffer> | null
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

/** JSON that a schema has already validated, and that is sent unchanged. */
export interface RawJson {
  readonly kind: 'json'
  readonly value: unknown
  /** Where a browser continues that has sent a form: of a challenge. */
  readonly location: string | undefined
}
/** A file that is sent as it is read. */
interface Download extends Omit<Page, 'kind' | 'body'> {
  readonly kind: 'download'
  readonly body: AsyncIterable<Uint8Array>
}
export type Reply = Redirect | Page | Download | RawJson

/** Distinguishes a reply from a JSON result, which never has a symbol. */
const isReplyKey = Symbol('reply')
const reply = <T extends object>(value: T): T => ({ ...value, [isReplyKey]: true })

/** 302 with `Location` exactly as given; 303 when a form leads to a page that is fetched with GET. */
export const redirect = (location: string, status: 302 | 303 = 302): Redirect => reply({ kind: 'redirect', location, status })

/** An HTML page; `headers` are added to the strict ones that every page gets. */
export const html = (body: string, headers: Record<string, string> = {}): Page =>
  reply({ kind: 'page', body, contentType: 'text/html; charset=utf-8', headers })

/**
 * A file that belongs to a page, or a document that is made once.
 * @param body null when the client has it already (304)
 * @param headers default: caches may use it for an hour
 */
export const asset = (
  body: Uint8Array<ArrayBuffer> | null,
  contentType: string,
  headers: Readonly<Record<string, string>> = { 'cache-control': 'public, max-age=3600' },
): Page => reply({ kind: 'page', body, contentType, headers })

/**
 * A file that is sent as it is read: it may be larger than memory. When reading fails, the connection is closed, and the client sees that
 * the file is not complete.
 * @param size in bytes
 * @param fileName letters, digits, dots and hyphens
 */
export const download = (body: AsyncIterable<Uint8Array>, contentType: string, size: number, fileName: string): Download =>
  reply({
    kind: 'download',
    body,
    contentType,
    headers: {
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${fileName}"`,
      'content-length': String(size),
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })

/** Only for values that a route's schema has validated, or that come from the configuration: no hidden fields are removed. */
export const rawJson = (value: unknown, location?: string): RawJson => reply({ kind: 'json', value, location })

/**
 * Ends a call with a reply in place of the result of its handler, from however deep in it. It is not a failure: the call has its cookies,
 * and `hooks.after` gets the reply. The `after` steps of features do not run, because they extend a result that there is not.
 */
export class EndOfCall extends Error {
  override readonly name = 'EndOfCall'
  readonly reply: Reply
  constructor(reply: Reply) {
    super('The call ends here')
    this.reply = reply
  }
}

export const isReply = (value: unknown): value is Reply => isObject(value) && isReplyKey in value

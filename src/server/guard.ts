/** What a protected page responds with, for the adapters of all frameworks. */
import { type HeaderSource, readHeader } from './headers.ts'
import { SessionError } from './options.ts'
import type { SessionReader } from './session-reader.ts'
import type { VerifiedSession } from './verified-session.ts'

export interface GuardedRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly target: string
  readonly headers: HeaderSource
}

/** A response in place of the page. */
interface Rejection {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Verdict = { readonly setCookies: readonly string[] } & (
  | { readonly session: VerifiedSession; readonly rejection: null }
  | { readonly session: null; readonly rejection: Rejection }
)

/** Of every response that depends on a session: no shared cache may store it. */
export const privateResponse = { 'cache-control': 'private, no-store' } as const

/**
 * Lets a request with a session pass. Without one, a page redirects to the hosted sign-in and every other request gets status 401;
 * while the daemon does not respond, all get 503.
 * @throws unexpected errors, which a framework reports
 */
export async function guard(reader: SessionReader, request: GuardedRequest): Promise<Verdict> {
  const setCookies: string[] = []
  try {
    const session = await reader.getSession(request.headers, (headers) => void setCookies.push(...headers))
    if (session) return { session, rejection: null, setCookies }
    const rejection = isPage(request) ? redirectTo(reader.signInURL(request.target)) : failure(signInRequired)
    return { session, rejection, setCookies }
  } catch (error) {
    if (!(error instanceof SessionError)) throw error
    return { session: null, rejection: failure(error), setCookies }
  }
}

const signInRequired = new SessionError('SIGN_IN_REQUIRED', 'Sign in to continue')

/** A script cannot follow a redirect to a page, and a form would lose its content. */
const isPage = ({ method, headers }: GuardedRequest): boolean =>
  ['GET', 'HEAD'].includes(method) && (readHeader(headers, 'accept') ?? '').includes('text/html')

const redirectTo = (location: string): Rejection => ({ status: 303, headers: { ...privateResponse, location }, body: '' })

const failure = ({ status, code, message }: SessionError): Rejection => ({
  status,
  headers: { ...privateResponse, 'content-type': 'application/json', ...(status === 503 && { 'retry-after': '1' }) },
  body: JSON.stringify({ code, message }),
})

/** The rejection as a standard response. */
export function rejectionResponse({ status, headers, body }: Rejection, setCookies: readonly string[]): Response {
  const pairs = [...Object.entries(headers), ...setCookies.map((header): [string, string] => ['set-cookie', header])]
  return new Response(body, { status, headers: pairs })
}

/** Calls of the daemon with the credential of a visitor. */
import { cookiesOf } from '../lib/cookie.ts'
import { type HeaderSource, readBearer, readHeader } from './headers.ts'
import { type ReaderSettings, SessionError } from './options.ts'
import { describeVerified, type VerifiedSession } from './verified-session.ts'

/** Passes `Set-Cookie` headers of the daemon on to the browser. */
export type SetCookies = (headers: readonly string[]) => void

/** What the daemon needs to know the visitor; null when they present nothing. */
export function credentialOf(headers: HeaderSource, { cookies }: ReaderSettings): Record<string, string> | null {
  const sent = [...cookiesOf(readHeader(headers, 'cookie') ?? undefined)].filter(([name]) => cookies.isOurs(name))
  const hasSession = sent.some(([name]) => name === cookies.token)
  const bearer = readBearer(headers)
  if (!hasSession && bearer === null) return null
  const cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ')
  return { ...(hasSession && { cookie }), ...(bearer !== null && { authorization: `Bearer ${bearer}` }) }
}

/**
 * The session that the daemon finds.
 * @param setCookies null: the browser gets no cookie, so the session is not renewed
 * @throws SessionError SESSION_UNAVAILABLE
 */
export async function fetchSession(
  settings: ReaderSettings,
  credential: Record<string, string>,
  setCookies: SetCookies | null,
): Promise<VerifiedSession | null> {
  const path = setCookies ? '/get-session' : '/get-session?disableRefresh=true'
  const { body, cookies } = await callDaemon(settings, path, { headers: credential })
  if (cookies.length > 0) setCookies?.(cookies)
  if (body === null) return null
  const found = describeVerified('daemon', body)
  if (!found) throw unavailable('Latchkey responded with an unknown form of a session')
  return found
}

/** Ends the session. @throws SessionError SESSION_UNAVAILABLE */
export async function endSession(
  settings: ReaderSettings,
  credential: Record<string, string>,
  setCookies: SetCookies,
): Promise<void> {
  const headers = { ...credential, 'content-type': 'application/json', origin: settings.appOrigin }
  const { cookies } = await callDaemon(settings, '/sign-out', { method: 'POST', headers, body: '{}' })
  setCookies(cookies)
}

async function callDaemon({ api, timeout, fetch: send }: ReaderSettings, path: string, init: RequestInit) {
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await send(`${api}${path}`, { ...init, redirect: 'error', signal })
    if (response.status !== 200) throw unavailable(`Latchkey responded with status ${response.status}`)
    const body: unknown = await response.json()
    return { body, cookies: response.headers.getSetCookie() }
  } catch (error) {
    throw error instanceof SessionError ? error : unavailable('Latchkey did not respond', error)
  }
}

const unavailable = (message: string, cause?: unknown): SessionError =>
  new SessionError('SESSION_UNAVAILABLE', message, cause === undefined ? {} : { cause })

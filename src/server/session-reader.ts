/** Reads the session of a request in the server of an app: locally where it can be verified, else by a call of the daemon. */
import { credentialOf, endSession, fetchSession, type SetCookies } from './daemon-calls.ts'
import { type HeaderSource, readBearer, readHeader } from './headers.ts'
import { readOptions, SessionError, type SessionReaderOptions } from './options.ts'
import { createTokenVerifier, isCompactToken } from './tokens.ts'
import { readCookieCopy, type VerifiedSession } from './verified-session.ts'

export interface SessionReader {
  /**
   * The session of a request; null when there is none.
   * @param setCookies passes cookies of the daemon on to the browser. Without it sessions are not renewed.
   * @throws SessionError SESSION_UNAVAILABLE when the daemon does not respond: a request must not count as signed out, or as signed in
   */
  getSession(headers: HeaderSource, setCookies?: SetCookies): Promise<VerifiedSession | null>
  /** @throws SessionError SIGN_IN_REQUIRED without a session, and as `getSession` */
  requireSession(headers: HeaderSource, setCookies?: SetCookies): Promise<VerifiedSession>
  /**
   * The hosted page that signs the user in, and then continues at the app.
   * @param returnTo a path of the app that starts with a slash, or a URL on its origin; anything else leads to the start page
   */
  signInURL(returnTo?: string): string
  /**
   * Ends the session of a request from a form or script of the app.
   * @throws SessionError INVALID_ORIGIN when another site sent the request; SESSION_UNAVAILABLE
   */
  signOut(headers: HeaderSource, setCookies: SetCookies): Promise<void>
}

/** Characters of an address to return to: proxies and the daemon limit the length of a URL. */
const longestTarget = 2000

/**
 * Creates the functions that read sessions. Create it once: it stores the public keys of the daemon.
 * @throws SessionError INVALID_OPTION
 */
export function createSessionReader(options: SessionReaderOptions): SessionReader {
  const settings = readOptions(options)
  const verifyToken = createTokenVerifier(settings)
  const { cookies, keyring, appOrigin, pages, now } = settings

  const getSession: SessionReader['getSession'] = async (headers, setCookies) => {
    const bearer = readBearer(headers)
    // Who sends a token wants to act by it: an invalid one does not fall back to a cookie.
    if (bearer !== null && verifyToken && isCompactToken(bearer)) return verifyToken(bearer)
    const cookie = readHeader(headers, 'cookie')
    const copy = bearer === null && cookie && keyring ? readCookieCopy(cookie, cookies, keyring, now()) : null
    if (copy) return copy
    const credential = credentialOf(headers, settings)
    return credential && fetchSession(settings, credential, setCookies ?? null)
  }

  return {
    getSession,
    requireSession: async (headers, setCookies) => {
      const found = await getSession(headers, setCookies)
      if (!found) throw new SessionError('SIGN_IN_REQUIRED', 'Sign in to continue')
      return found
    },
    signInURL: (returnTo = '/') => `${pages}/sign-in?${new URLSearchParams({ callbackURL: addressInApp(appOrigin, returnTo) })}`,
    signOut: async (headers, setCookies) => {
      if (readHeader(headers, 'origin') !== appOrigin)
        throw new SessionError('INVALID_ORIGIN', `Only pages of ${appOrigin} may sign a user out`)
      const credential = credentialOf(headers, settings)
      if (credential) await endSession(settings, credential, setCookies)
    },
  }
}

/** @returns an address on the origin of the app in any case, so that no link of another site decides where a sign-in ends */
function addressInApp(origin: string, target: string): string {
  const start = `${origin}/`
  // Not resolved as a URL: a path that starts with two slashes would name another host.
  const url = URL.parse(target.startsWith('/') ? `${origin}${target}` : target)
  return url && target.length <= longestTarget && url.href.startsWith(start) ? url.href : start
}

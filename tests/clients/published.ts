/** The published client of better-auth, in the version of the contract and the newest one, without a browser. */
import { createAuthClient } from 'better-auth/client'
import {
  adminClient,
  anonymousClient,
  customSessionClient,
  emailOTPClient,
  jwtClient,
  magicLinkClient,
  multiSessionClient,
  oneTimeTokenClient,
  organizationClient,
  phoneNumberClient,
  twoFactorClient,
  usernameClient,
} from 'better-auth/client/plugins'
import { createAuthClient as createNewest } from 'better-auth-newest/client'
import {
  adminClient as newestAdminClient,
  anonymousClient as newestAnonymousClient,
  customSessionClient as newestCustomSessionClient,
  emailOTPClient as newestEmailOTPClient,
  jwtClient as newestJwtClient,
  lastLoginMethodClient as newestLastLoginMethodClient,
  magicLinkClient as newestMagicLinkClient,
  multiSessionClient as newestMultiSessionClient,
  oneTimeTokenClient as newestOneTimeTokenClient,
  organizationClient as newestOrganizationClient,
  phoneNumberClient as newestPhoneNumberClient,
  twoFactorClient as newestTwoFactorClient,
  usernameClient as newestUsernameClient,
} from 'better-auth-newest/client/plugins'
import type { Answer } from '../kit/browser.ts'

export const versions = ['1.2.12', 'newest'] as const
export type Version = (typeof versions)[number]

type Arguments = Readonly<Record<string, unknown>>

export interface Failure {
  readonly status: number
  readonly statusText: string
  readonly code?: string
  readonly message?: string
}
export interface Outcome {
  readonly data: Answer['body']
  readonly error: Failure | null
}

type Method = (input?: Arguments, options?: Arguments) => Promise<Outcome>
/** Whatever name is asked for is a path: the client knows no list of calls. */
export type Client = Method & { readonly [name: string]: Client }

/** @param fetchOptions as the client documents them */
export function createClient(
  version: Version,
  origin: string,
  fetchOptions: Arguments = {},
  plugins: readonly unknown[] = [],
): Client {
  const create: unknown = version === 'newest' ? createNewest : createAuthClient
  return (create as (options: object) => Client)({ baseURL: origin, fetchOptions, plugins })
}

/** The client's plugin for organizations. @param options `ac` and `roles`, as the client documents them */
export const organizationPlugin = (version: Version, options: object): unknown =>
  version === 'newest' ? newestOrganizationClient(options) : organizationClient(options)

/** The client's plugin for administration. @param options `ac` and `roles`, as the client documents them */
export const adminPlugin = (version: Version, options: object): unknown =>
  version === 'newest' ? newestAdminClient(options) : adminClient(options)

export type SessionPlugin = 'multiSession' | 'oneTimeToken'

/** The client's plugins for several sessions, one-time tokens and anonymous users. */
export const sessionPlugins = (version: Version): unknown[] =>
  version === 'newest'
    ? [newestMultiSessionClient(), newestOneTimeTokenClient(), newestAnonymousClient()]
    : [multiSessionClient(), oneTimeTokenClient(), anonymousClient()]

/** The client's plugins for JSON Web Tokens and custom sessions. */
export const tokenPlugins = (version: Version): readonly unknown[] =>
  version === 'newest' ? [newestJwtClient(), newestCustomSessionClient()] : [jwtClient(), customSessionClient()]

/** The client's plugins for usernames and phone numbers. */
export const namePlugins = (version: Version): readonly unknown[] =>
  version === 'newest' ? [newestUsernameClient(), newestPhoneNumberClient()] : [usernameClient(), phoneNumberClient()]

/** The client's plugins for magic links, codes by email and, in the newest version, the last sign-in method. */
export const emailPlugins = (version: Version): readonly unknown[] =>
  version === 'newest'
    ? [newestMagicLinkClient(), newestEmailOTPClient(), newestLastLoginMethodClient()]
    : [magicLinkClient(), emailOTPClient()]

/** The client's plugin for second factors. @param onTwoFactorRedirect called when a sign-in waits for one */
export const twoFactorPlugin = (version: Version, onTwoFactorRedirect: (context: unknown) => void): unknown =>
  version === 'newest'
    ? newestTwoFactorClient({ onTwoFactorRedirect })
    : twoFactorClient({ onTwoFactorRedirect: onTwoFactorRedirect as () => void })

/** A `fetch` that keeps cookies, as a browser would for one origin. */
export function createCookieFetch(): typeof fetch {
  const kept = new Map<string, string>()
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    if (kept.size > 0) headers.set('cookie', [...kept].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(input, { ...init, headers })
    for (const header of response.headers.getSetCookie()) {
      const [pair = ''] = header.split(';')
      const at = pair.indexOf('=')
      if (/; Max-Age=0(;|$)/.test(header)) kept.delete(pair.slice(0, at))
      else kept.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
}

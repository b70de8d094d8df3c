/** The last sign-in method of a browser, in a cookie that scripts of pages read, as the plugin of better-auth 1.7 sets it. */
import { z } from 'zod'
import { section } from '../../core/config.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import type { Listeners } from '../../core/events.ts'
import { longestMaxAge } from '../../lib/cookie.ts'
import type { Config } from '../index.ts'

export const plugin = 'last-login-method'

export const config = {
  lastLoginMethod: section('The last sign-in method of a browser, in a cookie that scripts can read', {
    cookieName: z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]{1,64}$/)
      .default('better-auth.last_used_login_method')
      .describe('Name of the cookie; the published client reads the default one'),
    maxAge: z.int().positive().max(longestMaxAge).default(2_592_000).describe('Lifetime of the cookie in seconds'),
  }),
}

export const enabled = ({ lastLoginMethod }: Config): boolean => lastLoginMethod.enabled

/**
 * By the path of the call that proved the first factor, with the values of better-auth; null: a way that it does not name. The redirect of
 * a generic provider has a path of its own here, and that of the others in better-auth 1.7.
 */
function methodOf(path: string): string | null {
  const [, provider] = /^\/(?:oauth2\/)?callback\/([^/]+)$/.exec(path) ?? []
  if (provider !== undefined) return decodeURIComponent(provider)
  if (path === '/sign-in/email' || path === '/sign-up/email') return 'email'
  if (path.startsWith('/passkey/verify-authentication')) return 'passkey'
  if (path.startsWith('/magic-link/verify')) return 'magic-link'
  return path === '/sign-in/email-otp' ? 'email-otp' : null
}

export const on: Listeners = {
  'client.signed-in': (_, { ctx, path }) => {
    const method = path === null ? null : methodOf(path)
    const session = ctx.cookies.get(cookieDefinition(ctx.config, 'session_token').name)
    if (method === null || session === undefined) return
    const { cookieName, maxAge } = ctx.config.lastLoginMethod
    // With the attributes of the session cookie, so that the same pages get it.
    const attributes = session.split('; ').slice(1)
    const kept = attributes.filter((attribute) => !/^(Max-Age=|HttpOnly$)/.test(attribute))
    ctx.cookies.set(cookieName, [`${cookieName}=${encodeURIComponent(method)}`, `Max-Age=${maxAge}`, ...kept].join('; '))
  },
}

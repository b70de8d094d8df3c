/**
 * A secret by which a browser is known that has asked for a link or a code. What it asked for belongs to it, so that a person elsewhere
 * who asks for the same email address neither ends it nor can guess it.
 */
import { cookieDefinition } from '../../core/cookies.ts'
import type { CallContext } from '../../core/request.ts'
import { signCookie } from '../../lib/cookie.ts'
import { type CodeName, findCode } from './code-store.ts'

type MarkCookie = Extract<Parameters<typeof cookieDefinition>[1], 'magic_link' | 'email_otp' | 'passkey_sign_up'>

/** The secrets in the cookies of a call; several when the browser has cookies of several paths. */
export const browserMarks = ({ config, request }: CallContext, cookie: MarkCookie): readonly string[] =>
  request.signedCookies(cookieDefinition(config, cookie).name)

/**
 * Marks the browser of a call, or marks it for longer: it keeps its secret over several requests.
 * @param maxAge in seconds
 */
export function markBrowser(ctx: CallContext, cookie: MarkCookie, maxAge: number): string {
  const mark = browserMarks(ctx, cookie)[0] ?? ctx.random.token(32)
  cookieDefinition(ctx.config, cookie).set(ctx.cookies, signCookie(mark, ctx.keyring), maxAge)
  return mark
}

/**
 * Whether the client of a call sends the cookie of this response with its next call, as far as its headers say. Programs do not (they
 * send no Fetch Metadata but a mode, which Node's `fetch` does), and neither do pages of other sites, because the cookie is `Lax`.
 */
export function keepsCookies({ request }: CallContext): boolean {
  if (request.header('cookie') !== undefined) return true
  const site = request.header('sec-fetch-site')
  if (site !== undefined) return site !== 'cross-site'
  return request.header('origin') !== undefined || request.header('sec-fetch-dest') !== undefined
}

/**
 * The browser that a new code belongs to; null: the client will not send the cookie. The cookie is set in each case, so that it
 * reveals nothing.
 * @param maxAge lifetime of the code, in seconds
 */
export function bindCode(ctx: CallContext, cookie: MarkCookie, maxAge: number): string | null {
  const isKept = keepsCookies(ctx)
  const mark = markBrowser(ctx, cookie, maxAge)
  return isKept ? mark : null
}

/** The browser of the call, if it has asked for such a code; null: only a code that belongs to no browser can be meant. */
export async function findCodeBrowser(
  ctx: CallContext,
  cookie: MarkCookie,
  code: Omit<CodeName, 'browser'>,
): Promise<string | null> {
  for (const browser of browserMarks(ctx, cookie)) if (await findCode(ctx, { ...code, browser })) return browser
  return null
}

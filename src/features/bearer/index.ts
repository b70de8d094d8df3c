/** Bearer tokens: the session token in a header, for clients without cookies (contract 00 §5). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { section } from '../../core/config.ts'
import type { Feature, ResponseHead } from '../../core/feature.ts'
import type { CallContext, IncomingRequest, PresentedCredential } from '../../core/request.ts'
import { readSignedCookie } from '../../lib/cookie.ts'
import type { Config } from '../index.ts'
import { readSessionCookies, sessionCredential, writtenSessionCookie } from '../sessions/index.ts'

export const config = {
  bearer: section('Session tokens in the header `Authorization: Bearer`, for clients without cookies', {
    requireSignature: z
      .boolean()
      .default(false)
      .describe('Accept only signed tokens, as the header `set-auth-token` has them; `false`: also the `token` of a response'),
  }),
}

export const enabled = ({ bearer }: Config): boolean => bearer.enabled

const header = 'set-auth-token'
const exposing = 'access-control-expose-headers'

export const securitySchemes: NonNullable<Feature['securitySchemes']> = () => ({
  bearerAuth: { type: 'http', scheme: 'bearer', description: 'The token of a session, as sign-in returns it' },
})

export const describe: NonNullable<Feature['describe']> = (_config, _key, { access, signsIn }) =>
  access.kind !== 'public' || signsIn
    ? { responseHeaders: { [header]: 'The signed token of the session, when its cookie is set' } }
    : null

/** Spaces around the token are ignored, and the scheme is in any case (RFC 9110 §11.1). */
const form = /^bearer +(\S{1,500}) *$/i

/**
 * The session token in the header. A text with a dot is a signed token; one whose signature is not ours, such as a JSON Web Token,
 * is ignored. So is every token next to a session cookie: that one is of the user whom the browser shows.
 */
export function authenticate(ctx: CallContext): PresentedCredential | null {
  const sent = form.exec(ctx.request.header('authorization') ?? '')?.[1]
  if (sent === undefined || readSessionCookies(ctx).length > 0) return null
  const raw = ctx.config.bearer.requireSignature ? null : sent
  const token = sent.includes('.') ? readSignedCookie(sent, ctx.keyring) : raw
  return token === null ? null : sessionCredential(ctx, 'bearer', token)
}

/** The signed token of a session cookie that the response sets, in a header that scripts on trusted origins may read. */
export function responseHeaders(app: App, { request, cookies, headers }: ResponseHead): Readonly<Record<string, string>> | null {
  const value = writtenSessionCookie(app, cookies)
  if (value === null || !mayHaveToken(app, request)) return null
  const exposed = headers[exposing]
  const names = exposed?.split(', ') ?? []
  return { [header]: value, [exposing]: names.includes(header) && exposed ? exposed : [...names, header].join(', ') }
}

/** With `exposeToken: false` no script in a browser gets a token. */
const mayHaveToken = ({ config }: App, request: IncomingRequest): boolean =>
  config.session.exposeToken || !isPossiblyBrowser(request)

/** Whether a browser may have sent a request: browsers send one of these headers, other clients none. */
export const isPossiblyBrowser = (request: IncomingRequest): boolean =>
  ['cookie', 'origin', 'sec-fetch-site'].some((name) => request.header(name) !== undefined)

/** Whether a browser has signed in to this account before: then others' failures are not held against it. */
import type { App } from '../../core/app.ts'
import { type CookieJar, createCookieJar } from '../../core/cookie-jar.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import type { Identity, IncomingRequest } from '../../core/request.ts'
import { readSignedCookie, signCookie } from '../../lib/cookie.ts'
import { type Counter, countSuccess, findRows, knownFor } from './counters.ts'
import { deviceCounter } from './places.ts'

/** A call in which somebody proves who he is. */
export interface Caller extends App {
  readonly request: IncomingRequest
  readonly cookies: CookieJar
  readonly identify: () => Identity | null
}

/** By the session that the browser still has, or by the cookie that was set when it signed in; null for a strange one. */
export async function findDevice(ctx: Caller, account: string): Promise<Counter | null> {
  const current = await ctx.identify()?.find(createCookieJar(), { disableRefresh: true })
  if (current?.user.email === account.toLowerCase()) return deviceCounter(ctx, account, `session ${current.session.id}`)
  const token = readDeviceCookie(ctx)
  if (token === null) return null
  const counter = cookieCounter(ctx, account, token)
  const [row] = await findRows(ctx, [counter])
  return row?.succeededAt != null && row.expiresAt > ctx.now() ? counter : null
}

const cookieCounter = (app: App, account: string, token: string) => deviceCounter(app, account, `cookie ${token}`)

function readDeviceCookie(ctx: Caller): string | null {
  if (!ctx.config.attempts.deviceCookie) return null
  return readSignedCookie(ctx.request.cookie(cookieDefinition(ctx.config, 'known_device').name), ctx.keyring)
}

/** Makes the browser known for this account, beside those for which it is known already. */
export async function rememberDevice(ctx: Caller, account: string): Promise<void> {
  if (!ctx.config.attempts.deviceCookie) return
  const token = readDeviceCookie(ctx) ?? ctx.random.token(32)
  const counter = cookieCounter(ctx, account, token)
  const [row] = await findRows(ctx, [counter])
  await countSuccess(ctx, counter, row)
  cookieDefinition(ctx.config, 'known_device').set(ctx.cookies, signCookie(token, ctx.keyring), knownFor / 1000)
}

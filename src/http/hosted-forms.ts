/**
 * Forms of hosted pages, and forms of other pages that a browser sends: to a request that accepts HTML, a call responds with a redirect
 * to where the form leads, or with the page of the form and what was wrong. The call itself is made as any other.
 */
import type { App } from '../core/app.ts'
import { cookieDefinition } from '../core/cookies.ts'
import { ApiError } from '../core/errors.ts'
import type { HostedPages, PageFailure, Texts } from '../core/hosted.ts'
import { apiPath } from '../core/route.ts'
import { isReachableEmail } from '../lib/placeholder-email.ts'
import { withParameter } from '../lib/url.ts'
import type { Handle } from './handle.ts'
import { type Hosted, outcomeOf, type PageAddress } from './hosted.ts'
import type { KeptAccount } from './hosted-targets.ts'
import { createBodyReader } from './input.ts'
import { createRequestReader, headerOf, type Received } from './request.ts'
import type { Sent } from './respond.ts'

/** Names of controls that are for the page, not for the call, start with this. */
const ownPrefix = 'latchkey:'
/** Never sent back. */
const secret = /password|code|otp/i

const formTypes = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/** Whether a browser navigates with it, or the script of our pages sends it in place of the browser. */
function isForm(received: Received): boolean {
  if (received.method !== 'POST') return false
  const type = headerOf(received, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return formTypes.has(type) && (headerOf(received, 'accept')?.includes('text/html') ?? false)
}

interface FormsOptions {
  readonly handle: Handle
  readonly hosted: Hosted
  readonly pages: HostedPages
  /** Path of the pages, with a slash at both ends. */
  readonly base: string
}

export function createForms(app: App, { handle, hosted, pages, base }: FormsOptions) {
  const api = apiPath(app.config)
  const readRequest = createRequestReader(app, api)
  const readBody = createBodyReader(app.config.server.bodyLimit)
  const readForm = (received: Received): Promise<Texts | ApiError> =>
    readBody(readRequest(received, '')).then(Object, (error: unknown) => {
      if (error instanceof ApiError) return error
      throw error
    })
  return async (received: Received): Promise<Sent | null> => {
    if (!isForm(received) || !received.path.startsWith(`${api}/`)) return null
    const call = `POST ${received.path.slice(api.length)}`
    const sent = await readForm(received)
    // The call rejects it, as without a page.
    if (sent instanceof ApiError) return handle({ ...received, body: sent })
    const at = pageOf(sent[`${ownPrefix}page`], pages, base, call)
    if (!at) return handle({ ...received, body: sent, isForm: true })
    const values: Texts = Object.fromEntries(Object.entries(sent).filter(([name]) => !name.startsWith(ownPrefix)))
    const failedWith = (failure: PageFailure | null, status: number, cookies: readonly string[] = []) =>
      hosted.again(received, at, { call, values: withoutSecrets(values), failure, status, cookies })
    // Before anything is done that the visitor would have to repeat.
    const rejection = await hosted.rejection(received, at)
    if (rejection) return failedWith(rejection, 403)
    const made = pages.callOf(at.path, call, values)
    const path = `${api}${made.call.replace(/^POST /, '')}`
    const answer = await handle({ ...received, path, body: made.values, isForm: true })
    const method = answer.status < 400 ? pages.methodOf(at.path, call, values) : null
    const cookies = [...(answer.cookies ?? []), ...(method === null ? [] : [hosted.rememberMethod(method)])]
    const { result, failure } = outcomeOf(answer)
    const page = hosted.requestOf(received, at)
    const next = answer.challengeAt
      ? { url: withTarget(answer.challengeAt, at.parameters.callbackURL) }
      : pages.next(page, call, { values: sent, result, failure })
    if (!next) return failedWith(failure, answer.status, cookies)
    const account = accountOf(app, { ...answer, result }, values, method ?? page.lastMethod)
    return hosted.lead(received, at.path, next, cookies, account)
  }
}

interface Answer extends Pick<Sent, 'cookies'> {
  readonly result: unknown
}

interface SignedIn {
  readonly user?: { readonly name?: string; readonly email?: string }
}

/**
 * Whom the script of the page offers at the next sign-in in this browser, after the one that this form has ended.
 * @param method of this sign-in, or of its first step
 * @returns null when the form creates no session, or the option is off; undefined for a session that ends with the browser: nothing of the user is kept
 */
function accountOf({ config }: App, { cookies = [], result }: Answer, values: Texts, method: string | null): KeptAccount {
  if (!config.signIn.rememberAccount) return null
  const { name } = cookieDefinition(config, 'session_token')
  const session = cookies.findLast((cookie) => cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}=;`))
  const { user } = Object(result) as SignedIn
  if (session === undefined || !user || method === null) return null
  if (!session.includes('; Max-Age=')) return undefined
  const { email = '' } = user
  const identifier = values.email ?? values.phoneNumber ?? (isReachableEmail(email) ? email : '')
  return { method, name: user.name ?? '', identifier }
}

/** The page that has sent the form: the one that it names, else the first that declares the form; null when there is none. */
function pageOf(named: string | undefined, pages: HostedPages, base: string, call: string): PageAddress | null {
  const url = named === undefined ? null : URL.parse(named, 'http://page.invalid')
  const path = url?.host === 'page.invalid' && url.pathname.startsWith(base) ? `/${url.pathname.slice(base.length)}` : ''
  if (url && pages.find(path)) return { path, parameters: Object.fromEntries(url.searchParams) }
  const first = pages.pageOf(call)
  return first === null ? null : { path: first, parameters: {} }
}

/** The page of a challenge, which leads to where the page of the form would have: not every call takes a `callbackURL`. */
const withTarget = (location: string, callbackURL: string | undefined): string =>
  callbackURL === undefined || URL.parse(location, 'http://page.invalid')?.searchParams.has('callbackURL')
    ? location
    : withParameter(location, 'callbackURL', callbackURL)

const withoutSecrets = (values: Texts): Texts => Object.fromEntries(Object.entries(values).filter(([name]) => !secret.test(name)))

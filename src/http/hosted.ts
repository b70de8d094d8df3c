/**
 * Serves the hosted pages: finds what a page is rendered from (language, theme, session, what an earlier page has left), and leads on
 * from its forms. Forms and pages make the calls of the API, with every check of these.
 */
import type { App } from '../core/app.ts'
import { findFreeze } from '../core/freezes.ts'
import {
  emptyPage,
  type FoundPage,
  type HostedPages,
  type Next,
  type PageFailure,
  type PageRequest,
  type Texts,
} from '../core/hosted.ts'
import type { DashboardFile } from '../core/ports.ts'
import { apiPath } from '../core/route.ts'
import { closestLocale, wantedLocale } from '../lib/locale.ts'
import { compress, sendCompressed, sendEncoded } from './encoded.ts'
import type { Handle } from './handle.ts'
import { createTargets, isByScript, type KeptAccount, keptBy } from './hosted-targets.ts'
import { parametersOf, type Received } from './request.ts'
import type { Sent } from './respond.ts'
import { createVisitors, type Visitor } from './visitor.ts'

export interface HostedOptions {
  readonly pages: HostedPages
  readonly handle: Handle
  /** Of every page. */
  readonly headers: Readonly<Record<string, string>>
  /** Path of the pages, with a slash at both ends. */
  readonly base: string
}

/** A page that only leads on. */
const leavingPath = '/leaving'
const htmlType = 'text/html; charset=utf-8'
/** Pages that are kept, of all languages, themes and methods. */
const mostRendered = 500

export type PageAddress = Pick<PageRequest, 'path' | 'parameters'>

/** A form whose call has failed. */
interface FailedForm {
  readonly call: string
  /** What was sent, without passwords. */
  readonly values: Texts
  readonly failure: PageFailure | null
  readonly status: number
  readonly cookies: readonly string[]
}

/** The parts of the hosted pages under one configuration. */
interface Parts extends HostedOptions, Pick<App, 'now' | 'memo'> {
  readonly api: string
  readonly locales: readonly string[]
  readonly visitors: ReturnType<typeof createVisitors>
  readonly targets: ReturnType<typeof createTargets>
  readonly rendered: Map<string, DashboardFile>
}

export type Hosted = ReturnType<typeof createHosted>

export function createHosted(app: App, options: HostedOptions) {
  const visitors = createVisitors(app)
  const { locales } = app.config.dashboard
  const more = { api: apiPath(app.config), locales, visitors, targets: createTargets(app, options), rendered: new Map() }
  const parts: Parts = { ...options, ...more, now: app.now, memo: app.memo }
  return {
    /** @returns null when there is no hosted page at this path */
    open: (received: Received, path: string) => openAddress(parts, received, path),
    /** The page for an address without one. */
    unknown: (received: Received): Sent => {
      const page = requestOf(parts, received, { path: '', parameters: {} })
      return respondOnce(parts, received, { ...page, kept: {}, lastMethod: null }, 404)
    },
    /** The page again, with what was wrong with its form. */
    again: (received: Received, at: PageAddress, failed: FailedForm): Promise<Sent> => {
      const found = parts.pages.find(at.path)
      if (!found) throw new Error(`There is no page ${at.path}`)
      return openPage(parts, found, visitors.read(received, at.path), at, failed)
    },
    /** Why the application that sent the visitor here does not get them back; null when it does. */
    rejection: async (received: Received, { path, parameters }: PageAddress) => {
      const { callbackURL } = parameters
      if (callbackURL === undefined) return null
      return (await read(parts, visitors.read(received, path), 'GET /continue', { callbackURL })).failure
    },
    /** The page as its form sees it, before it is rendered. */
    requestOf: (received: Received, at: PageAddress) => requestOf(parts, received, at),
    /** Where a form leads, as a response. @param from path of its page, which needs nothing any more @param account for the script */
    lead: (received: Received, from: string, next: Next, cookies: readonly string[], account: KeptAccount): Sent =>
      lead(parts, received, next, [...cookies, ...visitors.keep(received, { [from]: null, ...keptBy(next) })], account),
    rememberMethod: visitors.rememberMethod,
  }
}

function requestOf(parts: Parts, received: Received, at: PageAddress): PageRequest {
  const { locale, theme, kept, lastMethod } = parts.visitors.read(received, at.path)
  const now = { time: parts.now().toISOString(), isReadOnly: findFreeze(parts, 'writes') !== null }
  return { ...emptyPage, ...at, locale, theme, kept, lastMethod, ...now, hasScript: isByScript(received) }
}

/** Makes a call that changes nothing, as the visitor. */
async function read({ api, handle }: Parts, { received }: Visitor, call: string, input: Texts) {
  const [method = '', path = ''] = call.split(' ')
  const body = method === 'POST' ? { body: input } : {}
  const search = method === 'POST' ? '' : String(new URLSearchParams(input))
  const sent = await handle({ ...received, method, path: `${api}${path}`, search, isOwn: true, ...body })
  return { cookies: sent.cookies ?? [], ...outcomeOf(sent) }
}

function lead(parts: Parts, received: Received, next: Next, cookies: readonly string[], account: KeptAccount): Sent {
  const { respondToScript, isElsewhere, redirectTo, targetOf } = parts.targets
  const answer = respondToScript(received, next, cookies, account)
  if (answer) return answer
  if (!isElsewhere(next)) return redirectTo(targetOf(next), cookies)
  const page = requestOf(parts, received, { path: leavingPath, parameters: {} })
  return respond(parts, { ...page, refresh: targetOf(next) }, 200, cookies)
}

const respond = ({ pages, headers }: Parts, request: PageRequest, status: number, cookies: readonly string[]): Sent => ({
  status,
  headers: { ...headers, 'content-type': htmlType },
  cookies,
  body: pages.render(request),
})

/** A page that shows nothing of its visitor but what many have in common is rendered and compressed once. */
function respondOnce({ pages, headers, rendered }: Parts, received: Received, request: PageRequest, status: number): Sent {
  const key = `${status} ${request.path} ${request.locale} ${request.theme} ${request.isReadOnly} ${request.lastMethod}`
  const file = rendered.get(key) ?? compress(pages.render(request), htmlType)
  // The method is a text of the visitor's choice.
  if (rendered.size >= mostRendered) rendered.clear()
  rendered.set(key, file)
  return sendEncoded(received, status, file, headers)
}

/** With what the address has for other pages: secrets, which are kept, and the language. */
async function openAddress(parts: Parts, received: Received, path: string): Promise<Sent | null> {
  const { pages, visitors, targets, locales } = parts
  const found = pages.find(path)
  if (!found) return null
  const given = Object.fromEntries(parametersOf(received))
  if (found.leadsTo !== null) return targets.redirectTo(targets.pathOf(found.leadsTo, given))
  const { lang, ui_locales: wantedTags, ...parameters } = given
  const chosen = closestLocale(lang ?? '', locales)
  const wanted = wantedLocale(wantedTags, locales)
  const cookies = [...(chosen ? [visitors.rememberLocale(chosen)] : []), ...(wanted ? [visitors.rememberWanted(wanted)] : [])]
  const isSecret = ([name, value]: readonly [string, string]) => found.keeps.includes(name) && value !== ''
  const secrets = Object.entries(parameters).filter(isSecret)
  if (secrets.length > 0) {
    const rest = Object.entries(parameters).filter(([name]) => !found.keeps.includes(name))
    const kept = visitors.keep(received, { [path]: Object.fromEntries(secrets) })
    return targets.redirectTo(targets.pathOf(path, { ...Object.fromEntries(rest), lang }), [...cookies, ...kept])
  }
  const sent = await openPage(parts, found, visitors.read(received, path), { path, parameters }, null)
  return cookies.length > 0 ? { ...sent, cookies: [...(sent.cookies ?? []), ...cookies] } : sent
}

async function openPage(
  parts: Parts,
  found: FoundPage,
  visitor: Visitor,
  at: PageAddress,
  failed: FailedForm | null,
): Promise<Sent> {
  const { pathOf, redirectTo, targetOf } = parts.targets
  const { received } = visitor
  const readsSession = found.access !== 'anyone' && visitor.hasSession
  const session = readsSession ? await read(parts, visitor, 'GET /get-session', { disableCustomSession: 'true' }) : null
  if (found.access === 'session' && !session?.result)
    return redirectTo(pathOf('/sign-in', { callbackURL: pathOf(at.path, at.parameters) }), session?.cookies)
  const form = failed && { call: failed.call, values: failed.values }
  const own = { session: session?.result ?? null, failure: failed?.failure ?? null, form }
  const bare: PageRequest = { ...requestOf(parts, received, at), ...own }
  const wanted = found.read?.(bare)
  const data = wanted ? await read(parts, visitor, wanted.call, wanted.input) : null
  const request = { ...bare, data: data?.result ?? null, failure: bare.failure ?? data?.failure ?? null }
  const leads = () => (data?.failure ? found.onFailure?.(data.failure.code, request) : data && found.onRead?.(request))
  const next = failed ? null : leads()
  if (next) return redirectTo(targetOf(next), parts.visitors.keep(received, { [at.path]: null, ...keptBy(next) }))
  const isImpersonal = !session && !data && !failed && isEmpty(bare.kept)
  if (isImpersonal && isEmpty(at.parameters)) return respondOnce(parts, received, request, 200)
  if (isImpersonal) return sendCompressed(received, parts.pages.render(request), htmlType, parts.headers)
  const cookies = [failed, session, data].flatMap((each) => each?.cookies ?? [])
  return respond(parts, request, failed?.status ?? 200, cookies)
}

const isEmpty = (values: Texts): boolean => Object.keys(values).length === 0

/** The result of a call, or its failure, from its response. */
export function outcomeOf({ status, headers, body }: Sent): { readonly result: unknown; readonly failure: PageFailure | null } {
  const parsed: unknown = typeof body === 'string' && body !== '' ? parse(body) : null
  if (status < 400) return { result: parsed, failure: null }
  const { code = 'UNKNOWN_ERROR', message = '' } = Object(parsed)
  const retryAfter = Number(headers['retry-after'] ?? headers['x-retry-after'] ?? Number.NaN)
  return {
    result: undefined,
    failure: {
      code: String(code),
      message: String(message),
      requestId: headers['x-request-id'] ?? null,
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

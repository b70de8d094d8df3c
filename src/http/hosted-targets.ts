/** Where hosted pages and their forms lead, as responses. */
import type { App } from '../core/app.ts'
import type { HostedPages, Next, Texts } from '../core/hosted.ts'
import { apiPath, apiURL } from '../core/route.ts'
import { headerOf, type Received } from './request.ts'
import type { Sent } from './respond.ts'

type Headers = Readonly<Record<string, string>>
type Parameters = Readonly<Record<string, string | undefined>>

/** Of a form that the script of a page sends, and of the response to it: a script cannot read where a redirect leads. */
const scriptHeader = 'x-latchkey-form'
export const isByScript = (received: Received): boolean => headerOf(received, scriptHeader) !== undefined
const locationHeader = 'x-latchkey-location'
/** It is the end of a journey: back in the application, or in the account. */
const endHeader = 'x-latchkey-end'

/** Whom the script offers at the next sign-in in this browser, in JSON and percent-encoded; empty: no account. */
const accountHeader = 'x-latchkey-account'

/** Null: the form changes nothing about it; undefined: no account. */
export type KeptAccount = { readonly method: string; readonly name: string; readonly identifier: string } | null | undefined

const accountHeaders = (account: KeptAccount): Headers =>
  account === null ? {} : { [accountHeader]: account === undefined ? '' : encodeURIComponent(JSON.stringify(account)) }

/** What the next page needs, by its path. */
export const keptBy = (next: Next): Readonly<Record<string, Texts>> =>
  'page' in next && next.keep ? { [next.page]: next.keep } : {}

interface TargetOptions {
  readonly pages: HostedPages
  readonly headers: Headers
  /** Path of the pages, with a slash at both ends. */
  readonly base: string
}

export function createTargets(app: App, { pages, headers, base }: TargetOptions) {
  const api = apiPath(app.config)
  const { origin } = new URL(apiURL(app.config))
  const bare = { ...headers, 'cache-control': 'no-store' }
  const pathOf = (page: string, parameters: Parameters = {}): string => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value)
    return `${base}${page.slice(1)}${search.size > 0 ? `?${search}` : ''}`
  }
  /** The API checks where an application gets its visitor back, as for other clients. */
  const targetOf = (next: Next): string => {
    if ('url' in next) return next.url
    if ('page' in next) return pathOf(next.page, next.parameters)
    return next.leave === null ? pathOf('/account') : `${api}/continue?${new URLSearchParams({ callbackURL: next.leave })}`
  }
  const redirectTo = (location: string, cookies: readonly string[] = []): Sent => ({
    status: 303,
    headers: { ...bare, location },
    cookies,
    body: null,
  })
  const isEnd = (next: Next): boolean => 'leave' in next || ('page' in next && !pages.find(next.page))
  return {
    pathOf,
    targetOf,
    redirectTo,
    /** Whether a browser ends elsewhere: the content security policy lets no form lead there, also not by redirects (CSP 3, form-action). */
    isElsewhere: (next: Next): boolean => {
      const target = 'url' in next ? next.url : 'leave' in next ? next.leave : null
      return target !== null && URL.parse(target, origin)?.origin !== origin
    },
    /** @returns null for a form that a browser sends without a script */
    respondToScript: (received: Received, next: Next, cookies: readonly string[], account: KeptAccount): Sent | null => {
      if (!isByScript(received)) return null
      const more = { [locationHeader]: targetOf(next), ...(isEnd(next) && { [endHeader]: '1' }), ...accountHeaders(account) }
      return { status: 200, headers: { ...bare, ...more }, cookies, body: '' }
    },
  }
}

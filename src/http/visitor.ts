/** What the browser of a visitor says before a page is rendered: language, theme, and what earlier pages have left in cookies. */
import type { App } from '../core/app.ts'
import { usesSecureCookies } from '../core/cookies.ts'
import type { PageRequest, Texts } from '../core/hosted.ts'
import { localeCookie, wantedCookie } from '../core/preferences.ts'
import { findCookies, serializeCookie } from '../lib/cookie.ts'
import { chooseLocale, wantedLocale } from '../lib/locale.ts'
import { headerOf, parametersOf, type Received } from './request.ts'

const keptName = 'latchkey.page'
const methodName = 'latchkey.method'
/** Seconds for which a page keeps what the page before it has left. */
const keptAge = 900
/** Pages for which something is kept, so that the cookie stays small. */
const mostKept = 4
/** As long as browsers keep a cookie: 400 days, in seconds. */
const longestAge = 34_560_000

/** What of a request decides about any page. */
export interface Visitor extends Pick<PageRequest, 'locale' | 'theme' | 'kept' | 'lastMethod'> {
  readonly received: Received
  readonly hasSession: boolean
}

type Attributes = Parameters<typeof serializeCookie>[2]

/** What earlier pages have left, encrypted in one cookie. */
function createKept(keyring: App['keyring'], attributes: Attributes) {
  /** By page, the newest last. */
  const readAll = (received: Received): ReadonlyMap<string, Texts> => {
    const [sealed] = findCookies(headerOf(received, 'cookie'), keptName)
    if (sealed === undefined) return new Map()
    try {
      return new Map(JSON.parse(keyring.decrypt('page', sealed)))
    } catch {
      // Of a secret that is not configured any more, or not ours: the page is shown without it.
      return new Map()
    }
  }
  return {
    /** The email address is not asked for twice on the way through several pages (WCAG 3.3.7); a token is for its own page only. */
    read: (received: Received, path: string): Texts => {
      const all = readAll(received)
      const email = [...all.values()].findLast((values) => values.email)?.email
      return all.get(path) ?? (email === undefined ? {} : { email })
    },
    write: (received: Received, changes: Readonly<Record<string, Texts | null>>): readonly string[] => {
      const before = readAll(received)
      const rest = [...before].filter(([path]) => !Object.hasOwn(changes, path))
      const added = Object.entries(changes).flatMap(([path, values]) => (values ? [[path, values] as const] : []))
      if (added.length === 0 && rest.length === before.size) return []
      const all = [...rest, ...added].slice(-mostKept)
      if (all.length === 0) return [serializeCookie(keptName, '', { ...attributes, maxAge: 0 })]
      return [serializeCookie(keptName, keyring.encrypt('page', JSON.stringify(all)), { ...attributes, maxAge: keptAge })]
    },
  }
}

export function createVisitors({ config, keyring }: App) {
  // Forms are sent to the API, whose path need not be below that of the pages.
  const attributes = { path: '/', httpOnly: true, secure: usesSecureCookies(config), sameSite: 'Lax' }
  const kept = createKept(keyring, attributes)
  return {
    /** @param path of the page: what was kept for another one is not for this one */
    read: (received: Received, path: string): Visitor => {
      const cookies = headerOf(received, 'cookie')
      const cookie = (name: string): string | null => findCookies(cookies, name)[0] ?? null
      const [theme, method] = [cookie('latchkey.theme'), cookie(methodName)]
      const parameters = parametersOf(received)
      const wanted = wantedLocale(parameters.get('ui_locales'), config.dashboard.locales) ?? cookie(wantedCookie)
      const chosen = [parameters.get('lang'), cookie(localeCookie), wanted]
      return {
        received,
        locale: chooseLocale(chosen, headerOf(received, 'accept-language'), config.dashboard.locales),
        theme: theme === 'light' || theme === 'dark' ? theme : null,
        kept: kept.read(received, path),
        lastMethod: method && /^[\w.-]{1,64}$/.test(method) ? method : null,
        hasSession: cookies?.includes('session_token') ?? false,
      }
    },
    /**
     * What the next page needs and its address must not show, as cookies: one, or none when nothing changes.
     * @param changes by page; null: it needs nothing any more
     */
    keep: kept.write,
    rememberMethod: (method: string): string => serializeCookie(methodName, method, { ...attributes, maxAge: longestAge }),
    /** For the next pages and calls, until the browser is closed. */
    rememberWanted: (locale: string): string => serializeCookie(wantedCookie, locale, attributes),
    /** Scripts of the application read it. */
    rememberLocale: (locale: string): string =>
      serializeCookie(localeCookie, locale, { ...attributes, httpOnly: false, maxAge: longestAge }),
  }
}

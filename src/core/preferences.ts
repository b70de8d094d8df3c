/** The language and the time zone of the client of a call, as its browser names them. */
import type { Config } from '../features/index.ts'
import { acceptedLocale, closestLocale, isTimeZone } from '../lib/locale.ts'
import type { IncomingRequest } from './request.ts'

/** A language of the texts of Latchkey. */
export type Locale = Config['dashboard']['locales'][number]

/** Cookies that the hosted pages write: the language that a visitor has chosen, and the time zone of their browser. */
export const localeCookie = 'latchkey.locale'
const zoneCookie = 'latchkey.zone'
/** What the application that sent the visitor here wants (`ui_locales`), until the browser is closed: weaker than a choice of theirs. */
export const wantedCookie = 'latchkey.wanted'

export interface Preferences {
  /** Null when the client names no language that there is. */
  readonly locale: Locale | null
  /** Whether the visitor has chosen it on a page; else their browser prefers it. */
  readonly isChosen: boolean
  /** Such as `Europe/Vienna`; null when it is not known. */
  readonly timeZone: string | null
}

/** Of a command, a job or one of the operator's own servers: no user reads a page. */
export const noPreferences: Preferences = { locale: null, isChosen: false, timeZone: null }

export function readPreferences({ dashboard }: Config, request: IncomingRequest): Preferences {
  const { locales } = dashboard
  const [chosen, wanted, zone] = [localeCookie, wantedCookie, zoneCookie].map((name) => request.cookie(name))
  const known = closestLocale(chosen ?? '', locales)
  return {
    locale: known ?? closestLocale(wanted ?? '', locales) ?? acceptedLocale(request.header('accept-language'), locales) ?? null,
    isChosen: known !== undefined,
    timeZone: zone !== undefined && isTimeZone(zone) ? zone : null,
  }
}

/** What a hosted page declares: the server renders it as a function of its request, and its forms are plain HTML forms. */
import { type ComponentType, createContext, use } from 'react'
import type { FoundPage, Next, PageRead, PageRequest, Site, Texts } from '../../../src/core/hosted.ts'
import type { PublicSettings } from '../../../src/features/index.ts'
import type { Catalogue } from '../i18n/messages.ts'
import type { Files } from './files.ts'

/** What follows the call of a form. */
export interface FormDeclaration {
  /** Such as `POST /sign-in/email`. */
  readonly call: string
  /** Another call that the values are for; null: this one. */
  readonly becomes?: (values: Texts, settings: PublicSettings) => { readonly call: string; readonly values: Texts } | null
  /** The field of each error code; other errors appear above the form. */
  readonly fields?: Readonly<Record<string, string>>
  /** Of a sign-in method: its name, for "last used here". */
  readonly method?: (values: Texts) => string
  /** Where the form leads when its call succeeded. */
  readonly next: (result: never, page: PageRequest, values: Texts, settings: PublicSettings) => Next
  /** Where an error leads, in place of being shown. */
  readonly onError?: (code: string, page: PageRequest, values: Texts, settings: PublicSettings) => Next | null
}

export interface HostedPage<M = never> {
  /** Below `dashboard.path`. */
  readonly path: `/${string}`
  readonly messages: Catalogue<M>
  /** Key of the title in the catalogue. */
  readonly title: keyof M & string
  readonly access: FoundPage['access']
  /** Absent: the page always exists. */
  readonly exists?: (settings: PublicSettings) => boolean
  readonly leadsTo?: (settings: PublicSettings) => string | null
  /** Parameters that are moved out of the address, such as the token of a mailed link. */
  readonly keeps?: readonly string[]
  readonly read?: (request: PageRequest) => PageRead | null
  /** Where the page leads when this call fails; null: it stays. */
  readonly onFailure?: (code: string, request: PageRequest) => Next | null
  /** Where the page leads by what this call responds with; null: it stays. */
  readonly onRead?: (request: PageRequest, site: Site) => Next | null
  readonly forms?: readonly FormDeclaration[]
  readonly View: ComponentType
}

/** Keeps the keys of the messages in the type while the page is declared. */
export const hostedPage = <M>(page: HostedPage<M>): HostedPage => page as unknown as HostedPage

/** The token of a mailed link: kept out of the address, or sent with the form that failed. */
export const tokenOf = ({ kept, form }: PageRequest): string | undefined => kept.token ?? form?.values.token

/** Of a page of a mailed link: the call that says what its token is for. */
export const readToken =
  (call: string) =>
  (request: PageRequest): PageRead | null => {
    const token = tokenOf(request)
    return token === undefined ? null : { call, input: { token } }
  }

interface PageContext {
  readonly site: Site
  readonly page: PageRequest
  readonly forms: readonly FormDeclaration[]
  readonly files: Files
}
const Context = createContext<PageContext | null>(null)
export const PageProvider = Context

export function usePage(): PageContext {
  const context = use(Context)
  if (!context) throw new Error('There is no page around this component')
  return context
}

export const useSettings = (): PublicSettings => usePage().site.settings
/** Undefined when it is absent or empty. */
export const useParameter = (name: string): string | undefined => usePage().page.parameters[name] || undefined

/** @returns `UNKNOWN_ERROR` for a text that is not a code: anyone can link to a page, and it must not show their sentences under our name */
export function useErrorParameter(): string | undefined {
  const error = useParameter('error')
  return error === undefined || /^[\w.'-]{1,100}$/.test(error) ? error : 'UNKNOWN_ERROR'
}

/** The URL of a page of the dashboard, for `callbackURL` and mailed links. @param parameters those that are undefined are left out */
export function pageURL(
  { origin, base }: Site,
  path: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const url = new URL(`${base}${path.slice(1)}`, origin)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** The same as a path, for links. */
export const pagePath = (site: Site, path: string, parameters?: Readonly<Record<string, string | undefined>>): string =>
  pageURL(site, path, parameters).slice(site.origin.length)

/** The user of the page's session. */
export interface PageUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
}
export const userOf = ({ session }: PageRequest): PageUser | null => (session as { readonly user: PageUser } | null)?.user ?? null

/**
 * The hosted pages as the server sees them: what a page is rendered from, and where its forms lead. `dashboard/` builds them, and
 * `http/hosted.ts` serves them.
 */
import type { PublicSettings } from '../features/index.ts'
import type { OwnTexts } from '../lib/own-text.ts'

/** Texts by name: parameters of an address, fields of a form. */
export type Texts = Readonly<Record<string, string>>

/** A failed call, as pages show it. */
export interface PageFailure {
  readonly code: string
  readonly message: string
  readonly requestId: string | null
  /** Seconds until the call may be repeated. */
  readonly retryAfter: number | null
}

/** What a page is rendered from. */
export interface PageRequest {
  /** Below that of the hosted pages, with a slash at the start. */
  readonly path: string
  readonly parameters: Texts
  readonly locale: string
  /** Null: that of the system. */
  readonly theme: 'light' | 'dark' | null
  /** What the page before it, or its link, has left for it, such as an email address or a token. It is not in the address. */
  readonly kept: Texts
  /** The sign-in method that was used last in this browser, as its form names it. */
  readonly lastMethod: string | null
  /** As `GET /get-session` responds. */
  readonly session: unknown
  /** As the call responds that the page reads. */
  readonly data: unknown
  /** Of the call that the page reads, or of its form. */
  readonly failure: PageFailure | null
  /** The form whose call has failed, with what was sent; without passwords. */
  readonly form: { readonly call: string; readonly values: Texts } | null
  /** When the request arrived, for what a form leaves for the next page; ISO 8601. Pages themselves may be older. */
  readonly time: string
  /** Whether a script has sent the form. */
  readonly hasScript: boolean
  /** Where the page leads by itself; null: it stays. */
  readonly refresh: string | null
  /** Whether calls that change something are rejected at the moment. */
  readonly isReadOnly: boolean
}

/** Of a page that shows nothing of its visitor. */
export const emptyPage = {
  parameters: {},
  theme: null,
  kept: {},
  lastMethod: null,
  session: null,
  data: null,
  failure: null,
  form: null,
  time: '',
  hasScript: false,
  refresh: null,
  isReadOnly: false,
} satisfies Partial<PageRequest>

/** Where a form leads: to a page, back to the application (null: to the account), or to a URL that the API has responded with. */
export type Next =
  | { readonly page: string; readonly parameters?: Readonly<Record<string, string | undefined>>; readonly keep?: Texts }
  | { readonly leave: string | null }
  | { readonly url: string }

/** A call that a page makes while it is rendered; it changes nothing. */
export interface PageRead {
  /** Such as `POST /set-up/check`. */
  readonly call: string
  /** Its query, or its body. */
  readonly input: Texts
}

/** What is known of a page before it is rendered. */
export interface FoundPage {
  /** `session`: visitors sign in first. */
  readonly access: 'anyone' | 'optional-session' | 'session'
  /** The path of the page that is opened in place of this one; null: this one. */
  readonly leadsTo: string | null
  /** Parameters that are kept out of the address, because they are secrets. */
  readonly keeps: readonly string[]
  readonly read: ((request: PageRequest) => PageRead | null) | null
  /** Where the page leads when this call fails. @returns null when it stays */
  readonly onFailure: ((code: string, request: PageRequest) => Next | null) | null
  /** Where the page leads by what this call responds with. @returns null when it stays */
  readonly onRead: ((request: PageRequest) => Next | null) | null
}

/** The hosted pages under one configuration. */
export interface HostedPages {
  /** Of the pages that exist. */
  readonly paths: readonly string[]
  /** @returns null when there is no such page under this configuration */
  find(path: string): FoundPage | null
  /** The first page with a form for this call; null when there is none. */
  pageOf(call: string): string | null
  /** The whole document. @returns the page for unknown addresses when there is no page at this path */
  render(request: PageRequest): string
  /** The call that a form of this page makes with these values: most make the one that they name. */
  callOf(path: string, call: string, values: Texts): { readonly call: string; readonly values: Texts }
  /** The sign-in method that a form of this page is for; null: none. */
  methodOf(path: string, call: string, values: Texts): string | null
  /** Where a form of this page leads after its call. @returns null when it stays, to show the failure */
  next(request: PageRequest, call: string, outcome: FormOutcome): Next | null
}

export interface FormOutcome {
  readonly values: Texts
  /** As the call responds; undefined when it has failed. */
  readonly result: unknown
  readonly failure: PageFailure | null
}

/** What the pages of an installation have in common. */
export interface Site {
  readonly settings: PublicSettings
  /** Path of the hosted pages, with a slash at both ends. */
  readonly base: string
  /** Path of the API, without a slash at the end. */
  readonly api: string
  readonly origin: string
  /** Rules of the configured color; empty: none. */
  readonly style: string
  /** Texts of the operator in place of ours, by locale. */
  readonly texts: Readonly<Record<string, OwnTexts>>
}

/** What the built file exports. */
export interface HostedModule {
  /** All pages, of any configuration. */
  readonly declaredPages: readonly { readonly path: string; readonly access: FoundPage['access'] }[]
  readonly createHostedPages: (site: Site) => Promise<HostedPages>
  readonly createReferencePages: (site: ReferenceSite) => Promise<ReferencePages>
}

/** What the pages of the API reference have in common. */
export interface ReferenceSite {
  /** OpenAPI 3.1. */
  readonly document: unknown
  readonly settings: Pick<PublicSettings, 'appName' | 'branding' | 'locales'>
  /** Rules of the brand; empty: none. */
  readonly style: string
  /** Path of the reference, without a slash at the end. */
  readonly base: string
  readonly documentPath: string
}

export interface ReferenceRequest extends Pick<PageRequest, 'locale' | 'theme'> {
  /** Of the page; empty: the overview. */
  readonly name: string
}

/** The pages of the API reference under one configuration. */
export interface ReferencePages {
  /** Of the pages that exist; empty: the overview. */
  readonly names: ReadonlySet<string>
  /** Names of the built files that pages load. */
  readonly files: readonly string[]
  /** The whole document. */
  render(request: ReferenceRequest): string
}

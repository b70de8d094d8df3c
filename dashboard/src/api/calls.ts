/** Calls of the API with the types of the server, and what the pages know of it. */
import { QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ClientError, createClient } from '../../../src/client.ts'
import type { PublicSettings } from '../../../src/features/index.ts'
import { noteFrozen } from '../browser/frozen.ts'
import { noteUserChange } from '../browser/user-channel.ts'

export { ClientError } from '../../../src/client.ts'

const metaOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="latchkey:${name}"]`)?.content ?? ''

/** The path of the dashboard, with a trailing slash. */
export const basePath = new URL(document.baseURI).pathname
/** The path of the API, without a trailing slash. */
export const apiPath = metaOf('api')

/** The URL of a page of the dashboard, for `callbackURL` and links that leave the application. @param search parameters that are set */
export function pageURL(path: string, search: Readonly<Record<string, string | undefined>> = {}): string {
  const url = new URL(path.replace(/^\//, ''), document.baseURI)
  for (const [name, value] of Object.entries(search)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** Makes one call as is: without signing in again when the session has expired. */
export const send = createClient({
  baseURL: `${location.origin}${apiPath}`,
  fetch: (url, init) => fetch(url, init).then(noteFrozen),
})

/** The same with more headers, such as the response of a captcha. */
export const sendWith = (headers: Readonly<Record<string, string>>) =>
  createClient({
    baseURL: `${location.origin}${apiPath}`,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } }),
  })

/** Whether a call was rejected with this code of the error catalogue. */
export const hasCode = (error: unknown, code: string): boolean => error instanceof ClientError && error.code === code

/** The error of a request that got no response. */
export const isOffline = (error: unknown): boolean => error instanceof TypeError

const isTemporary = (error: unknown) => isOffline(error) || (error instanceof ClientError && error.status >= 500)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && isTemporary(error),
    },
    mutations: { networkMode: 'always' },
  },
})

/** The daemon writes them into the page; the server of `npm run dashboard` does not. */
async function readSettings(): Promise<PublicSettings> {
  const written = metaOf('settings')
  return written ? JSON.parse(written) : send('GET /public-settings', {})
}

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: readSettings,
  staleTime: Number.POSITIVE_INFINITY,
})
export const useSettings = (): PublicSettings => useSuspenseQuery(settingsQuery).data

/** The newest session of this tab, which stays known when it has ended. */
let last: Session | null = null
export const lastSession = (): Session | null => last

const getSession = () => send('GET /get-session', { query: { disableCustomSession: 'true' } })
export type Session = NonNullable<Awaited<ReturnType<typeof getSession>>>
export type User = Session['user']

let keepsPage = false
/** While the user signs in again in place, this page must not be loaded again: it would lose its input. */
export const setKeepsPage = (keeps: boolean): void => {
  keepsPage = keeps
}

/** The current session. When another tab has signed in as another user, this page is loaded again as theirs. */
export async function readSession(): Promise<Session | null> {
  const session = await getSession()
  if (session && last && session.user.id !== last.user.id) {
    if (keepsPage) return null
    noteUserChange(session.user.id)
    location.reload()
    return new Promise(() => undefined)
  }
  last = session ?? last
  return session
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  // A session may end on another device: this tab notices when the user comes back to it.
  refetchOnWindowFocus: 'always',
})

/** Reads the session again, after a change of it or of its user. */
export const refreshSession = (): Promise<Session | null> => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })

/** After sign-out, the browser may show this page again as it was. */
addEventListener('pageshow', ({ persisted }) => persisted && lastSession() && location.reload())

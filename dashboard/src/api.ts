/** Calls of the API with the types of the server, and what the pages know of it. */
import { QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ClientError, createClient } from '../../src/client.ts'
import type { PublicSettings } from '../../src/features/index.ts'

export { ClientError } from '../../src/client.ts'

const metaOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="latchkey:${name}"]`)?.content ?? ''

/** The path of the dashboard, with a trailing slash. */
export const basePath = new URL(document.baseURI).pathname
/** The path of the API, without a trailing slash. */
export const apiPath = metaOf('api')
/** The hosted page that the server chose for this response; empty: that of the address. */
export const servedPage = metaOf('page')

/** The URL of a page of the dashboard, for `callbackURL` and links that leave the application. */
export const pageURL = (path: string): string => new URL(path.replace(/^\//, ''), document.baseURI).href

/** Makes one call as is: without signing in again when the session has expired. */
export const send = createClient({ baseURL: `${location.origin}${apiPath}` })

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

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: (): Promise<PublicSettings> => send('GET /public-settings', {}),
  staleTime: Number.POSITIVE_INFINITY,
})
export const useSettings = (): PublicSettings => useSuspenseQuery(settingsQuery).data

/** The newest session of this tab, which stays known when it has ended. */
let last: Session | null = null
export const lastSession = (): Session | null => last
export const discardSession = (): void => {
  last = null
}

const readSession = () => send('GET /get-session', { query: {} })
export type Session = NonNullable<Awaited<ReturnType<typeof readSession>>>
export type User = Session['user']

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    const session = await readSession()
    last = session ?? last
    return session
  },
})

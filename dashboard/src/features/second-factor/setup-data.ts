/** The sign-in of this browser that waits for a second factor, as data, and where it leads. */
import { queryOptions } from '@tanstack/react-query'
import { apiPath, pageURL, send } from '../../api/calls.ts'

const readPending = () => send('GET /two-factor/challenge', {})
export type PendingSetup = Awaited<ReturnType<typeof readPending>>
/** Not kept: an answer, or another tab, ends it. */
export const setupQuery = queryOptions({
  queryKey: ['second-factor-setup'],
  queryFn: readPending,
  staleTime: 0,
  refetchOnWindowFocus: false,
})

/** How the response continues that completes the sign-in. */
export interface Done {
  readonly url?: string | undefined
  readonly backupCodes?: readonly string[] | undefined
}

/** The API checks where an application gets its visitor back. */
export const leaveTo = (url: string | undefined): void =>
  location.replace(url ? `${apiPath}/continue?${new URLSearchParams({ callbackURL: url })}` : pageURL('/account'))

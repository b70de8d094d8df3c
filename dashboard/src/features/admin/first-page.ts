/** Loads the first page of users while the code of the screen is loaded: the list is what the visitor waits for. */
import { pageURL, queryClient } from '../../api/calls.ts'
import { showsOrganizations } from './columns.ts'
import { readFilter, usersQuery } from './data.ts'

/** Only when the page is opened at its own address: the one that a link leads to is not known here. */
export function loadFirstPage(): Promise<void> {
  const { pathname, searchParams } = new URL(location.href)
  if (pathname !== new URL(pageURL('/admin/users')).pathname) return Promise.resolve()
  const read = (name: string) => searchParams.get(name) || undefined
  void queryClient.prefetchQuery(usersQuery(readFilter(read), showsOrganizations(read)))
  return Promise.resolve()
}

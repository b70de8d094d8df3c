/** A page of an application that uses the published client; the test bundles it and runs it in the browser. */
import { createAuthClient } from 'better-auth/client'
import { adminClient, organizationClient } from 'better-auth/client/plugins'
import { createAuthClient as createNewest } from 'better-auth-newest/client'
import {
  adminClient as newestAdminClient,
  organizationClient as newestOrganizationClient,
} from 'better-auth-newest/client/plugins'

interface SessionState {
  readonly data: { readonly user: { readonly email: string }; readonly session: { readonly expiresAt: unknown } } | null
  readonly isPending: boolean
}
interface Callable {
  (input: object, options: object): Promise<{ readonly data: unknown; readonly error: unknown }>
  readonly [name: string]: Callable
}
interface Client {
  readonly useSession: { subscribe(listener: (state: SessionState) => void): () => void }
}
interface Store<T> {
  subscribe(listener: (state: { readonly data: T | null; readonly isPending: boolean }) => void): () => void
}
interface OrganizationStores {
  readonly useListOrganizations: Store<readonly { readonly slug: string }[]>
  readonly useActiveOrganization: Store<{ readonly slug: string; readonly members: readonly { readonly role: string }[] }>
  readonly useActiveMember: Store<{ readonly role: string }>
}

const state: { client?: object; seen: string[]; organizations: Record<string, string> } = { seen: [], organizations: {} }

/** States of the store: `…` while it waits, then the email address of the user or `signed out`. */
const describeState = ({ data, isPending }: SessionState): string => {
  if (isPending) return '…'
  if (!data) return 'signed out'
  return data.session.expiresAt instanceof Date ? data.user.email : 'a session without dates'
}

const published = {
  /** With the plugin for administration, which listens to impersonations in its newest version. */
  open: (version: string, baseURL: string) => {
    const options = { baseURL, fetchOptions: { retry: 0 } }
    const client: Client =
      version === 'newest'
        ? createNewest({ ...options, plugins: [newestAdminClient()] })
        : createAuthClient({ ...options, plugins: [adminClient() as never] })
    state.client = client
    client.useSession.subscribe((next) => void state.seen.push(describeState(next)))
  },
  /** With the plugin for organizations, and a listener to each of its stores. */
  openWithOrganizations: (version: string, baseURL: string) => {
    const options = { baseURL, fetchOptions: { retry: 0 } }
    const client =
      version === 'newest'
        ? createNewest({ ...options, plugins: [newestOrganizationClient()] })
        : createAuthClient({ ...options, plugins: [organizationClient() as never] })
    state.client = client
    const { useListOrganizations, useActiveOrganization, useActiveMember } = client as unknown as OrganizationStores
    const show = (name: string, text: string | undefined) => {
      state.organizations[name] = text ?? 'none'
    }
    useListOrganizations.subscribe(({ data }) => show('list', data?.map(({ slug }) => slug).join(' ')))
    useActiveOrganization.subscribe(({ data }) =>
      show(
        'active',
        data
          ? `${data.slug}: ${data.members
              .map(({ role }) => role)
              .sort()
              .join(' ')}`
          : undefined,
      ),
    )
    useActiveMember.subscribe(({ data }) => show('member', data?.role))
  },
  organizations: () => state.organizations,
  /** @param path as in `signIn.email` */
  call: async (path: string, input: object) => {
    let retryAfter: string | null = null
    const onError = ({ response }: { response: Response }) => {
      retryAfter = response.headers.get('X-Retry-After')
    }
    const method = path.split('.').reduce((target, name) => target[name] as Callable, state.client as Callable)
    try {
      const { data, error } = await method(input, { onError })
      return JSON.parse(JSON.stringify({ data, error, retryAfter }))
    } catch {
      // Later versions throw without a response, earlier ones report the status 0.
      return { data: null, error: { status: 0, statusText: '' }, retryAfter }
    }
  },
  session: () => state.seen.at(-1),
  seen: () => state.seen,
}
export type Published = typeof published

Object.assign(globalThis, { published })

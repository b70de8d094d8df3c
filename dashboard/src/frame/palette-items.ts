/** What the command palette offers: pages, actions, and what the server finds. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSettings } from '../api/calls.ts'
import { setTheme } from '../browser/theme.ts'
import { useLocale, useMessages } from '../i18n/messages.ts'
import {
  membershipsQuery,
  type Organization,
  organizationPath,
  organizationQuery,
  useOrganizationId,
} from '../session/organizations.ts'
import { useIsPermitted, useTitledEntries } from '../session/permissions.ts'
import { call, signOut, useSession } from '../session/session.ts'
import { openPalette, paletteMessages } from './palette.tsx'

export interface PaletteItem {
  readonly id: string
  readonly icon: 'page' | 'action' | 'user' | 'organization' | 'events'
  readonly label: string
  /** After the label, such as an email address. */
  readonly detail?: string
  /** Whether the label is a name and no text of the pages. */
  readonly isName?: boolean
  /** The page that opens; the others act. */
  readonly to?: string
  readonly search?: Readonly<Record<string, string>>
  readonly act?: () => void
}

export interface PaletteGroup {
  readonly value: string
  readonly items: readonly PaletteItem[]
}

/** Milliseconds for which a text must stay before the server searches for it. */
const pause = 150
/** Fewer characters find too much. */
const shortest = 2
const most = 5

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function usePages(frame: 'account' | 'admin'): readonly PaletteItem[] {
  const { locale } = useLocale()
  const entries = useTitledEntries(frame)
  return entries.map(({ path, label }) => ({ id: `page ${path}`, icon: 'page', label: label(locale), to: path }))
}

const found = { placeholderData: keepPreviousData, staleTime: 30_000, retry: false } as const

/** The organization that is open, or the active one, if the user may invite to it. */
function useInvitation(): Pick<Organization, 'id' | 'name'> | undefined {
  const { organization } = useSettings()
  const active = useSession().session.activeOrganizationId ?? undefined
  const id = useOrganizationId() ?? active
  const { data } = useQuery({ ...organizationQuery(id ?? ''), enabled: organization !== null && id !== undefined, ...found })
  return data?.id === id && data?.allows('invitation', 'create') ? data : undefined
}

function useActions(): readonly PaletteItem[] {
  const t = useMessages(paletteMessages)
  const isPermitted = useIsPermitted()
  const { admin, organization, multiSession } = useSettings()
  const isDark = document.documentElement.dataset.theme === 'dark'
  const inviting = useInvitation()
  const action = (id: string, label: string, what: Pick<PaletteItem, 'to' | 'search' | 'act'>): PaletteItem => ({
    ...{ id: `action ${id}`, icon: 'action', label },
    ...what,
  })
  return [
    ...(inviting
      ? [
          action('invite', t('inviteTo', { name: inviting.name }), {
            to: organizationPath(inviting.id, 'invitations'),
            search: { invite: 'yes' },
          }),
        ]
      : []),
    ...(admin && isPermitted('user', 'create') ? [action('user', t('createUser'), { to: '/admin/users/create' })] : []),
    ...(organization?.canCreate ? [action('organization', t('createOrganization'), { to: '/organizations/create' })] : []),
    action('theme', t(isDark ? 'lightTheme' : 'darkTheme'), { act: () => setTheme(isDark ? 'light' : 'dark') }),
    action('shortcuts', t('showShortcuts'), { act: () => openPalette('shortcuts') }),
    action('out', t(multiSession ? 'signOutOfAll' : 'signOut'), { act: () => void signOut() }),
  ]
}

/** All words of the text are part of the label. */
const matching = (items: readonly PaletteItem[], text: string): readonly PaletteItem[] => {
  const words = text.toLowerCase().split(/\s+/)
  return items.filter(({ label, to = '' }) => words.every((word) => `${label} ${to}`.toLowerCase().includes(word)))
}

function useUsers(search: string) {
  const t = useMessages(paletteMessages)
  const isPermitted = useIsPermitted()
  const enabled = search.length >= shortest && isPermitted('user', 'list')
  const query = useQuery({
    queryKey: ['palette', 'users', search],
    queryFn: ({ signal }) =>
      call('GET /admin/list-users', { query: { search, limit: most, sortBy: 'createdAt', sortDirection: 'desc' } }, { signal }),
    enabled,
    ...found,
  })
  const users = enabled ? (query.data?.users ?? []) : []
  const items = users.map(
    ({ id, name, email }): PaletteItem => ({
      ...{ id: `user ${id}`, icon: 'user', label: name || email, detail: email, isName: true },
      to: `/admin/users/${encodeURIComponent(id)}`,
    }),
  )
  const [first] = users
  const events: readonly PaletteItem[] =
    first && isPermitted('event', 'list')
      ? [
          {
            ...{ id: `events ${first.id}`, icon: 'events', label: t('eventsOf', { name: first.name || first.email }) },
            ...{ to: '/admin/events', search: { userId: first.id } },
          },
        ]
      : []
  return { items, events, isPending: enabled && query.isFetching, error: enabled ? query.error : null }
}

function useOrganizations(search: string) {
  const { organization } = useSettings()
  const isPermitted = useIsPermitted()
  const isAsked = search.length >= shortest && organization !== null
  const own = useQuery({ ...membershipsQuery({ search, limit: most }), enabled: isAsked, ...found })
  const isAllowed = isAsked && isPermitted('organization', 'list')
  const all = useQuery({
    queryKey: ['palette', 'organizations', search],
    queryFn: ({ signal }) => call('GET /admin/list-organizations', { query: { search, limit: most } }, { signal }),
    enabled: isAllowed,
    ...found,
  })
  const item = (kind: string, { id, name, slug }: { id: string; name: string; slug: string }, to: string): PaletteItem => ({
    ...{ id: `${kind} ${id}`, icon: 'organization', label: name, detail: slug, isName: true, to },
  })
  return {
    own: isAsked ? (own.data?.memberships ?? []).map(({ organization: one }) => item('own', one, organizationPath(one.id))) : [],
    all: isAllowed
      ? (all.data?.organizations ?? []).map((one) => item('any', one, `/admin/organizations/${encodeURIComponent(one.id)}`))
      : [],
    isPending: isAsked && (own.isFetching || all.isFetching),
    error: isAsked ? (own.error ?? all.error) : null,
  }
}

export function usePaletteItems(text: string) {
  const t = useMessages(paletteMessages)
  const typed = text.trim()
  const search = useSettled(typed)
  const [account, admin, actions] = [usePages('account'), usePages('admin'), useActions()]
  const users = useUsers(search)
  const organizations = useOrganizations(search)
  const groups: readonly PaletteGroup[] = [
    { value: t('users'), items: users.items },
    { value: t('ownOrganizations'), items: organizations.own },
    { value: t('organizations'), items: organizations.all },
    { value: t('pages'), items: [...matching(admin, typed), ...users.events] },
    { value: t('account'), items: matching(account, typed) },
    { value: t('actions'), items: matching(actions, typed) },
  ]
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isPending: search !== typed || users.isPending || organizations.isPending,
    error: users.error ?? organizations.error,
  }
}

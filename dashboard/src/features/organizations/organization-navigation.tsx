/** The navigation of one organization, with what the current user may open. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Activity, KeyRound, Layers, LayoutDashboard, type LucideIcon, Mail, Settings, Shield, Users } from 'lucide-react'
import { useSettings } from '../../api/calls.ts'
import { entryLook } from '../../frame/frame-navigation.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { organizationPath, organizationQuery } from '../../session/organizations.ts'
import { messages } from './messages.ts'

interface Entry {
  /** Of the page, and the key of its title. */
  readonly name: 'overview' | 'members' | 'invitations' | 'teams' | 'roles' | 'apiKeys' | 'activity' | 'settings'
  readonly icon: LucideIcon
}

const main: readonly Entry[] = [
  { name: 'overview', icon: LayoutDashboard },
  { name: 'members', icon: Users },
  { name: 'invitations', icon: Mail },
  { name: 'teams', icon: Layers },
  { name: 'roles', icon: Shield },
]
const manage: readonly Entry[] = [
  { name: 'apiKeys', icon: KeyRound },
  { name: 'activity', icon: Activity },
  { name: 'settings', icon: Settings },
]

const pathOf = (name: Entry['name']): string => (name === 'overview' ? '' : name === 'apiKeys' ? 'api-keys' : name)

interface Props {
  readonly id: string
  readonly onChoose?: (() => void) | undefined
}

export function OrganizationNavigation({ id, onChoose }: Props) {
  const t = useMessages(messages)
  const { organization: settings, organizationApiKeys } = useSettings()
  const { data } = useQuery({ ...organizationQuery(id), enabled: false })
  const isShown = ({ name }: Entry) => {
    if (name === 'teams') return settings?.teams ?? false
    if (name === 'apiKeys') return organizationApiKeys !== null && (data?.allows('apiKey', 'read') ?? false)
    if (name === 'activity') return data?.allows('organization', 'update') ?? false
    return name !== 'settings' || (data ? data.allows('organization', 'update') || data.allows('organization', 'delete') : false)
  }
  const groups = [
    { label: t('organizationNavigation'), heading: null, entries: main },
    { label: t('manage'), heading: t('manage'), entries: manage.filter(isShown) },
  ]
  return groups.map(({ label, heading, entries }) =>
    entries.length === 0 ? null : (
      <nav key={label} aria-label={label} className="mt-4 grid gap-px first-of-type:mt-0">
        {heading ? <p className="px-2 pb-1 text-12 font-medium text-muted">{heading}</p> : null}
        {entries.filter(isShown).map(({ name, icon: Icon }) => (
          <Link
            key={name}
            to={organizationPath(id, pathOf(name)) as string}
            activeOptions={{ exact: true, includeSearch: false }}
            onClick={onChoose}
            className={entryLook}
          >
            <Icon aria-hidden className="size-4 shrink-0" />
            {t(name)}
          </Link>
        ))}
      </nav>
    ),
  )
}

/** The organization switcher at the top of the navigation: searchable, recently opened organizations first. */
import { Combobox } from '@base-ui/react/combobox'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Check, ChevronsUpDown, CircleUser, Layers, Plus, Search, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSettings } from '../api.ts'
import { ErrorNote } from '../components/feedback.tsx'
import { Avatar, Tag } from '../components/layout.tsx'
import { showToast } from '../components/toast.tsx'
import { useErrorText } from '../errors.ts'
import { messages } from '../features/organizations/index.ts'
import { useRoleList } from '../features/organizations/role-parts.tsx'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages.ts'
import {
  activateOrganization,
  type Membership,
  type MembershipGroup,
  type MembershipGroups,
  noteRecent,
  organizationPath,
  organizationQuery,
  useMembershipGroups,
  useOrganizationId,
} from '../organizations.ts'
import { useSession } from '../session.ts'
import { useInstancePath, useIsInstance } from './frame-navigation.tsx'

interface SwitcherProps {
  /** Closes what contains it. */
  readonly onChoose?: () => void
}

export function OrganizationSwitcher({ onChoose }: SwitcherProps) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const errorText = useErrorText()
  const { activeOrganizationId } = useSession().session
  const current = useCurrent()
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const found = useMembershipGroups(search, isOpen)
  const items = found.groups.flatMap(({ items }) => items)
  const close = () => {
    setOpen(false)
    onChoose?.()
  }
  const choose = (chosen: Membership | null) => {
    if (!chosen) return
    const { id } = chosen.organization
    close()
    noteRecent(id)
    void navigate({ to: organizationPath(id) as string })
    // Its page offers it again.
    activateOrganization(id).catch((error: unknown) => showToast(errorText(error).sentence))
  }
  return (
    <Combobox.Root<Membership>
      items={found.groups}
      filter={null}
      value={items.find(({ organization }) => organization.id === activeOrganizationId) ?? null}
      onValueChange={choose}
      itemToStringLabel={({ organization }) => organization.name}
      isItemEqualToValue={(one, other) => one.organization.id === other.organization.id}
      open={isOpen}
      onOpenChange={(next) => {
        setSearch('')
        setOpen(next)
      }}
      inputValue={search}
      onInputValueChange={setSearch}
      autoHighlight
    >
      <Combobox.Trigger
        aria-label={`${current.name}: ${t('switchOrganization')}`}
        className="mb-2 flex w-full cursor-pointer items-center gap-2.5 rounded-card border border-border bg-surface px-2 py-1.5 text-start text-13 hover:border-border-strong"
      >
        <Current {...current} />
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={4} className="z-50">
          <Combobox.Popup
            aria-label={t('switchOrganization')}
            className="flex max-h-(--available-height) w-72 max-w-(--available-width) flex-col rounded-card bg-raised p-1 text-13 shadow-menu transition-[opacity,translate] duration-120 ease-out data-starting-style:translate-y-1 data-starting-style:opacity-0 data-ending-style:opacity-0"
          >
            <div className="relative m-1">
              <Search aria-hidden className="pointer-events-none absolute inset-y-0 start-2.5 my-auto size-4 text-muted" />
              <Combobox.Input
                aria-label={t('findOrganization')}
                placeholder={t('findOrganization')}
                className="min-h-(--target) w-full rounded-control border border-control bg-surface ps-8.5 pe-2.5 placeholder:text-muted focus-visible:border-accent"
              />
            </div>
            <Results {...found} search={search} />
            <Ways onChoose={close} />
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}

interface CurrentProps {
  readonly name: string
  readonly detail: string
  readonly icon: ReactNode
}

/** The open organization with the role of the user, or the account. */
function useCurrent(): CurrentProps {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const roles = useRoleList()
  const id = useOrganizationId()
  const { data } = useQuery({ ...organizationQuery(id ?? ''), enabled: false })
  const isInstance = useIsInstance()
  if (data && !isInstance) return { name: data.name, detail: roles(data.role), icon: <Avatar name={data.name} isSquare /> }
  const outside = isInstance ? SlidersHorizontal : CircleUser
  const Icon = isInstance || id === undefined ? outside : Layers
  const icon = (
    <span aria-hidden className="grid size-7 shrink-0 place-content-center rounded-control bg-fill text-muted">
      <Icon className="size-4" />
    </span>
  )
  if (isInstance) return { name: frame('instance'), detail: frame('administration'), icon }
  return { name: id === undefined ? frame('yourAccount') : t('organization'), detail: t('switchOrganization'), icon }
}

const Current = ({ name, detail, icon }: CurrentProps) => (
  <>
    {icon}
    <span className="min-w-0 grow">
      <span className="block truncate font-medium">
        <bdi>{name}</bdi>
      </span>
      <span className="block truncate text-12 text-muted">{detail}</span>
    </span>
  </>
)

function Results({ groups, total, shown, error, search }: MembershipGroups & { readonly search: string }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const hasRecent = groups.some(({ value }) => value === 'recent')
  const rest = { shown: format.number(shown), total: format.number(total ?? 0) }
  const status = (() => {
    if (total === undefined) return t('searching')
    if (total === 0) return search.trim() ? t('noOrganizationFound', { text: search.trim() }) : t('noOrganizationsYet')
    return shown < total ? t('someOrganizations', rest) : ''
  })()
  if (error) return <ErrorNote error={error} />
  return (
    <>
      <Combobox.List className="min-h-0 grow overflow-y-auto overscroll-contain empty:hidden">
        {(group: MembershipGroup) => (
          <Combobox.Group key={group.value} items={group.items}>
            {hasRecent ? (
              <Combobox.GroupLabel className="px-2 pt-1.5 pb-1 text-12 font-medium text-muted">
                {group.value === 'recent' ? t('recent') : t('otherOrganizations')}
              </Combobox.GroupLabel>
            ) : null}
            <Combobox.Collection>
              {(membership: Membership) => <Option key={membership.organization.id} membership={membership} />}
            </Combobox.Collection>
          </Combobox.Group>
        )}
      </Combobox.List>
      <Combobox.Status className="px-2 py-1.5 text-12 text-muted empty:hidden">{status}</Combobox.Status>
    </>
  )
}

function Option({ membership }: { readonly membership: Membership }) {
  const roles = useRoleList()
  const t = useMessages(messages)
  const { organization, role } = membership
  return (
    <Combobox.Item
      value={membership}
      className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-control px-2 py-1 outline-none select-none data-highlighted:bg-fill"
    >
      <Avatar name={organization.name} isSquare />
      <span className="min-w-0 grow truncate" title={organization.name}>
        <bdi>{organization.name}</bdi>
      </span>
      <Tag>{roles(role)}</Tag>
      <Combobox.ItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
        <span className="sr-only">{t('active')}</span>
      </Combobox.ItemIndicator>
    </Combobox.Item>
  )
}

const wayLook =
  'flex min-h-(--target) items-center gap-2.5 rounded-control px-2 py-1 hover:bg-fill focus-visible:-outline-offset-2'

/** Links to what is not an organization. */
function Ways({ onChoose }: { readonly onChoose: () => void }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { organization } = useSettings()
  const instance = useInstancePath()
  const way = (to: string, icon: ReactNode, text: string) => (
    <Link to={to} onClick={onChoose} className={wayLook}>
      {icon}
      {text}
    </Link>
  )
  return (
    <div className="-mx-1 mt-1 grid border-t border-border px-1 pt-1">
      {way('/account', <CircleUser aria-hidden className="size-4 text-muted" />, frame('yourAccount'))}
      {instance === undefined
        ? null
        : way(instance, <SlidersHorizontal aria-hidden className="size-4 text-muted" />, frame('instance'))}
      {way('/organizations', <Layers aria-hidden className="size-4 text-muted" />, t('allOrganizations'))}
      {organization?.canCreate
        ? way('/organizations/create', <Plus aria-hidden className="size-4 text-muted" />, t('createOrganization'))
        : null}
    </div>
  )
}

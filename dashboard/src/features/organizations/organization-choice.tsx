/** The choice of an organization: searchable, recently opened organizations first. */
import { Combobox } from '@base-ui/react/combobox'
import { Link, useNavigate } from '@tanstack/react-router'
import { Check, CircleUser, Layers, Plus, Search, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { useErrorText } from '../../api/errors.ts'
import { organizationLogo } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { Tag } from '../../components/layout.tsx'
import { showToast } from '../../components/toast.tsx'
import { useInstancePath } from '../../frame/frame-navigation.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import {
  activateOrganization,
  type Membership,
  type MembershipGroup,
  type MembershipGroups,
  noteRecent,
  organizationPath,
  useMembershipGroups,
} from '../../session/organizations.ts'
import { useSession } from '../../session/session.ts'
import { messages } from './messages.ts'
import { useRoleList } from './role-names.ts'

interface ChoiceProps {
  /** Properties of the button that opens it. */
  readonly trigger: { readonly 'aria-label': string; readonly className: string; readonly children: ReactNode }
  /** Closes what contains it. */
  readonly onChoose?: (() => void) | undefined
}

/** It appears open. */
export function OrganizationChoice({ trigger, onChoose }: ChoiceProps) {
  const navigate = useNavigate()
  const errorText = useErrorText()
  const { activeOrganizationId } = useSession().session
  const [isOpen, setOpen] = useState(true)
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
      <Combobox.Trigger {...trigger} />
      <Popup {...found} search={search} onChoose={close} />
    </Combobox.Root>
  )
}

interface FoundProps extends MembershipGroups {
  readonly search: string
}

function Popup({ onChoose, ...found }: FoundProps & { readonly onChoose: () => void }) {
  const t = useMessages(messages)
  return (
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
          <Results {...found} />
          <Ways onChoose={onChoose} />
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  )
}

function Results({ groups, total, shown, error, search }: FoundProps) {
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
      <Avatar name={organization.name} picture={organizationLogo(organization)} isSquare />
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

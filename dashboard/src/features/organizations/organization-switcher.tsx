/** The organization switcher at the top of the navigation. What it opens is loaded when it is used. */
import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown, CircleUser, Layers, SlidersHorizontal } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { organizationLogo } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { useIsInstance } from '../../frame/frame-navigation.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { organizationQuery, useOrganizationId } from '../../session/organizations.ts'
import { messages } from './messages.ts'
import { useRoleList } from './role-names.ts'

const load = () => import('./organization-choice.tsx').then((module) => ({ default: module.OrganizationChoice }))
const Choice = lazy(load)

interface SwitcherProps {
  /** Closes what contains it. */
  readonly onChoose?: (() => void) | undefined
}

export function OrganizationSwitcher({ onChoose }: SwitcherProps) {
  const t = useMessages(messages)
  const current = useCurrent()
  const [isUsed, setUsed] = useState(false)
  const button = {
    'aria-label': `${current.name}: ${t('switchOrganization')}`,
    className:
      'mb-2 flex w-full cursor-pointer items-center gap-2.5 rounded-card border border-border bg-surface px-2 py-1.5 text-start text-13 hover:border-border-strong',
    children: (
      <>
        <Current {...current} />
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
      </>
    ),
  }
  const prepare = () => void load().catch(() => undefined)
  const closed = (
    <button
      type="button"
      // As that of the choice, which takes its place.
      role="combobox"
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => setUsed(true)}
      {...button}
    />
  )
  return isUsed ? (
    <Suspense fallback={closed}>
      <Choice trigger={button} onChoose={onChoose} />
    </Suspense>
  ) : (
    closed
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
  if (data && !isInstance)
    return {
      name: data.name,
      detail: roles(data.role),
      icon: <Avatar name={data.name} picture={organizationLogo(data)} isSquare />,
    }
  const outside = isInstance ? SlidersHorizontal : CircleUser
  const Icon = isInstance || id === undefined ? outside : Layers
  const icon = (
    <span aria-hidden className="grid size-7 shrink-0 place-content-center rounded-control bg-fill text-muted">
      <Icon className="size-4" />
    </span>
  )
  if (isInstance) return { name: frame('instance'), detail: frame('administration'), icon }
  return { name: id === undefined ? frame('yourAccount') : t('organization'), detail: t('switchShort'), icon }
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

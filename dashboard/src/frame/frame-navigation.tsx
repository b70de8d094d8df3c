/** The navigation of the account area and of administration, from the declarations of screens, with what the user may open. */
import { Link, useRouterState } from '@tanstack/react-router'
import { CircleUser, SlidersHorizontal } from 'lucide-react'
import { useSettings } from '../api.ts'
import { OwnNotice } from '../features/organizations/own-notice.tsx'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages.ts'
import { useEntries, useTitledEntries } from '../permissions.ts'
import { compareIcons, entryIcons, entryLook } from './navigation-entry.ts'

/** What waits on a page, as its entry says. */
const notices = { invitations: OwnNotice }

const groups = { account: ['account', 'data'], admin: ['main', 'security', 'system'] } as const

/** Whether the page is one of administration. */
export const useIsInstance = (): boolean =>
  useRouterState({ select: ({ matches }) => matches.some(({ routeId }) => String(routeId) === '/account/admin') })

/** The first page of administration that the current user may open; undefined: none. */
export const useInstancePath = (): string | undefined =>
  [...useEntries('admin')].sort((one, other) => compareIcons(one.navigation.icon, other.navigation.icon))[0]?.path

interface Props {
  readonly frame: 'account' | 'admin'
  readonly onChoose?: (() => void) | undefined
}

export function FrameNavigation({ frame, onChoose }: Props) {
  const t = useFrameMessages()
  const { locale } = useLocale()
  const entries = useTitledEntries(frame)
  const labels = {
    account: t('mainNavigation'),
    data: t('yourData'),
    main: t('mainNavigation'),
    security: t('security'),
    system: t('system'),
  }
  return groups[frame].map((group) => {
    const own = entries
      .filter(({ navigation }) => navigation.group === group)
      .sort((one, other) => compareIcons(one.navigation.icon, other.navigation.icon))
    if (own.length === 0) return null
    return (
      <nav key={group} aria-label={labels[group]} className="mt-4 grid gap-px first-of-type:mt-0">
        {group === groups[frame][0] ? null : <p className="px-2 pb-1 text-12 font-medium text-muted">{labels[group]}</p>}
        {own.map(({ path, label, navigation }) => {
          const Icon = entryIcons[navigation.icon]
          const Notice = navigation.notice && notices[navigation.notice]
          return (
            // A page of administration is open below its list too; the first page of the area is above all others.
            <Link
              key={path}
              to={path}
              activeOptions={{ exact: frame === 'account' || path === '/admin', includeSearch: false }}
              onClick={onChoose}
              className={entryLook}
            >
              <Icon aria-hidden className="size-4 shrink-0" />
              {label(locale)}
              {Notice ? <Notice /> : null}
            </Link>
          )
        })}
      </nav>
    )
  })
}

/** The way between the account and administration, where there is no switcher of organizations. */
export function InstanceLink({ onChoose }: Pick<Props, 'onChoose'>) {
  const t = useFrameMessages()
  const path = useInstancePath()
  const isInstance = useIsInstance()
  const { organization } = useSettings()
  if (organization || (path === undefined && !isInstance)) return null
  const Icon = isInstance ? CircleUser : SlidersHorizontal
  return (
    <div className="mb-3 border-b border-border pb-3">
      <Link to={(isInstance ? '/account' : path) as string} onClick={onChoose} className={entryLook}>
        <Icon aria-hidden className="size-4 shrink-0" />
        {isInstance ? t('yourAccount') : t('instance')}
      </Link>
    </div>
  )
}

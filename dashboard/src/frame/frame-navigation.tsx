/** The navigation of the account area and of administration, from the declarations of screens, with what the user may open. */
import { Link, useMatchRoute, useRouterState } from '@tanstack/react-router'
import { CircleUser, SlidersHorizontal } from 'lucide-react'
import { Suspense } from 'react'
import { useSettings } from '../api/calls.ts'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { type Entry, entryGroups, useEntries, useTitledEntries } from '../session/permissions.ts'

/** How entries look. */
export const entryLook =
  'relative flex min-h-(--target) items-center gap-2.5 rounded-control px-2 text-13 font-medium text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-surface aria-[current=page]:text-text aria-[current=page]:shadow-[0_0_0_1px_var(--border)] aria-[current=page]:before:absolute aria-[current=page]:before:-start-3 aria-[current=page]:before:h-4 aria-[current=page]:before:w-[5px] aria-[current=page]:before:rounded-e-sm aria-[current=page]:before:bg-brass aria-[current=page]:[&_svg]:text-accent'

/** Whether the page is one of administration. */
export const useIsInstance = (): boolean =>
  useRouterState({ select: ({ matches }) => matches.some(({ routeId }) => String(routeId) === '/account/admin') })

/** The first page of administration that the current user may open; undefined: none. */
export const useInstancePath = (): string | undefined => useEntries('admin')[0]?.path

interface Props {
  readonly frame: 'account' | 'admin'
  readonly onChoose?: (() => void) | undefined
}

export function FrameNavigation({ frame, onChoose }: Props) {
  const t = useFrameMessages()
  const { locale } = useLocale()
  const entries = useTitledEntries(frame)
  const isOpen = useIsTabOpen()
  const labels = {
    account: t('mainNavigation'),
    data: t('yourData'),
    main: t('mainNavigation'),
    security: t('security'),
    system: t('operations'),
  }
  return entryGroups[frame].map((group) => {
    const own = entries.filter(({ navigation }) => navigation.group === group)
    if (own.length === 0) return null
    return (
      <nav key={group} aria-label={labels[group]} className="mt-4 grid gap-px first-of-type:mt-0">
        {group === entryGroups[frame][0] ? null : <p className="px-2 pb-1 text-12 font-medium text-muted">{labels[group]}</p>}
        {own
          .filter((entry) => own.find((other) => isSame(entry, other)) === entry)
          .map(({ path, entryLabel, navigation: { icon: Icon, notice: Notice, tabOf } }) => (
            // A page of administration is open below its list too; the first page of the area is above all others.
            <Link
              key={path}
              to={path}
              activeOptions={{ exact: frame === 'account' || path === '/admin', includeSearch: false }}
              aria-current={tabOf !== undefined && isOpen(own, tabOf) ? 'page' : undefined}
              onClick={onChoose}
              className={entryLook}
            >
              <Icon aria-hidden className="size-4 shrink-0" />
              {entryLabel(locale)}
              {Notice ? (
                <Suspense>
                  <Notice />
                </Suspense>
              ) : null}
            </Link>
          ))}
      </nav>
    )
  })
}

/** Tabs of one page share an entry. */
const isSame = (one: Entry, other: Entry): boolean =>
  one === other || (one.navigation.tabOf !== undefined && one.navigation.tabOf === other.navigation.tabOf)

/** @returns whether one of the tabs is open */
function useIsTabOpen() {
  const matchRoute = useMatchRoute()
  return (entries: readonly Entry[], tabOf: string): boolean =>
    entries.some(({ path, navigation }) => navigation.tabOf === tabOf && matchRoute({ to: path }) !== false)
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

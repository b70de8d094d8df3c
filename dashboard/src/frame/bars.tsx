/** Bars at the very top: the name of the environment for everyone, and for administrators what they must know on every page. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { DatabaseZap, FileDiff, Signpost, UserRoundCheck, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useSettings } from '../api/calls.ts'
import { discardUserChange, hasUserChanged } from '../browser/user-channel.ts'
import { Button } from '../components/button.tsx'
import { useFrameMessages } from '../messages/index.ts'
import { useIsPermitted } from '../session/permissions.ts'
import { call, useSession } from '../session/session.ts'

const grounds = {
  info: 'bg-info-soft text-info',
  warning: 'bg-brass-soft text-brass',
  danger: 'bg-danger-soft text-danger',
}

interface BarProps {
  readonly icon: typeof Signpost
  readonly tone: keyof typeof grounds
  /** Names the bar among the landmarks. */
  readonly label: string
  readonly children: ReactNode
}

/** The border appears with forced colors only, which remove the ground. */
export const Bar = ({ icon: Icon, tone, label, children }: BarProps) => (
  <aside
    aria-label={label}
    className={clsx(
      'bar min-h-10 border-b border-transparent px-4 py-2 text-center text-13 font-medium wrap-anywhere',
      grounds[tone],
    )}
  >
    <Icon aria-hidden className="me-2 inline-block size-4 align-text-bottom" />
    {children}
  </aside>
)

export const barLink = 'inline-block py-0.5 underline underline-offset-3'

/** The name of an environment other than production, where nothing must be mistaken for another one. */
export function EnvironmentBar() {
  const t = useFrameMessages()
  const { environment } = useSettings()
  if (environment === null || environment.toLowerCase() === 'production') return null
  return (
    <Bar icon={Signpost} tone="info" label={t('environment')}>
      {t('environmentIs')} <bdi translate="no">{environment}</bdi>
    </Bar>
  )
}

/** After another tab has signed in as another user, and this page was loaded again as theirs. */
export function UserChangeBar() {
  const t = useFrameMessages()
  const { user } = useSession()
  const [isShown, setShown] = useState(() => hasUserChanged(user.id))
  useEffect(discardUserChange, [])
  return (
    <div role="status" className={clsx(isShown && 'bar min-h-10 border-b border-transparent bg-info-soft text-info')}>
      {isShown ? (
        <div className="flex items-center justify-center gap-2 px-4 py-1 text-13 font-medium">
          <UserRoundCheck aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{t('userChanged', { user: user.name || user.email })}</span>
          <Button variant="ghost" isIcon aria-label={t('dismiss')} onClick={() => setShown(false)}>
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      ) : null}
    </div>
  )
}

const refreshMs = 60_000

/** Read again each minute while the page is visible; what is not known is not shown. */
const warningsQuery = queryOptions({
  queryKey: ['admin', 'warnings'],
  queryFn: () => call('GET /admin/warnings', {}),
  staleTime: refreshMs,
  refetchInterval: refreshMs,
  retry: false,
})

/** For users whose role permits to see the state of the instance. */
export function WarningBars() {
  const t = useFrameMessages()
  const id = useId()
  const { data } = useQuery({ ...warningsQuery, enabled: useIsPermitted()('system', 'read') })
  if (!data) return null
  const { isReadOnly, configurationChangedAt, migrations } = data
  const drifts = [
    ...(configurationChangedAt === null ? [] : [{ text: t('configurationChanged'), to: '/admin/configuration' }]),
    ...(migrations === 'pending' ? [{ text: t('migrationsPending'), to: '/admin/migrations' }] : []),
    ...(migrations === 'drifted' ? [{ text: t('migrationsDrifted'), to: '/admin/migrations' }] : []),
  ]
  return (
    <>
      {isReadOnly === true ? (
        <Bar icon={DatabaseZap} tone="danger" label={t('readOnlyMode')}>
          {t('readOnlyText')}
        </Bar>
      ) : null}
      {drifts.length > 0 ? (
        <Bar icon={FileDiff} tone="warning" label={t('drift')}>
          {drifts.map(({ text, to }, position) => (
            <span key={text}>
              <span id={`${id}${position}`}>{text}</span>{' '}
              <Link to={to as string} aria-describedby={`${id}${position}`} className={clsx(barLink, 'me-2')}>
                {t('showDetails')}
              </Link>
            </span>
          ))}
        </Bar>
      ) : null}
    </>
  )
}

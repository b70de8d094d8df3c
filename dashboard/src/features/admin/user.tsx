/** The page of one user: identity, actions, and tabs. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Ellipsis, Mail, UserRoundCog, UserX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { userPicture } from '../../api/pictures.ts'
import { useTabTitle } from '../../browser/tab-title.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/feedback.tsx'
import { EmailTag } from '../../components/layout.tsx'
import { DetailSkeleton, LinesSkeleton } from '../../components/skeleton.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useResult } from '../../components/toast.tsx'
import { AdminDetail, Breadcrumb } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useParameter } from '../../routes/parameters.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { useSession } from '../../session/session.ts'
import { accountsQuery, isBanned, organizationsQuery, sessionsQuery, statusOf, userQuery } from './data.ts'
import { messages as listMessages, userMessages as messages } from './index.ts'
import { UserActivity } from './user-activity.tsx'
import { UserData } from './user-data.tsx'
import { type UserAction, UserDialogs } from './user-dialogs.tsx'
import { UserMenu, useAllowed } from './user-menu.tsx'
import { UserMethods } from './user-methods.tsx'
import { BanNote, LockNote } from './user-notes.tsx'
import { UserOrganizations } from './user-organizations.tsx'
import { type OneUser, UserOverview } from './user-overview.tsx'
import { RoleTags, UserStatus, useDisplayName } from './user-parts.tsx'
import { UserSessions } from './user-sessions.tsx'

/** Few open this part, and it brings texts of its own. */
const UserSecurity = lazy(async () => {
  const [{ UserSecurity: part }, { messages: own }] = await Promise.all([
    import('./user-security.tsx'),
    import('./user-security-data.ts'),
  ])
  await own.load(document.documentElement.lang)
  return { default: part }
})

export function Screen() {
  const t = useMessages(messages)
  const { userId = '' }: { readonly userId?: string } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(userQuery(userId))
  return (
    <AdminDetail
      // A user who was just deleted is shown until the list opens.
      query={{ data, refetch, error: data ? null : error }}
      notFound={{ icon: UserX, title: t('notFound'), children: t('notFoundText'), link: ['/admin/users', t('allUsers')] }}
      skeleton={<DetailSkeleton tabs={5} />}
    >
      {(user) => <UserPage key={user.id} user={user} />}
    </AdminDetail>
  )
}

/** What the parts of the page share. */
export interface PartProps {
  readonly user: OneUser
  /** Opens the dialog of an action. */
  readonly onChoose: (kind: UserAction['kind']) => void
  /** Says what was done. */
  readonly onDone: (text: string) => void
  readonly focusAfter: React.RefObject<HTMLElement | null>
}

const parts = {
  overview: UserOverview,
  sessions: UserSessions,
  methods: UserMethods,
  security: UserSecurity,
  organizations: UserOrganizations,
  activity: UserActivity,
  data: UserData,
}
type PartName = keyof typeof parts

function useParts(): readonly PartName[] {
  const isPermitted = useIsPermitted()
  const { organization, twoFactor, passkey, terms } = useSettings()
  const isShown: Record<PartName, boolean> = {
    overview: true,
    sessions: isPermitted('session', 'list'),
    methods: true,
    security: twoFactor !== null || passkey !== null,
    organizations: organization !== null,
    activity: isPermitted('event', 'list'),
    data: isPermitted('user', 'export') || isPermitted('user', 'erase') || (terms !== null && isPermitted('terms', 'read')),
  }
  return (Object.keys(parts) as PartName[]).filter((name) => isShown[name])
}

/** How much each tab shows; nothing while that is not known. */
function useCounts({ id }: OneUser, shown: readonly PartName[]): Partial<Record<PartName, number | undefined>> {
  const { data: sessions } = useQuery({ ...sessionsQuery(id), enabled: shown.includes('sessions') })
  const { data: accounts } = useQuery(accountsQuery(id))
  const { data: organizations } = useQuery({ ...organizationsQuery(id), enabled: shown.includes('organizations') })
  return { sessions: sessions?.length, methods: accounts?.length, organizations: organizations?.length }
}

function UserPage({ user }: { readonly user: OneUser }) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const names = useParts()
  const counts = useCounts(user, names)
  const tab = useParameter('tab')
  const current = names.find((name) => name === tab) ?? 'overview'
  const result = useResult()
  const [action, setAction] = useState<UserAction | null>(null)
  const choose = (next: UserAction) => {
    result.clear()
    setAction(next)
  }
  const done = async (text: string, { kind }: UserAction) => {
    if (kind === 'delete') await navigate({ to: '/admin/users' as string })
    result.show(text)
  }
  const Part = parts[current]
  const display = useDisplayName()(user)
  useTabTitle(display)
  return (
    <>
      <Breadcrumb to="/admin/users" list={t('users')}>
        {display}
      </Breadcrumb>
      <Identity user={user} onChoose={choose} />
      <Tabs
        label={t('tabs')}
        tabs={names.map((name) => ({
          label: t(name),
          count: counts[name],
          search: { tab: name === 'overview' ? undefined : name },
          isCurrent: name === current,
        }))}
      />
      {result.note}
      <LockNote user={user} />
      <BanNote user={user} />
      {/* A block of its own: its first section stands at the top. */}
      <div>
        <Suspense fallback={<LinesSkeleton count={2} />}>
          <Part user={user} onChoose={(kind) => choose({ kind, users: [user] })} onDone={result.show} focusAfter={result.ref} />
        </Suspense>
      </div>
      <UserDialogs action={action} onClose={() => setAction(null)} onDone={done} focusAfter={result.ref} />
    </>
  )
}

interface IdentityProps extends Pick<PartProps, 'user'> {
  readonly onChoose: (action: UserAction) => void
}

function Identity({ user, onChoose }: IdentityProps) {
  const t = useMessages(messages)
  const display = useDisplayName()
  return (
    <div className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-3">
      <Avatar name={user.name} picture={userPicture(user)} isLarge />
      <div className="min-w-0 grow basis-60">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-20 wrap-anywhere">
            <bdi>{display(user)}</bdi>
          </h1>
          <span className="text-13">
            <UserStatus user={user} />
          </span>
          <span className="text-13">
            <RoleTags role={user.role} />
          </span>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-muted">
          <span className="flex min-w-0 flex-wrap items-center gap-x-2">
            <bdi className="min-w-0 wrap-anywhere">{user.email}</bdi>
            {/* The status says it already. */}
            {statusOf(user) === 'unverified' ? null : <EmailTag isVerified={user.emailVerified} />}
          </span>
          <span className="-ms-1 min-w-0 font-mono text-12">
            <CopyButton text={user.id} label={t('copyId')} isVisible />
          </span>
        </div>
      </div>
      <IdentityActions user={user} onChoose={onChoose} />
    </div>
  )
}

function IdentityActions({ user, onChoose }: IdentityProps) {
  const t = useMessages(messages)
  const list = useMessages(listMessages)
  const allows = useAllowed()
  const isOwn = useSession().user.id === user.id
  const users = [user]
  return (
    <div className="flex flex-wrap gap-2">
      {allows('reset') ? (
        <Button onClick={() => onChoose({ kind: 'reset', users })}>
          <Mail aria-hidden className="size-4" />
          {t('sendReset')}
        </Button>
      ) : null}
      {allows('impersonate') && !isOwn && !isBanned(user) && !user.lockedAt ? (
        <Button onClick={() => onChoose({ kind: 'impersonate', users })}>
          <UserRoundCog aria-hidden className="size-4" />
          {list('impersonate')}
        </Button>
      ) : null}
      {(['role', 'revoke', 'lock', 'ban', 'delete'] as const).some(allows) ? (
        <UserMenu
          user={user}
          onChoose={onChoose}
          trigger={
            <Button isIcon aria-label={t('moreActions')}>
              <Ellipsis aria-hidden className="size-4" />
            </Button>
          }
        />
      ) : null}
    </div>
  )
}

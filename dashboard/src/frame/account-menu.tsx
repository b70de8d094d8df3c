/** The menu at the foot of the navigation: the accounts of this browser, preferences and signing out. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, LogOut, UserRoundPlus } from 'lucide-react'
import { queryClient, useSettings } from '../api/calls.ts'
import { useErrorText } from '../api/errors.ts'
import { userPicture } from '../api/pictures.ts'
import { setCompact, useIsCompact } from '../browser/density.ts'
import { Avatar } from '../components/avatar.tsx'
import { Menu, MenuCheck, MenuChoice, MenuGroup, MenuItem, MenuOption, MenuSeparator } from '../components/menu.tsx'
import { showToast } from '../components/toast.tsx'
import { useFrameMessages } from '../messages/index.ts'
import { type DeviceSession, deviceSessionsQuery, signOutOfCurrent, switchTo } from '../session/device-sessions.ts'
import { isImpersonation } from '../session/impersonation.ts'
import { signOut, useSession } from '../session/session.ts'
import { useShortcuts } from './palette.tsx'
import { useLanguages, useThemes } from './preferences.tsx'

const noSessions: readonly DeviceSession[] = []

/** The accounts of this browser; none while they are not offered. */
function useDeviceSessions() {
  const { multiSession } = useSettings()
  const session = useSession()
  const isOffered = multiSession !== null && !isImpersonation(session)
  const { data = noSessions } = useQuery({ ...deviceSessionsQuery, enabled: isOffered })
  return { isOffered, sessions: isOffered ? data : noSessions, most: multiSession?.maximumSessions ?? 0 }
}

/** Runs an action that leaves the page; a failure is announced. */
function useLeaving() {
  const errorText = useErrorText()
  return (action: Promise<void>) => void action.catch((error: unknown) => showToast(errorText(error).sentence))
}

/** Without their pictures: the current user may not see those of the others. */
const Person = ({ name, email }: { readonly name: string; readonly email: string }) => (
  <>
    <Avatar name={name} />
    <span className="min-w-0 grow">
      <span className="block truncate font-medium">
        <bdi>{name}</bdi>
      </span>
      <span className="block truncate text-12 text-muted">{email}</span>
    </span>
  </>
)

function Accounts({ sessions, most }: { readonly sessions: readonly DeviceSession[]; readonly most: number }) {
  const t = useFrameMessages()
  const navigate = useNavigate()
  const leave = useLeaving()
  const { user } = useSession()
  const others = sessions.filter((one) => one.user.id !== user.id)
  const choose = (userId: string) => {
    const chosen = others.find((one) => one.user.id === userId)
    // A list with a session that ended is out of date.
    if (chosen) leave(switchTo(chosen).finally(() => queryClient.invalidateQueries(deviceSessionsQuery)))
  }
  const add = () => void navigate({ to: '/sign-in' as string, search: { account: 'another' } as never })
  return (
    <>
      <MenuGroup label={t('accounts')} value={user.id} onChange={choose}>
        {[user, ...others.map((one) => one.user)].map(({ id, name, email }) => (
          <MenuOption key={id} value={id}>
            <Person name={name} email={email} />
          </MenuOption>
        ))}
      </MenuGroup>
      <MenuItem onSelect={add} disabledReason={sessions.length < most ? undefined : t('accountLimit', { count: most })}>
        <span aria-hidden className="grid size-7 shrink-0 place-content-center text-muted">
          <UserRoundPlus className="size-4" />
        </span>
        {t('addAccount')}
      </MenuItem>
      <MenuSeparator />
    </>
  )
}

function SigningOut({ sessions }: { readonly sessions: readonly DeviceSession[] }) {
  const t = useFrameMessages()
  const leave = useLeaving()
  const item = (text: string, act: () => Promise<void>) => (
    <MenuItem onSelect={() => leave(act())}>
      <LogOut aria-hidden className="size-4 text-muted" />
      {text}
    </MenuItem>
  )
  if (sessions.length < 2) return item(t('signOut'), () => signOut())
  return (
    <>
      {item(t('signOutOfThis'), () => signOutOfCurrent(sessions))}
      {item(t('signOutOfAll'), () => signOut())}
    </>
  )
}

/** They are rendered while the menu is open. */
function Items() {
  const t = useFrameMessages()
  const { isOffered, sessions, most } = useDeviceSessions()
  const [themeChoice, languageChoice] = [useThemes(), useLanguages()]
  const shortcuts = useShortcuts()
  const isCompact = useIsCompact()
  return (
    <>
      {isOffered ? <Accounts sessions={sessions} most={most} /> : null}
      <MenuChoice {...themeChoice} />
      <MenuSeparator />
      <MenuChoice {...languageChoice} />
      <MenuSeparator />
      <MenuCheck isChecked={isCompact} onChange={setCompact}>
        {t('compactTables')}
      </MenuCheck>
      <MenuCheck isChecked={shortcuts.isOn} onChange={shortcuts.setOn}>
        {t('keyboardShortcuts')}
      </MenuCheck>
      <MenuSeparator />
      <SigningOut sessions={sessions} />
    </>
  )
}

export function AccountMenu() {
  const t = useFrameMessages()
  const { user } = useSession()
  const { multiSession } = useSettings()
  // What the menu shows is read while the pointer is on its way.
  const prepare = () => void (multiSession && queryClient.prefetchQuery(deviceSessionsQuery))
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          onPointerEnter={prepare}
          onFocus={prepare}
          className="flex w-full cursor-pointer items-center gap-2.5 rounded-card p-2 text-start text-13 hover:bg-hover"
        >
          <Avatar name={user.name} picture={userPicture(user)} />
          <span className="sr-only">{t('accountMenu', { name: user.name })}</span>
          <span className="min-w-0 grow">
            <span aria-hidden className="block truncate font-medium">
              {user.name}
            </span>
            <span className="block truncate text-12 text-muted">{user.email}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      <Items />
    </Menu>
  )
}

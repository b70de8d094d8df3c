/** What the current user may do with a user, as a menu. What cannot be done to the own account is shown with the reason. */
import { useNavigate } from '@tanstack/react-router'
import {
  Copy,
  Lock,
  LockOpen,
  LogOut,
  type LucideIcon,
  Mail,
  ShieldCheck,
  Trash2,
  UserRound,
  UserRoundCheck,
  UserRoundCog,
  UserRoundX,
} from 'lucide-react'
import { copyText } from '../../browser/clipboard.ts'
import { Menu, MenuItem, type MenuProps, MenuSeparator } from '../../components/menu.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { useSession } from '../../session/session.ts'
import { isBanned, type User } from './data.ts'
import { messages } from './index.ts'
import type { UserAction } from './user-dialogs.tsx'

type Kind = UserAction['kind']

/** The actions that the roles of the current user permit. */
export function useAllowed(): (kind: Kind) => boolean {
  const isPermitted = useIsPermitted()
  const required: Record<Kind, readonly [string, string]> = {
    ban: ['user', 'ban'],
    unban: ['user', 'ban'],
    lock: ['user', 'lock'],
    unlock: ['user', 'lock'],
    revoke: ['session', 'revoke'],
    role: ['user', 'set-role'],
    delete: ['user', 'delete'],
    reset: ['user', 'set-password'],
    impersonate: ['user', 'impersonate'],
  }
  return (kind) => isPermitted(...required[kind])
}

/** The address of the page of a user. */
export const userPath = (id: string): string => `/admin/users/${encodeURIComponent(id)}`

interface Props {
  readonly user: User
  readonly trigger: MenuProps['trigger']
  readonly onChoose: (action: UserAction) => void
  /** Whether it also opens the user: in a list. */
  readonly isInList?: boolean
}

export function UserMenu({ user, trigger, onChoose, isInList = false }: Props) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const allows = useAllowed()
  const isOwn = useSession().user.id === user.id
  const reason = isOwn ? t('ownAccount') : undefined
  const item = (
    kind: Kind,
    Icon: LucideIcon,
    label: string,
    more: { isDanger?: boolean; disabledReason?: string | undefined } = {},
  ) =>
    allows(kind) ? (
      <MenuItem {...more} onSelect={() => onChoose({ kind, users: [user] })}>
        <Icon aria-hidden className="size-4 text-muted in-[.text-danger]:text-danger" />
        {label}
      </MenuItem>
    ) : null
  const frame = useFrameMessages()
  const copy = async () => showToast((await copyText(user.id)) ? t('idCopied') : frame('notCopied'))
  return (
    <Menu trigger={trigger}>
      {isInList ? (
        <>
          <MenuItem onSelect={() => void navigate({ to: userPath(user.id) as string })}>
            <UserRound aria-hidden className="size-4 text-muted" />
            {t('openUser')}
          </MenuItem>
          <MenuItem onSelect={() => void copy()}>
            <Copy aria-hidden className="size-4 text-muted" />
            {t('copyId')}
          </MenuItem>
          {item('reset', Mail, t('sendReset'))}
          {item('impersonate', UserRoundCog, t('impersonate'), {
            disabledReason: user.lockedAt ? t('locked') : isBanned(user) ? t('banned') : reason,
          })}
        </>
      ) : null}
      {item('role', ShieldCheck, t('setRole'))}
      {item('revoke', LogOut, t('revoke'))}
      {(['role', 'revoke'] as const).some(allows) ? <MenuSeparator /> : null}
      {user.lockedAt
        ? item('unlock', LockOpen, t('unlock'))
        : item('lock', Lock, t('lock'), { isDanger: true, disabledReason: reason })}
      {isBanned(user)
        ? item('unban', UserRoundCheck, t('unban'))
        : item('ban', UserRoundX, t('ban'), { isDanger: true, disabledReason: reason })}
      {item('delete', Trash2, t('delete'), { isDanger: true, disabledReason: reason })}
    </Menu>
  )
}

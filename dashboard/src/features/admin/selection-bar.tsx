/** What can be done with the selected users. */
import { LogOut, ShieldCheck, Trash2, UserRoundCheck, UserRoundX, X } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { isBanned, type User } from './data.ts'
import { messages } from './index.ts'
import type { UserAction } from './user-dialogs.tsx'
import { useAllowed } from './user-menu.tsx'

interface Props {
  readonly selected: readonly User[]
  readonly onClear: () => void
  readonly onChoose: (action: UserAction) => void
}

export function SelectionBar({ selected, onClear, onChoose }: Props) {
  const t = useMessages(messages)
  const allows = useAllowed()
  const banned = selected.filter(isBanned)
  const others = selected.filter((user) => !isBanned(user))
  const actions = [
    { kind: 'revoke', Icon: LogOut, label: t('revoke'), users: selected, isDanger: false },
    { kind: 'role', Icon: ShieldCheck, label: t('setRole'), users: selected, isDanger: false },
    { kind: 'unban', Icon: UserRoundCheck, label: t('unban'), users: banned, isDanger: false },
    { kind: 'ban', Icon: UserRoundX, label: t('banShort'), users: others, isDanger: true },
    { kind: 'delete', Icon: Trash2, label: t('deleteShort'), users: selected, isDanger: true },
  ] as const
  return (
    <div className="empty:hidden">
      <p role="status" className="sr-only">
        {selected.length > 0 ? t('selected', { count: selected.length }) : ''}
      </p>
      {selected.length === 0 ? null : (
        <div className="mb-3 flex flex-wrap items-center gap-2 rounded-card border border-border bg-surface px-3 py-2 text-13">
          <p className="me-auto">
            <span className="font-semibold">{t('selected', { count: selected.length })}</span>{' '}
            <span className="text-muted">{t('onThisPage')}</span>
          </p>
          {actions.map(({ kind, Icon, label, users, isDanger }) =>
            users.length > 0 && allows(kind) ? (
              <Button key={kind} variant={isDanger ? 'danger' : 'secondary'} onClick={() => onChoose({ kind, users })}>
                <Icon aria-hidden className="size-4" />
                {label}
              </Button>
            ) : null,
          )}
          <Button variant="ghost" isIcon aria-label={t('clearSelection')} onClick={onClear}>
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      )}
    </div>
  )
}

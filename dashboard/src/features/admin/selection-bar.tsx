/** What can be done with the selected users, of this page or all that match. */
import { LogOut, ShieldCheck, Trash2, UserRoundCheck, UserRoundX, X } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { isBanned, type User, type UserFilter, type UserPage } from './data.ts'
import { messages } from './index.ts'
import type { UserAction } from './user-dialogs.tsx'
import { useAllowed } from './user-menu.tsx'

interface Props {
  readonly selected: readonly User[]
  /** Whether all that match are selected, on all pages. */
  readonly isAll: boolean
  readonly onSelectAll: () => void
  readonly onClear: () => void
  readonly onChoose: (action: UserAction) => void
  readonly page: Pick<UserPage, 'users' | 'total' | 'totalIsEstimate'>
  readonly filter: UserFilter
}

export function SelectionBar({ selected, isAll, onSelectAll, onClear, onChoose, page, filter }: Props) {
  const t = useMessages(messages)
  const text = isAll ? t('matchingSelected') : t('selected', { count: selected.length })
  const hasMore = !isAll && selected.length === page.users.length && page.total > selected.length
  return (
    <div className="empty:hidden">
      <p role="status" className="sr-only">
        {selected.length > 0 ? text : ''}
      </p>
      {selected.length === 0 ? null : (
        <div className="slide-in mb-3 flex flex-wrap items-center gap-2 rounded-card border border-border bg-surface px-3 py-2 text-13">
          <div className="me-auto flex flex-wrap items-center gap-2">
            <p>
              <span className="font-semibold">{text}</span> {isAll ? null : <span className="text-muted">{t('onThisPage')}</span>}
            </p>
            {hasMore ? <SelectMatching {...page} onSelect={onSelectAll} /> : null}
          </div>
          <Actions users={selected} matching={isAll ? { filter, count: page.total } : undefined} onChoose={onChoose} />
          <Button variant="ghost" isIcon aria-label={t('clearSelection')} onClick={onClear}>
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      )}
    </div>
  )
}

function SelectMatching({ total, totalIsEstimate, onSelect }: Props['page'] & { readonly onSelect: () => void }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  return (
    <Button variant="ghost" onClick={onSelect}>
      {totalIsEstimate
        ? t('selectAboutMatching', { count: format.estimate(total) })
        : t('selectMatching', { count: format.number(total) })}
    </Button>
  )
}

function Actions({ users, matching, onChoose }: Omit<UserAction, 'kind'> & Pick<Props, 'onChoose'>) {
  const t = useMessages(messages)
  const allows = useAllowed()
  // The server skips those whom an action would not change.
  const banned = matching ? users : users.filter(isBanned)
  const others = matching ? users : users.filter((user) => !isBanned(user))
  const actions = [
    { kind: 'revoke', Icon: LogOut, label: t('revoke'), users, isDanger: false },
    { kind: 'role', Icon: ShieldCheck, label: t('setRole'), users, isDanger: false },
    { kind: 'unban', Icon: UserRoundCheck, label: t('unban'), users: banned, isDanger: false },
    { kind: 'ban', Icon: UserRoundX, label: t('banShort'), users: others, isDanger: true },
    { kind: 'delete', Icon: Trash2, label: t('deleteShort'), users, isDanger: true },
  ] as const
  return actions.map(({ kind, Icon, label, isDanger, ...of }) =>
    of.users.length > 0 && allows(kind) ? (
      <Button
        key={kind}
        variant={isDanger ? 'danger' : 'secondary'}
        onClick={() => onChoose({ kind, users: matching ? [] : of.users, matching })}
      >
        <Icon aria-hidden className="size-4" />
        {label}
      </Button>
    ) : null,
  )
}

/** An action on one user, by the call for one, or on several: the server counts whom it changes before it is confirmed, and does it. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote, Skeleton } from '../../components/feedback.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { type BulkInput, bulkPreviewQuery, createBulkAction } from './bulk-data.ts'
import { refreshAdmin, type User, type UserFilter } from './data.ts'
import type { Target } from './en.ts'
import { messages } from './index.ts'
import { useDisplayName } from './user-parts.tsx'

/** Whom an action concerns. */
export interface ActionTargets {
  /** Chosen users. */
  readonly users: readonly User[]
  /** All users that match, in place of chosen ones, and how many there are. */
  readonly matching?: { readonly filter: UserFilter; readonly count: number } | undefined
}

export interface ActionResult extends Target {
  readonly sessions: number
}

interface Props extends ActionTargets {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: (target: Target) => string
  readonly confirmLabel: (target: Target) => string
  readonly variant?: 'danger-filled' | 'primary'
  readonly isConfirmDisabled?: boolean
  /** Whether the email address, or the number of users, must be typed in any case. */
  readonly isTyped?: boolean
  /** Makes the call for one user. @returns how many sessions it has revoked */
  readonly act: (user: User) => Promise<number>
  /** The same for several users; left out: the action is for one user only. */
  readonly bulk?: BulkInput
  /** When the action on one user has succeeded. */
  readonly onDone: (result: ActionResult) => void | Promise<void>
  readonly focusAfter?: React.RefObject<HTMLElement | null>
  /** What will happen, and what must be entered. */
  readonly children: React.ReactNode
}

export function ActionDialog({ bulk, ...props }: Props) {
  const [only, second] = props.users
  if (bulk && (props.matching || second)) return <SeveralUsers {...props} bulk={bulk} />
  return only ? <OneUser {...props} user={only} /> : null
}

function OneUser({
  user,
  act,
  onDone,
  title,
  confirmLabel,
  isTyped = false,
  ...dialog
}: Omit<Props, 'bulk'> & { readonly user: User }) {
  const t = useMessages(messages)
  const target = { name: useDisplayName()(user), count: 1 }
  const confirm = async () => {
    try {
      const sessions = await act(user)
      // First: the page of a deleted user must not read it again.
      await onDone({ ...target, sessions })
    } finally {
      await refreshAdmin()
    }
  }
  const typed = { label: t('typeEmail', { email: user.email }), matches: (text: string) => text.toLowerCase() === user.email }
  return (
    <ConfirmDialog
      {...dialog}
      title={title(target)}
      confirmLabel={confirmLabel(target)}
      call={confirm}
      {...(isTyped && { typed })}
    />
  )
}

/** From this number of users on, it must be typed. */
const manyUsers = 100

function SeveralUsers({ bulk, title, confirmLabel, isTyped = false, children, ...dialog }: Props & { readonly bulk: BulkInput }) {
  const { users, matching, isOpen, isConfirmDisabled = false } = dialog
  const t = useMessages(messages)
  const { format } = useLocale()
  const navigate = useNavigate()
  // A call that is repeated after a lost response must not act twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const preview = useQuery({ ...bulkPreviewQuery(bulk, { users, matching }), enabled: isOpen && bulk.role?.length !== 0 })
  const count = preview.data?.targets ?? matching?.count ?? users.length
  const target = { name: t('oneUser'), count }
  const typed = { label: t('typeNumber', { count: format.number(count) }), matches: (text: string) => text === String(count) }
  return (
    <ConfirmDialog
      {...dialog}
      title={title(target)}
      confirmLabel={confirmLabel(target)}
      isConfirmDisabled={isConfirmDisabled || !preview.data || count === 0}
      call={async () => {
        const { id } = await createBulkAction(bulk, { users, matching }, idempotencyKey)
        await navigate({ to: `/admin/bulk-actions/${id}` as string })
        await refreshAdmin()
      }}
      {...((isTyped || count > manyUsers) && { typed })}
    >
      {children}
      {preview.error ? <ErrorNote error={preview.error} /> : null}
      {preview.data ? <Preview {...preview.data} /> : preview.isLoading ? <Skeleton /> : null}
    </ConfirmDialog>
  )
}

interface PreviewProps {
  readonly targets: number
  readonly skipped: Readonly<Record<string, number>>
}

function Preview({ targets, skipped }: PreviewProps) {
  const t = useMessages(messages)
  const reasons = [
    ['self', () => t('skipsSelf')],
    ['administrator', (count: number) => t('skipsAdministrators', { count })],
    ['not-permitted', (count: number) => t('skipsNotPermitted', { count })],
    ['unchanged', (count: number) => t('skipsUnchanged', { count })],
  ] as const
  const left = reasons.flatMap(([name, text]) => (skipped[name] ? [[name, text(skipped[name])] as const] : []))
  return (
    <div className="grid gap-1 text-13" role="status">
      <p>{targets === 0 ? t('bulkNoTargets') : t('bulkTargets', { count: targets })}</p>
      {left.length > 0 ? (
        <>
          <p className="text-muted">{t('skipped')}</p>
          <ul className="list-disc ps-5 text-muted">
            {left.map(([name, text]) => (
              <li key={name}>{text}</li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}

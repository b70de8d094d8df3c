/** What administrators do with one or several users: each action is a dialog that names them. */
import { useState } from 'react'
import { SelectField, TextField } from '../../components/field.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { call } from '../../session.ts'
import { BatchDialog, type BatchResult } from './batch.tsx'
import { roleNames, type User } from './data.ts'
import { ImpersonateDialog } from './impersonate-dialog.tsx'
import { messages } from './index.ts'
import { RoleChoice, useDisplayName, useRoleName } from './user-parts.tsx'

export interface UserAction {
  readonly kind: 'ban' | 'unban' | 'revoke' | 'role' | 'delete' | 'reset' | 'impersonate'
  readonly users: readonly User[]
}

interface Handlers {
  readonly onClose: () => void
  /** Says what was done. */
  readonly onDone: (text: string, action: UserAction) => void | Promise<void>
  readonly focusAfter: React.RefObject<HTMLElement | null>
}

interface DialogProps extends Omit<Handlers, 'onDone'> {
  readonly users: readonly User[]
  readonly isOpen: boolean
  readonly onDone: (text: string) => void | Promise<void>
}

const dialogs = {
  ban: BanDialog,
  unban: UnbanDialog,
  revoke: RevokeDialog,
  role: RoleDialog,
  delete: DeleteDialog,
  reset: ResetDialog,
}

/** The last one keeps its content while it closes. */
export function UserDialogs({ action, onDone, ...handlers }: Handlers & { readonly action: UserAction | null }) {
  const [last, setLast] = useState<{ readonly action: UserAction; readonly number: number }>()
  if (action && action !== last?.action) setLast({ action, number: (last?.number ?? 0) + 1 })
  if (!last) return null
  const { kind, users } = last.action
  const dialog = { ...handlers, users, isOpen: action !== null, onDone: (text: string) => onDone(text, last.action) }
  // A key per opening: a dialog starts with the values of its users.
  if (kind === 'impersonate') return users[0] ? <ImpersonateDialog key={last.number} {...dialog} user={users[0]} /> : null
  const Dialog = dialogs[kind]
  return <Dialog key={last.number} {...dialog} />
}

/** Values of the messages: the name of one user, or how many. */
function useTarget(users: readonly User[]) {
  const display = useDisplayName()
  return { name: users[0] ? display(users[0]) : '', count: users.length }
}

const day = 86_400
const presets = { forever: 0, day, week: 7 * day, month: 30 * day } as const
type Preset = keyof typeof presets | 'until'

/** Seconds until the end of a day in the time zone of the browser. */
const secondsUntil = (date: string): number => Math.ceil((new Date(`${date}T23:59:59`).getTime() - Date.now()) / 1000)

function useBanEnd() {
  const t = useMessages(messages)
  const [preset, setPreset] = useState<Preset>('forever')
  const [date, setDate] = useState('')
  const labels: Record<Preset, string> = {
    forever: t('banForever'),
    day: t('banDay'),
    week: t('banWeek'),
    month: t('banMonth'),
    until: t('banUntil'),
  }
  const names = Object.keys(labels) as Preset[]
  const seconds = preset === 'until' ? secondsUntil(date) : presets[preset]
  const fields = (
    <>
      <SelectField
        label={t('banExpires')}
        value={preset}
        options={names.map((value) => ({ value, label: labels[value] }))}
        onChange={(event) => setPreset(names.find((name) => name === event.target.value) ?? 'forever')}
      />
      {preset === 'until' ? (
        <TextField label={t('banDate')} type="date" value={date} onChange={(event) => setDate(event.target.value)} />
      ) : null}
    </>
  )
  return { fields, isValid: preset !== 'until' || seconds > 0, input: seconds > 0 ? { banExpiresIn: seconds } : {} }
}

function BanDialog({ users, onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  const target = useTarget(users)
  const [reason, setReason] = useState('')
  const end = useBanEnd()
  const banReason = reason.trim()
  return (
    <BatchDialog
      {...dialog}
      users={users}
      title={t('banQuestion', target)}
      confirmLabel={t('banConfirm', target)}
      isConfirmDisabled={banReason === '' || !end.isValid}
      act={async ({ id }) =>
        (await call('POST /admin/ban-user', { body: { userId: id, banReason, ...end.input } })).sessionsRevoked
      }
      onDone={(result) => onDone(t('banDone', result))}
    >
      <p>{t('banText')}</p>
      <TextField
        label={t('banReason')}
        hint={t('banReasonHint')}
        maxLength={1000}
        required
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {end.fields}
    </BatchDialog>
  )
}

function UnbanDialog({ users, onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  return (
    <BatchDialog
      {...dialog}
      users={users}
      variant="primary"
      title={t('unbanQuestion', useTarget(users))}
      confirmLabel={t('unbanConfirm')}
      act={({ id }) => call('POST /admin/unban-user', { body: { userId: id } }).then(() => 0)}
      onDone={(result) => onDone(t('unbanDone', result))}
    >
      <p>{t('unbanText')}</p>
    </BatchDialog>
  )
}

function RevokeDialog({ users, onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  return (
    <BatchDialog
      {...dialog}
      users={users}
      title={t('revokeQuestion', useTarget(users))}
      confirmLabel={t('revoke')}
      act={async ({ id }) => (await call('POST /admin/revoke-user-sessions', { body: { userId: id } })).revoked}
      onDone={(result) => onDone(t('revokeDone', result))}
    >
      <p>{t('revokeText')}</p>
    </BatchDialog>
  )
}

function RoleDialog({ users, onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  const name = useRoleName()
  const before = users.length === 1 ? roleNames(users[0]?.role ?? null) : []
  const [chosen, setChosen] = useState<readonly string[]>(before)
  const isSame = chosen.length === before.length && chosen.every((role) => before.includes(role))
  const done = (result: BatchResult) => onDone(t('setRoleDone', { ...result, roles: chosen.map(name).join(', ') }))
  return (
    <BatchDialog
      {...dialog}
      users={users}
      variant="primary"
      title={t('setRoleQuestion', useTarget(users))}
      confirmLabel={t('setRole')}
      isConfirmDisabled={isSame || chosen.length === 0}
      act={({ id }) => call('POST /admin/set-role', { body: { userId: id, role: [...chosen] } }).then(() => 0)}
      onDone={done}
    >
      <p>{t('setRoleText')}</p>
      <RoleChoice chosen={chosen} onChange={setChosen} />
    </BatchDialog>
  )
}

function DeleteDialog({ users, onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const target = useTarget(users)
  const [only] = users
  const isOne = users.length === 1 && only !== undefined
  const expected = isOne ? only.email : String(users.length)
  const label = isOne ? t('typeEmail', { email: only.email }) : t('typeNumber', { count: format.number(users.length) })
  return (
    <BatchDialog
      {...dialog}
      users={users}
      title={t('deleteQuestion', target)}
      confirmLabel={t('deleteConfirm', target)}
      typed={{ label, matches: (text) => text.toLowerCase() === expected }}
      act={({ id }) => call('POST /admin/remove-user', { body: { userId: id } }).then(() => 0)}
      onDone={(result) => onDone(t('deleteDone', result))}
    >
      <p>{t('deleteText')}</p>
    </BatchDialog>
  )
}

function ResetDialog({ users, onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  return (
    <BatchDialog
      {...dialog}
      users={users}
      variant="primary"
      title={t('sendResetQuestion', useTarget(users))}
      confirmLabel={t('sendReset')}
      act={({ id }) => call('POST /admin/send-password-reset', { body: { userId: id } }).then(() => 0)}
      onDone={() => onDone(t('sendResetDone', { email: users[0]?.email ?? '' }))}
    >
      <p>{t('sendResetText')}</p>
    </BatchDialog>
  )
}

/** What administrators do with one or several users: each action is a dialog that names them. */

import { lazy, Suspense, useState } from 'react'
import { listedNames } from '../../../../src/lib/text.ts'
import { useLast } from '../../components/dialog.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { ActionDialog, type ActionResult, type ActionTargets } from './action-dialog.tsx'
import { ImpersonateDialog } from './impersonate-dialog.tsx'
import { messages } from './index.ts'
import { RoleChoice, useRoleName } from './user-parts.tsx'

export interface UserAction extends ActionTargets {
  readonly kind: 'ban' | 'unban' | 'lock' | 'unlock' | 'revoke' | 'role' | 'delete' | 'reset' | 'impersonate'
}

interface Handlers {
  readonly onClose: () => void
  /** Says what was done to one user; an action on several has a page of its own. */
  readonly onDone: (text: string, action: UserAction) => void | Promise<void>
  readonly focusAfter: React.RefObject<HTMLElement | null>
}

export interface DialogProps extends Omit<Handlers, 'onDone'>, ActionTargets {
  readonly isOpen: boolean
  readonly onDone: (text: string) => void | Promise<void>
}

/** Few open them, and they bring texts of their own. */
const LockDialogs = lazy(async () => {
  const { LockDialogs: opened, messages: own } = await import('./lock-dialogs.tsx')
  await own.load(document.documentElement.lang)
  return { default: opened }
})

const dialogs = {
  ban: BanDialog,
  unban: UnbanDialog,
  revoke: RevokeDialog,
  role: RoleDialog,
  delete: DeleteDialog,
  reset: ResetDialog,
}

export function UserDialogs({ action, onDone, ...handlers }: Handlers & { readonly action: UserAction | null }) {
  const { last, opening } = useLast(action)
  if (!last) return null
  const { kind, users, matching } = last
  const dialog = { ...handlers, users, matching, isOpen: action !== null, onDone: (text: string) => onDone(text, last) }
  if (kind === 'impersonate') return users[0] ? <ImpersonateDialog key={opening} {...dialog} user={users[0]} /> : null
  if (kind === 'lock' || kind === 'unlock')
    return users[0] ? (
      <Suspense>
        <LockDialogs key={opening} {...dialog} user={users[0]} isUnlocking={kind === 'unlock'} />
      </Suspense>
    ) : null
  const Dialog = dialogs[kind]
  return <Dialog key={opening} {...dialog} />
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

function BanDialog({ onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  const [reason, setReason] = useState('')
  const end = useBanEnd()
  const banReason = reason.trim()
  return (
    <ActionDialog
      {...dialog}
      title={(target) => t('banQuestion', target)}
      confirmLabel={(target) => t('banConfirm', target)}
      isConfirmDisabled={banReason === '' || !end.isValid}
      act={async ({ id }) =>
        (await call('POST /admin/ban-user', { body: { userId: id, banReason, ...end.input } })).sessionsRevoked
      }
      bulk={{ action: 'ban', banReason, ...end.input }}
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
    </ActionDialog>
  )
}

function UnbanDialog({ onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  return (
    <ActionDialog
      {...dialog}
      variant="primary"
      title={(target) => t('unbanQuestion', target)}
      confirmLabel={() => t('unbanConfirm')}
      act={({ id }) => call('POST /admin/unban-user', { body: { userId: id } }).then(() => 0)}
      bulk={{ action: 'unban' }}
      onDone={(result) => onDone(t('unbanDone', result))}
    >
      <p>{t('unbanText')}</p>
    </ActionDialog>
  )
}

function RevokeDialog({ onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  return (
    <ActionDialog
      {...dialog}
      title={(target) => t('revokeQuestion', target)}
      confirmLabel={() => t('revoke')}
      act={async ({ id }) => (await call('POST /admin/revoke-user-sessions', { body: { userId: id } })).revoked}
      bulk={{ action: 'revoke-sessions' }}
      onDone={(result) => onDone(t('revokeDone', result))}
    >
      <p>{t('revokeText')}</p>
    </ActionDialog>
  )
}

function RoleDialog({ onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  const name = useRoleName()
  const [only, second] = dialog.users
  const before = only && !second ? listedNames(only.role) : []
  const [chosen, setChosen] = useState<readonly string[]>(before)
  const isSame = chosen.length === before.length && chosen.every((role) => before.includes(role))
  const done = (result: ActionResult) => onDone(t('setRoleDone', { ...result, roles: chosen.map(name).join(', ') }))
  return (
    <ActionDialog
      {...dialog}
      variant="primary"
      title={(target) => t('setRoleQuestion', target)}
      confirmLabel={() => t('setRole')}
      isConfirmDisabled={isSame || chosen.length === 0}
      act={({ id }) => call('POST /admin/set-role', { body: { userId: id, role: [...chosen] } }).then(() => 0)}
      bulk={{ action: 'set-role', role: [...chosen] }}
      onDone={done}
    >
      <p>{t('setRoleText')}</p>
      <RoleChoice chosen={chosen} onChange={setChosen} />
    </ActionDialog>
  )
}

function DeleteDialog({ onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  return (
    <ActionDialog
      {...dialog}
      title={(target) => t('deleteQuestion', target)}
      confirmLabel={(target) => t('deleteConfirm', target)}
      isTyped
      act={({ id }) => call('POST /admin/remove-user', { body: { userId: id } }).then(() => 0)}
      bulk={{ action: 'remove' }}
      onDone={(result) => onDone(t('deleteDone', result))}
    >
      <p>{t('deleteText')}</p>
    </ActionDialog>
  )
}

function ResetDialog({ onDone, ...dialog }: DialogProps) {
  const t = useMessages(messages)
  return (
    <ActionDialog
      {...dialog}
      variant="primary"
      title={(target) => t('sendResetQuestion', target)}
      confirmLabel={() => t('sendReset')}
      act={({ id }) => call('POST /admin/send-password-reset', { body: { userId: id } }).then(() => 0)}
      onDone={() => onDone(t('sendResetDone', { email: dialog.users[0]?.email ?? '' }))}
    >
      <p>{t('sendResetText')}</p>
    </ActionDialog>
  )
}

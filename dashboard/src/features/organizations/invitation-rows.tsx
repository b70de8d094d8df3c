/** The addresses that the invite dialog has read, each with what will happen with it, and its role. */
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { useErrorText } from '../../api/errors.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useSendsInvitations } from './invitation-data.ts'
import type { Drafts, Row } from './invitation-drafts.ts'
import { messages } from './invitation-messages.ts'
import { useRoleName } from './role-names.ts'

interface Props {
  readonly drafts: Drafts
  /** By email address: why it could not be sent. */
  readonly failures: ReadonlyMap<string, unknown>
  readonly isBusy: boolean
}

export function AddressRows({ drafts, failures, isBusy }: Props) {
  const t = useMessages(messages)
  const { rows, roles, roleForAll, setRoleForAll } = drafts
  if (rows.length === 0) return null
  return (
    <section aria-label={t('addresses')}>
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-border pb-2 text-13">
        <p className="font-medium tabular-nums">{t('addressCount', { count: rows.length })}</p>
        <div className="flex items-center gap-2 text-muted">
          <span aria-hidden>{t('roleForAll')}</span>
          <RoleSelect label={t('roleForAll')} value={roleForAll} roles={roles} isBusy={isBusy} onChange={setRoleForAll} />
        </div>
      </div>
      <ul className="divide-y divide-border text-13 card:max-h-[40vh] card:overflow-y-auto">
        {rows.map((row) => (
          <AddressRow key={row.email} row={row} drafts={drafts} failure={failures.get(row.email)} isBusy={isBusy} />
        ))}
      </ul>
    </section>
  )
}

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly roles: readonly string[]
  readonly isBusy: boolean
  readonly onChange: (role: string) => void
}

function RoleSelect({ label, value, roles, isBusy, onChange }: SelectProps) {
  const name = useRoleName()
  return (
    <select
      aria-label={label}
      value={value}
      disabled={isBusy}
      onChange={(event) => onChange(event.target.value)}
      className="min-h-(--target) w-31 rounded-control border border-control bg-surface px-2 text-13 text-text disabled:border-border disabled:bg-sunken"
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {name(role)}
        </option>
      ))}
    </select>
  )
}

interface RowProps {
  readonly row: Row
  readonly drafts: Drafts
  readonly failure: unknown
  readonly isBusy: boolean
}

function AddressRow({ row: { email, state, role, isRenewal }, drafts, failure, isBusy }: RowProps) {
  const t = useMessages(messages)
  const isMailed = useSendsInvitations()
  const isSkipped = state === 'member' || state === 'invalid' || (state === 'invited' && !isRenewal)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 py-2 card:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div className="min-w-0">
        <p className="truncate font-medium" title={email}>
          <bdi>{email}</bdi>
        </p>
        <RowStatus state={state} isRenewal={isRenewal} failure={failure} />
        {state === 'invited' ? (
          <Checkbox
            label={<span className="text-13">{t(isMailed ? 'renew' : 'renewInvitation')}</span>}
            aria-label={t('renewFor', { email })}
            checked={isRenewal}
            disabled={isBusy}
            onChange={(event) => drafts.setRenewal(email, event.target.checked)}
          />
        ) : null}
      </div>
      <div className="row-start-2 card:row-start-auto">
        {isSkipped ? null : (
          <RoleSelect
            label={t('roleOf', { email })}
            value={role}
            roles={drafts.roles}
            isBusy={isBusy}
            onChange={(next) => drafts.setRole(email, next)}
          />
        )}
      </div>
      <Button
        variant="ghost"
        isIcon
        aria-label={t('removeAddress', { email })}
        disabled={isBusy}
        onClick={() => drafts.remove(email)}
      >
        <X aria-hidden className="size-4" />
      </Button>
    </li>
  )
}

const looks = { quiet: 'bg-muted', ready: 'bg-success', warning: 'bg-brass', wrong: 'bg-danger' } as const

/** A dot and a text: why it could not be sent, or what will happen. */
function RowStatus({ state, isRenewal, failure }: Pick<Row, 'state' | 'isRenewal'> & { readonly failure: unknown }) {
  const t = useMessages(messages)
  const errorText = useErrorText()
  const isMailed = useSendsInvitations()
  const [look, text] = ((): readonly [keyof typeof looks, string] => {
    if (state === 'invalid') return ['wrong', t('isInvalid')]
    if (state === 'member') return ['warning', t('isMember')]
    if (state === 'invited')
      return isRenewal ? ['ready', t(isMailed ? 'isRenewed' : 'willBeRenewed')] : ['warning', t('isInvited')]
    if (failure !== undefined) return ['wrong', errorText(failure).sentence]
    return state === 'new' ? ['ready', t('isNew')] : ['quiet', t('checking')]
  })()
  return (
    <p className={clsx('flex items-baseline gap-1.5 text-12', look === 'wrong' ? 'text-danger' : 'text-muted')}>
      <span aria-hidden className={clsx('size-1.5 shrink-0 -translate-y-0.5 rounded-full', looks[look])} />
      <span className="min-w-0">{text}</span>
    </p>
  )
}

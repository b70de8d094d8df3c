/** Chooses the roles of a member: usually one, on request several. Each says what it permits. */
import { useId, useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { useMessages } from '../../i18n/messages.ts'
import type { ListedRole } from '../../session/organizations.ts'
import { messages } from './messages.ts'
import { useRoleName } from './role-names.ts'
import { allPermissions, useRoleSummary } from './role-parts.tsx'

interface Props {
  readonly roles: readonly ListedRole[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

export function RolePicker({ roles, chosen, onChange }: Props) {
  const t = useMessages(messages)
  const name = useId()
  const [isSeveral, setSeveral] = useState(chosen.length > 1)
  const all = allPermissions(roles, useSettings().organization?.teams ?? false)
  const toggle = (role: string) => {
    if (!isSeveral) return onChange([role])
    onChange(chosen.includes(role) ? chosen.filter((one) => one !== role) : [...chosen, role])
  }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">{isSeveral ? t('roles') : t('role')}</legend>
      <div className="divide-y divide-border rounded-control border border-border">
        {roles.map((role) => (
          <Choice
            key={role.role}
            {...{ role, all, name, isSeveral }}
            isChosen={chosen.includes(role.role)}
            onToggle={() => toggle(role.role)}
          />
        ))}
      </div>
      {isSeveral || roles.length < 2 ? null : (
        <div className="mt-2">
          <Button variant="ghost" onClick={() => setSeveral(true)}>
            {t('chooseSeveral')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface ChoiceProps {
  readonly role: ListedRole
  readonly all: readonly string[]
  readonly name: string
  readonly isSeveral: boolean
  readonly isChosen: boolean
  readonly onToggle: () => void
}

/** A role that permits more than those of the current user can be taken, if they may do so, but not given. */
function Choice({ role, all, name, isSeveral, isChosen, onToggle }: ChoiceProps) {
  const t = useMessages(messages)
  const roleName = useRoleName()
  const summary = useRoleSummary()
  const id = useId()
  const isOff = !role.mayGrant && !isChosen
  return (
    <div className="flex gap-2.5 px-3 py-2.5">
      <input
        id={id}
        type={isSeveral ? 'checkbox' : 'radio'}
        name={name}
        checked={isChosen}
        disabled={isOff}
        aria-describedby={`${id}-text`}
        onChange={onToggle}
        className="mt-0.5 size-4 shrink-0 accent-(--accent)"
      />
      <div className="min-w-0 text-13">
        <label htmlFor={id} className="font-medium wrap-anywhere">
          {roleName(role.role)}
        </label>
        <p id={`${id}-text`} className="text-muted">
          {summary(role, all)}
          {isOff ? ` ${t('mayNotGrant')}` : ''}
        </p>
      </div>
    </div>
  )
}

/** Dialogs for a role that the organization makes itself: its name and what it permits, and its deletion. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { listedNames } from '../../../../src/lib/text.ts'
import { hasCode, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog, type DialogHandlers, useLast } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { type ListedRole, refreshOrganization, useOrganization } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'
import { messages } from './messages.ts'
import { messages as roleMessages } from './own-role-messages.ts'
import { allPermissions, permissionsOf, useActionText } from './role-parts.tsx'

/** `role` null: a new one. */
export interface RoleAction {
  readonly kind: 'edit' | 'delete'
  readonly role: ListedRole | null
}

interface DialogProps extends DialogHandlers {
  readonly role: ListedRole | null
  readonly isOpen: boolean
}

export function RoleDialogs({ action, ...handlers }: DialogHandlers & { readonly action: RoleAction | null }) {
  const { last, opening } = useLast(action)
  if (!last) return null
  const dialog = { ...handlers, role: last.role, isOpen: action !== null }
  return last.kind === 'edit' ? <EditDialog key={opening} {...dialog} /> : <DeletionDialog key={opening} {...dialog} />
}

/** Actions by resource, of `resource:action`. */
const grouped = (permissions: readonly string[]): Record<string, string[]> => {
  const groups = Object.groupBy(permissions, (permission) => permission.slice(0, permission.lastIndexOf(':')))
  return Object.fromEntries(
    Object.entries(groups).map(([resource, found = []]) => [resource, found.map((one) => one.slice(resource.length + 1))]),
  )
}

function useRoleForm({ role, onClose, onDone }: DialogProps) {
  const t = useMessages(roleMessages)
  const { id } = useOrganization()
  const [name, setName] = useState(role?.role ?? '')
  const [chosen, setChosen] = useState<readonly string[]>(role ? [...permissionsOf([role])] : [])
  const stored = name.trim().toLowerCase()
  const save = useMutation({
    mutationFn: async () => {
      const permission = grouped(chosen)
      if (role === null) await call('POST /organization/create-role', { body: { organizationId: id, role: stored, permission } })
      else {
        const data = { permission, ...(stored !== role.role && { roleName: stored }) }
        await call('POST /organization/update-role', { body: { organizationId: id, roleId: role.id ?? '', data } })
      }
    },
    onSuccess: async () => {
      await refreshOrganization(id)
      onClose()
      onDone(t(role ? 'changed' : 'created', { role: stored }))
    },
  })
  const toggle = (permission: string) =>
    setChosen(chosen.includes(permission) ? chosen.filter((one) => one !== permission) : [...chosen, permission])
  return { name, setName, chosen, toggle, stored, save }
}

function EditDialog(props: DialogProps) {
  const { role, isOpen, onClose } = props
  const t = useMessages(roleMessages)
  const frame = useFrameMessages()
  const texts = useMessages(messages)
  const text = useActionText()
  const { roles, role: ownRole } = useOrganization()
  const { name, setName, chosen, toggle, stored, save } = useRoleForm(props)
  const own = permissionsOf(roles.filter((one) => listedNames(ownRole).includes(one.role)))
  const offered = allPermissions(roles, useSettings().organization?.teams ?? false).filter((one) => own.has(one))
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={role ? t('editRole', { role: role.role }) : t('createRole')}
      actions={
        <>
          <Button onClick={onClose}>{frame('cancel')}</Button>
          <Button variant="primary" isBusy={save.isPending} disabled={stored === ''} onClick={() => save.mutate()}>
            {role ? t('saveRole') : t('createRole')}
          </Button>
        </>
      }
    >
      {save.error ? <ErrorNote error={save.error} /> : null}
      <TextField
        label={texts('name')}
        hint={t('nameHint')}
        autoComplete="off"
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-13 font-medium">{t('permits')}</legend>
        <div className="grid gap-x-4 card:grid-cols-2">
          {offered.map((permission) => (
            <Checkbox
              key={permission}
              label={text(permission)}
              checked={chosen.includes(permission)}
              onChange={() => toggle(permission)}
            />
          ))}
        </div>
      </fieldset>
    </Dialog>
  )
}

function DeletionDialog({ role, isOpen, onClose, onDone, focusAfter }: DialogProps) {
  const t = useMessages(roleMessages)
  const { id } = useOrganization()
  const name = role?.role ?? ''
  const remove = async () => {
    await call('POST /organization/delete-role', { body: { organizationId: id, roleId: role?.id ?? '' } }).catch(
      (failure: unknown) => {
        // Another member was faster, which is what the user wants.
        if (!hasCode(failure, 'ROLE_NOT_FOUND')) throw failure
      },
    )
    await refreshOrganization(id)
    onDone(t('deleted', { role: name }))
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('deleteQuestion', { role: name })}
      confirmLabel={t('delete')}
      call={remove}
      focusAfter={focusAfter}
    >
      <p>{t('deleteText')}</p>
    </ConfirmDialog>
  )
}

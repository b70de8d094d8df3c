/** What members may do with the roles that the organization makes itself: the page of the roles loads it when there can be such. */
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { PageHead, Tag } from '../../components/layout.tsx'
import { useResult } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { type ListedRole, useOrganization } from '../../session/organizations.ts'
import { messages } from './messages.ts'
import { messages as roleMessages } from './own-role-messages.ts'
import { type RoleAction, RoleDialogs } from './role-dialogs.tsx'

interface Props {
  /** Shows the roles, with a place for the tag of each, and one for its actions. */
  readonly children: (parts: {
    readonly tag: (role: ListedRole) => React.ReactNode
    readonly actions: (role: ListedRole) => React.ReactNode
  }) => React.ReactNode
}

export function OwnRoles({ children }: Props) {
  const t = useMessages(roleMessages)
  const title = useMessages(messages)('roles')
  const { allows } = useOrganization()
  const result = useResult()
  const [action, setAction] = useState<RoleAction | null>(null)
  const open = (next: RoleAction) => {
    result.clear()
    setAction(next)
  }
  const create = allows('ac', 'create') ? (
    <Button variant="primary" onClick={() => open({ kind: 'edit', role: null })}>
      <Plus aria-hidden className="size-4" />
      {t('createRole')}
    </Button>
  ) : null
  return (
    <>
      <PageHead title={title} actions={create}>
        {t('lead')}
      </PageHead>
      {result.note}
      {children({
        tag: (role) => (role.id === undefined ? null : <Tag>{t('ofOrganization')}</Tag>),
        actions: (role) => <RoleActions role={role} onChoose={open} />,
      })}
      <RoleDialogs action={action} onClose={() => setAction(null)} onDone={result.show} focusAfter={result.ref} />
    </>
  )
}

/** A role that permits more than those of the current user is not theirs to change. */
function RoleActions({ role, onChoose }: { readonly role: ListedRole; readonly onChoose: (action: RoleAction) => void }) {
  const t = useMessages(roleMessages)
  const { allows } = useOrganization()
  if (role.id === undefined) return null
  return (
    <div className="flex gap-1.5">
      {allows('ac', 'update') && role.mayGrant ? (
        <Button aria-label={t('editRole', { role: role.role })} onClick={() => onChoose({ kind: 'edit', role })}>
          <Pencil aria-hidden className="size-4 text-muted" />
          {t('edit')}
        </Button>
      ) : null}
      {allows('ac', 'delete') ? (
        <Button aria-label={t('deleteQuestion', { role: role.role })} onClick={() => onChoose({ kind: 'delete', role })}>
          <Trash2 aria-hidden className="size-4 text-muted" />
          {t('delete')}
        </Button>
      ) : null}
    </div>
  )
}

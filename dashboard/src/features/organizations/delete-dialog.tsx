/** The deletion of an organization, confirmed by typing its slug. */
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { discardOrganization, useOrganization } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'
import { messages } from './messages.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function DeleteDialog({ isOpen, onClose }: Props) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const { id, name, slug, total } = useOrganization()
  const deleteOrganization = async () => {
    await call('POST /organization/delete', { body: { organizationId: id } })
    // First: this page must not read the organization again.
    await navigate({ to: '/organizations' })
    showToast(t('deleted', { name }))
    await discardOrganization(id)
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('deleteQuestion', { name })}
      confirmLabel={t('deleteOrganization')}
      typed={{ label: t('typeSlug', { slug }), matches: (text) => text === slug }}
      call={deleteOrganization}
    >
      <p>{t('deleteLosses', { count: total.members })}</p>
    </ConfirmDialog>
  )
}

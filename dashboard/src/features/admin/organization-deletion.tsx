/** The deletion of any organization, confirmed by typing its slug. */
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { refreshAdmin } from './data.ts'
import { organizationMessages as messages } from './index.ts'
import type { AnyOrganization } from './organization-data.ts'

interface Props {
  readonly organization: AnyOrganization
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function DeleteOrganization({ organization: { id, name, slug, memberCount }, isOpen, onClose }: Props) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const deleteOrganization = async () => {
    await call('POST /admin/delete-organization', { body: { organizationId: id } })
    // First: this page must not read the organization again. The list no longer has it.
    await navigate({ to: '/admin/organizations' as string })
    showToast(t('deleted', { name }))
    await refreshAdmin()
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
      <p>{t('deleteLosses', { count: memberCount })}</p>
    </ConfirmDialog>
  )
}

/** The deletion of any organization, confirmed by typing its slug. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session.ts'
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
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => call('POST /admin/delete-organization', { body: { organizationId: id } }),
    onSuccess: async () => {
      // First: this page must not read the organization again. The list no longer has it.
      await navigate({ to: '/admin/organizations' as string })
      showToast(t('deleted', { name }))
      await refreshAdmin()
    },
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={t('deleteQuestion', { name })}
      confirmLabel={t('deleteOrganization')}
      isBusy={isPending}
      error={error}
      typed={{ label: t('typeSlug', { slug }), matches: (text) => text === slug }}
      onConfirm={() => mutate()}
    >
      <p>{t('deleteLosses', { count: memberCount })}</p>
    </ConfirmDialog>
  )
}

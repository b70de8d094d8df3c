/** The deletion of an organization, confirmed by typing its slug. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { discardOrganization, useOrganization } from '../../organizations.ts'
import { call } from '../../session.ts'
import { messages } from './index.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function DeleteDialog({ isOpen, onClose }: Props) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const { id, name, slug, total } = useOrganization()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => call('POST /organization/delete', { body: { organizationId: id } }),
    onSuccess: async () => {
      // First: this page must not read the organization again.
      await navigate({ to: '/organizations' })
      showToast(t('deleted', { name }))
      await discardOrganization(id)
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
      <p>{t('deleteLosses', { count: total.members })}</p>
    </ConfirmDialog>
  )
}

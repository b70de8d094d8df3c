/** The deletion of any organization, confirmed by typing its slug. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
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
  const [typed, setTyped] = useState('')
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
    setTyped('')
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
      isConfirmDisabled={typed.trim() !== slug}
      onConfirm={() => mutate()}
    >
      <p>{t('deleteLosses', { count: memberCount })}</p>
      {error ? <ErrorNote error={error} /> : null}
      <TextField
        label={t('typeSlug', { slug })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  )
}

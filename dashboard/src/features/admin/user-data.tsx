/** The data of a user: a copy as a file, accepted terms, and erasure. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { saveJSON } from '../../browser/download.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Card, Line, Lines, Section } from '../../components/layout.tsx'
import { LinesSkeleton } from '../../components/skeleton.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { call, useSession } from '../../session/session.ts'
import { refreshAdmin } from './data.ts'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'
import { useDisplayName } from './user-parts.tsx'

/** Its texts load with it. */
const UserTerms = lazy(async () => {
  const [{ UserTerms: part }, { termsMessages }] = await Promise.all([import('./user-terms.tsx'), import('./terms-messages.ts')])
  await termsMessages.load(document.documentElement.lang)
  return { default: part }
})

export function UserData({ user, onDone }: PartProps) {
  const t = useMessages(messages)
  const isPermitted = useIsPermitted()
  const isOwn = useSession().user.id === user.id
  const hasTerms = useSettings().terms !== null && isPermitted('terms', 'read')
  const [isErasing, setErasing] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => saveJSON('data-export.json', await call('GET /admin/export-user', { query: { userId: user.id } })),
    onSuccess: () => onDone(t('exported')),
  })
  return (
    <>
      {isPermitted('user', 'export') ? (
        <Section title={t('export')}>
          {error ? <ErrorNote error={error} /> : null}
          <Card>
            <Lines>
              <Line
                title={t('exportFile')}
                action={
                  <Button isBusy={isPending} onClick={() => mutate()}>
                    <Download aria-hidden className="size-4" />
                    {t('exportData')}
                  </Button>
                }
              >
                {t('exportText')}
              </Line>
            </Lines>
          </Card>
        </Section>
      ) : null}
      {hasTerms ? (
        <Suspense fallback={<LinesSkeleton count={2} />}>
          <UserTerms user={user} />
        </Suspense>
      ) : null}
      {isPermitted('user', 'erase') && !isOwn ? (
        <Section title={t('erasure')} isDanger>
          <Card>
            <Lines>
              <Line
                title={t('erase')}
                action={
                  <Button variant="danger" onClick={() => setErasing(true)}>
                    {t('erase')}
                  </Button>
                }
              >
                {t('eraseText')}
              </Line>
            </Lines>
          </Card>
          <EraseDialog user={user} isOpen={isErasing} onClose={() => setErasing(false)} />
        </Section>
      ) : null}
    </>
  )
}

interface EraseProps extends Pick<PartProps, 'user'> {
  readonly isOpen: boolean
  readonly onClose: () => void
}

function EraseDialog({ user, isOpen, onClose }: EraseProps) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const name = useDisplayName()(user)
  const [reason, setReason] = useState('')
  const erase = async () => {
    await call('POST /admin/erase-user', { body: { userId: user.id, reason: reason.trim() || undefined } })
    // First: this page must not read the user again.
    await navigate({ to: '/admin/users' as string })
    showToast(t('erased', { name }))
    await refreshAdmin()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('eraseQuestion', { name })}
      confirmLabel={t('erase')}
      typed={{ label: t('typeEmail', { email: user.email }), matches: (text) => text.toLowerCase() === user.email }}
      call={erase}
    >
      <p>{t('eraseText')}</p>
      <TextField
        label={t('eraseReason')}
        isOptional
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}
